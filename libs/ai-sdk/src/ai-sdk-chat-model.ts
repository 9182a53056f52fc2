import {
  ChatModel,
  ChatModelException,
  type ChatOptions,
  type ChatResponse,
  type JsonSchema,
  mergeChatOptions,
  type Prompt,
} from '@nestor-ai/core';
import { Observable, type Subscriber } from 'rxjs';
import type { DownloadRules } from './request/download.js';
import { named, refusedMedia, toFailure } from './failure/errors.js';
import { WarningLog } from './answer/model-warnings.js';
import { supportsOutputSchema } from './schema/output-schema.js';
import { warningsOfRequest } from './request/request-warnings.js';
import type { AiSdkLanguageModel } from './language-model.js';
import type { SpecificationWarning } from './specification.js';
import { toProviderName } from './provider-name.js';
import { readStream } from './answer/read-stream.js';
import { BROKEN_OFF, StreamReader } from './answer/stream-response.js';
import { toCallOptions } from './request/to-call-options.js';
import { toChatResponse } from './answer/to-response.js';
import { absentNullsOf, withoutAbsentNulls } from './request/tools.js';

/** Settings that {@link AiSdkChatModel} cannot read from the model. */
export interface AiSdkChatModelSettings {
  /**
   * Whether the model's API accepts all files in tool results, or none, which are then described in
   * words. Default: the media types that the provider takes. Packages other than those of
   * Anthropic, Amazon Bedrock, Google, and of OpenAI and xAI for the Responses API take none.
   */
  readonly takesToolContent?: boolean;
  /**
   * Limits for files at URLs that the provider does not fetch itself: they are downloaded and sent
   * as bytes. `false` downloads nothing and sends the URLs. Default: from the public internet, 20 MB
   * a turn, 30 seconds.
   */
  readonly downloads?: DownloadRules | false;
}

/**
 * A `ChatModel` for any language model of an AI SDK provider package.
 *
 * @example
 * const chatModel = new AiSdkChatModel(createOpenAI({ apiKey }).chat('gpt-5'));
 */
export class AiSdkChatModel extends ChatModel {
  override readonly defaultOptions: ChatOptions;
  override readonly supportsStructuredOutput = true;
  declare readonly provider?: string;
  declare readonly modelName?: string;
  #warningLog: WarningLog | undefined;

  /**
   * @param languageModel a model of version 3 or 4 of the provider specification
   * @param defaultOptions default options; the options of a request override them
   * @param settings what cannot be read from the model
   * @throws TypeError for a model of another version
   */
  constructor(
    private readonly languageModel: AiSdkLanguageModel,
    defaultOptions: ChatOptions = {},
    private readonly settings: AiSdkChatModelSettings = {},
  ) {
    super();
    const version: unknown = (languageModel as AiSdkLanguageModel | undefined)?.specificationVersion;
    if (version !== 'v3' && version !== 'v4') {
      throw new TypeError(
        `AiSdkChatModel needs a language model of version 3 or 4 of the AI SDK's provider specification, but got ` +
          `${typeof version === 'string' ? `version ${version}` : 'something else'}. Install one of the last two major versions of the @ai-sdk/* package.`,
      );
    }
    const { modelId } = languageModel;
    const provider = toProviderName(languageModel.provider);
    if (provider !== undefined) this.provider = provider;
    this.defaultOptions = defaultOptions;
    if (typeof modelId === 'string' && modelId !== '') this.modelName = modelId;
  }

  /**
   * Whether the provider accepts this schema in a request with these options. If not, the prompt
   * describes the format in words: for servers without native schemas, for Gemini before version 3
   * with tools, and for schemas that the provider's API cannot express, such as a Map in OpenAI's
   * strict mode.
   */
  override supportsOutputSchema(schema: JsonSchema, options: ChatOptions | undefined): boolean {
    return supportsOutputSchema(schema, mergeChatOptions(this.defaultOptions, options), this.languageModel);
  }

  /** @throws ChatModelException with the HTTP status, or the reason of the abort */
  async call(prompt: Prompt): Promise<ChatResponse> {
    try {
      const complete = this.#complete(prompt);
      const asked = toCallOptions(complete, this.languageModel, this.settings);
      const result = await this.languageModel.doGenerate(asked instanceof Promise ? await asked : asked);
      const warnings = [...warningsOfRequest(complete, this.languageModel), ...(result.warnings ?? [])];
      this.#logWarnings(warnings);
      const absentNulls = absentNullsOf(complete.options, this.languageModel);
      const content = result.content.map((item) => withoutAbsentNulls(item, absentNulls));
      return toChatResponse({ ...result, content, warnings }, this.languageModel.provider);
    } catch (error) {
      throw this.#failureOf(error, prompt, prompt.options?.signal);
    }
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      const controller = new AbortController();
      const { signal: callerSignal } = prompt.options ?? {};
      const signal = callerSignal ? AbortSignal.any([callerSignal, controller.signal]) : controller.signal;
      this.#pump(prompt, signal, subscriber).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(this.#failureOf(error, prompt, signal)),
      );
      return () => controller.abort(new DOMException('The stream was unsubscribed.', 'AbortError'));
    });
  }

  /** Direct callers, without a ChatClient, have not merged their options with the defaults. */
  #complete(prompt: Prompt): Prompt {
    return prompt.with({ options: mergeChatOptions(this.defaultOptions, prompt.options) });
  }

  #failureOf(error: unknown, prompt: Prompt, signal: AbortSignal | undefined): unknown {
    return toFailure(refusedMedia(error, prompt, this) ?? error, signal, this, this.languageModel);
  }

  #logWarnings(warnings: readonly SpecificationWarning[]): void {
    if (warnings.length === 0) return;
    this.#warningLog ??= new WarningLog(named(this));
    this.#warningLog.log(warnings);
  }

  async #pump(prompt: Prompt, signal: AbortSignal, subscriber: Subscriber<ChatResponse>): Promise<void> {
    const complete = this.#complete(prompt);
    const asked = toCallOptions(complete, this.languageModel, this.settings, signal);
    const { stream, response } = await this.languageModel.doStream(asked instanceof Promise ? await asked : asked);
    const absentNulls = absentNullsOf(complete.options, this.languageModel);
    const reader = new StreamReader(
      this.languageModel.provider,
      { headers: response?.headers, warnings: warningsOfRequest(complete, this.languageModel) },
      (chunk) => subscriber.next(chunk),
    );
    await readStream(stream, signal, (part) => reader.read(withoutAbsentNulls(part, absentNulls)));
    this.#logWarnings(reader.warnings);
    signal.throwIfAborted();
    // Some providers close the stream silently when the connection is lost.
    if (!reader.isFinished) throw new ChatModelException(BROKEN_OFF, { isRetryable: true });
  }
}
