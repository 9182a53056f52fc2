import type { DiscoveryService } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { ChatModel } from '../model/chat-model.js';
import { type InstanceWrapper, isMadeLater } from './hosts/provider-host.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { JsonSchema } from '@nestor-ai/schema';
import type { Prompt } from '../model/prompt.js';

const NO_CHAT_MODEL =
  'There is no ChatModel. Pass one to AiModule.forRoot({ chatModel }), import AiSdkModule.forRoot() from ' +
  '@nestor-ai/ai-sdk, or provide ChatModel in one of your modules.';

/**
 * Stands for the application's model until that exists. The module of the model may be created
 * later, or a factory may provide it.
 */
export class LocatedChatModel extends ChatModel {
  #model: ChatModel | undefined;

  /**
   * @param locate finds the model, if there is one
   * @param missing the error message if there is none
   */
  constructor(
    private readonly locate: () => ChatModel | undefined,
    private readonly missing: string = NO_CHAT_MODEL,
  ) {
    super();
    for (const key of ['defaultOptions', 'supportsStructuredOutput', 'provider', 'modelName', 'retries'] as const) {
      Object.defineProperty(this, key, { get: () => this.model[key] });
    }
  }

  /** @throws Error with the remedy if there is no model */
  get model(): ChatModel {
    this.#model ??= this.locate();
    if (!this.#model) throw new Error(this.missing);
    return this.#model;
  }

  override verify(): void {
    this.model.verify();
  }

  override supportsOutputSchema(schema: JsonSchema, options: ChatOptions | undefined): boolean {
    return this.model.supportsOutputSchema(schema, options);
  }

  override call(prompt: Prompt): Promise<ChatResponse> {
    return this.model.call(prompt);
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    return this.model.stream(prompt);
  }
}

/** The given model, otherwise the model of any module, even if AiModule cannot inject it. */
export function locateChatModel(discovery: DiscoveryService, given: ChatModel | undefined): ChatModel {
  return given ?? new LocatedChatModel(() => findChatModel(discovery));
}

function findChatModel(discovery: DiscoveryService): ChatModel | undefined {
  return discovery
    .getProviders()
    .filter(({ token }) => token === ChatModel)
    .map((wrapper) => instanceOf(wrapper))
    .find((model) => model && !(model instanceof LocatedChatModel));
}

/** @throws Error if the model is request-scoped */
function instanceOf(wrapper: InstanceWrapper): ChatModel | undefined {
  if (!isMadeLater(wrapper)) return wrapper.instance as ChatModel | undefined;
  throw new Error(
    `The ChatModel in ${wrapper.host?.name} is request-scoped or transient, but one model serves all requests. Make it and its ` +
      'dependencies singletons, and pass the data of a request with .options(…).',
  );
}
