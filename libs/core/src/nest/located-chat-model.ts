import type { Observable } from 'rxjs';
import { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { Prompt } from '../model/prompt.js';

/** What is said when there is no model. */
const NO_CHAT_MODEL =
  'There is no ChatModel. Pass one to AiModule.forRoot({ chatModel }), import AiSdkModule.forRoot() from ' +
  '@nestor-ai/ai-sdk, or provide ChatModel in a module of the application.';

/**
 * Stands for the application's model until it is known: the model may be in a module that is made later,
 * or come from a factory.
 */
export class LocatedChatModel extends ChatModel {
  #model: ChatModel | undefined;

  /**
   * @param locate finds the model, if there is one
   * @param missing what is said when there is none
   */
  constructor(
    private readonly locate: () => ChatModel | undefined,
    private readonly missing: string = NO_CHAT_MODEL,
  ) {
    super();
    for (const key of ['defaultOptions', 'supportsStructuredOutput', 'provider', 'modelName'] as const) {
      Object.defineProperty(this, key, { get: () => this.model[key] });
    }
  }

  /** @throws Error with the remedy when there is no model */
  get model(): ChatModel {
    this.#model ??= this.locate();
    if (!this.#model) throw new Error(this.missing);
    return this.#model;
  }

  override verify(): void {
    this.model.verify();
  }

  override call(prompt: Prompt): Promise<ChatResponse> {
    return this.model.call(prompt);
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    return this.model.stream(prompt);
  }
}
