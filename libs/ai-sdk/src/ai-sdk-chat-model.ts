import {
  ChatModel,
  ChatModelException,
  type ChatOptions,
  type ChatResponse,
  mergeChatOptions,
  type Prompt,
} from '@nestor-ai/core';
import { Observable, type Subscriber } from 'rxjs';
import { toFailure } from './errors.js';
import type { AiSdkLanguageModel } from './specification.js';
import { toProviderName } from './provider-name.js';
import { readStream } from './read-stream.js';
import { BROKEN_OFF, StreamReader } from './stream-response.js';
import { toCallOptions } from './to-call-options.js';
import { toChatResponse } from './to-response.js';

/** What {@link AiSdkChatModel} cannot know of a model. */
export interface AiSdkChatModelSettings {
  /**
   * Whether the model's API takes pictures and files as results of tools; where it does not, they are described in the text. Default:
   * true for Anthropic, Amazon Bedrock, Google and the Responses API of OpenAI, false for all others.
   */
  readonly takesToolContent?: boolean;
}

/**
 * A `ChatModel` over a language model of any AI SDK provider package.
 *
 * @example
 * const chatModel = new AiSdkChatModel(createOpenAI({ apiKey }).chat('gpt-5'));
 */
export class AiSdkChatModel extends ChatModel {
  override readonly defaultOptions: ChatOptions;
  override readonly supportsStructuredOutput = true;
  declare readonly provider?: string;
  declare readonly modelName?: string;

  /**
   * @param languageModel of version 3 or 4 of the specification
   * @param defaultOptions used where a request sets nothing else
   * @param settings what cannot be known of a model
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
          `${typeof version === 'string' ? `version ${version}` : 'something else'}. Install @ai-sdk/* packages of the last two majors.`,
      );
    }
    const { modelId } = languageModel;
    const provider = toProviderName(languageModel.provider);
    if (provider !== undefined) this.provider = provider;
    this.defaultOptions = defaultOptions;
    if (typeof modelId === 'string' && modelId !== '') this.modelName = modelId;
  }

  /** @throws ChatModelException with the HTTP status, or the reason of the abort */
  async call(prompt: Prompt): Promise<ChatResponse> {
    try {
      return toChatResponse(
        await this.languageModel.doGenerate(toCallOptions(this.#complete(prompt), this.languageModel, this.settings)),
      );
    } catch (error) {
      throw toFailure(error, prompt.options?.signal, this);
    }
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      const controller = new AbortController();
      const { signal: callerSignal } = prompt.options ?? {};
      const signal = callerSignal ? AbortSignal.any([callerSignal, controller.signal]) : controller.signal;
      this.#pump(prompt, signal, subscriber).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(toFailure(error, signal, this)),
      );
      return () => controller.abort(new DOMException('The stream was unsubscribed.', 'AbortError'));
    });
  }

  /** Who asks the model without a client has not laid its options over the defaults. */
  #complete(prompt: Prompt): Prompt {
    return prompt.with({ options: mergeChatOptions(this.defaultOptions, prompt.options) });
  }

  async #pump(prompt: Prompt, signal: AbortSignal, subscriber: Subscriber<ChatResponse>): Promise<void> {
    const { stream } = await this.languageModel.doStream(
      toCallOptions(this.#complete(prompt), this.languageModel, this.settings, signal),
    );
    const reader = new StreamReader();
    await readStream(stream, signal, (part) => {
      const chunk = reader.read(part);
      if (chunk) subscriber.next(chunk);
    });
    signal.throwIfAborted();
    // Some providers close the stream in silence when the connection is lost.
    if (!reader.isFinished) throw new ChatModelException(BROKEN_OFF, { isRetryable: true });
  }
}
