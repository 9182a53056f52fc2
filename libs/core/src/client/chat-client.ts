import type { Advisor } from '../advisor/advisor.js';
import type { AdvisorSpec } from '../advisor/advisor-collector.js';
import type { ChatModel } from '../model/chat-model.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import { UserMessage } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { AdvisorSelection } from './advisor-selection.js';
import { type ChatClientParts, ChatClientRequestSpec, type RequestDraft } from './chat-client-request.builder.js';
import { type ChatClientSettings, initialSettings, requestSettings, type ToolSource } from './chat-client-settings.js';
import { ClientRuntime, STANDALONE } from './client-runtime.js';
import { EmptyPromptException } from './empty-prompt.exception.js';
import { PromptSystemSpec, PromptUserSpec, readText, type TemplateRenderer } from './prompt-text.js';
import { checkPrompt, checkToolContext, collectAdvisors } from './request-checks.js';
import { ToolSelection } from './tool-selection.js';

/**
 * Sends requests to a language model, lets it call tools, and returns its answer. Immutable: a
 * request never changes the client.
 *
 * @example
 * const request = chatClient.prompt('What day is tomorrow?').tools(dateTimeTools);
 * const answer = await request.call().content();
 */
export class ChatClient {
  readonly #settings: ChatClientSettings;
  readonly #parts: ChatClientParts;

  /** @param parts the parts of another client that can be shared */
  constructor(settings: ChatClientSettings, parts?: ChatClientParts) {
    this.#settings = settings;
    if (parts) {
      this.#parts = parts;
      return;
    }
    const tools = new ToolSelection(settings.runtime);
    if (settings.tools) tools.checkEarly(settings.tools);
    this.#parts = { tools, advisors: new AdvisorSelection() };
  }

  /**
   * Creates a client for a model, without defaults. It lives outside the Nest container: guards,
   * interceptors, pipes and filters of an application don't run for its tools, even if they are
   * providers. In an application, inject the `ChatClient` of `AiModule` or a client of
   * `AiModule.forFeature()`.
   */
  static create(chatModel: ChatModel): ChatClient {
    return ChatClient.builder(chatModel).build();
  }

  /**
   * Creates a builder for a client with defaults, outside the Nest container like
   * {@link ChatClient.create}.
   */
  static builder(chatModel: ChatModel): ChatClientBuilder {
    return new ChatClientBuilder(initialSettings(requireModel(chatModel), STANDALONE));
  }

  /**
   * Starts a request.
   *
   * @param prompt the user's text, or a prompt with messages and options. If the request has no
   *   message, sending it throws an `EmptyPromptException`.
   * @throws EmptyPromptException if the text is blank, or if it is neither a text nor a `Prompt`,
   * such as JSON from a client
   */
  prompt(prompt?: string | Prompt): ChatClientRequestSpec<ChatClientBuilder> {
    checkPrompt(prompt);
    const draft: RequestDraft = requestSettings(this.#settings);
    const given = typeof prompt === 'string' ? [toUserMessage(prompt)] : prompt?.messages;
    if (given) {
      draft.messages = draft.messages.length > 0 ? [...draft.messages, ...given] : given;
      draft.isSpoken = true;
    }
    if (typeof prompt === 'object' && prompt !== null) draft.requestOptions = prompt.options;
    return new ChatClientRequestSpec(draft, this.#parts, toBuilder);
  }

  /**
   * The same client on behalf of a caller's request, such as an HTTP request: as if each request
   * had `.request(request)`. Costs almost nothing.
   */
  withRequest(request: unknown): ChatClient {
    return new ChatClient({ ...this.#settings, callerRequest: request }, this.#parts);
  }

  /** A builder that starts with all settings of this client. */
  mutate(): ChatClientBuilder {
    return new ChatClientBuilder(this.#settings);
  }
}

function toBuilder(settings: ChatClientSettings): ChatClientBuilder {
  return new ChatClientBuilder(settings);
}

/** Builds a `ChatClient`. Each injection gets a new builder with the defaults of `AiModule`. */
export class ChatClientBuilder {
  #settings: ChatClientSettings;

  constructor(settings: ChatClientSettings) {
    this.#settings = settings;
  }

  /**
   * A builder whose clients get tools and advisors from a runtime, such as a container.
   *
   * @param runtime the runtime. Default: the one of clients without a container.
   */
  static in(runtime: Partial<ClientRuntime>, chatModel: ChatModel): ChatClientBuilder {
    const complete = runtime instanceof ClientRuntime ? runtime : Object.assign(new ClientRuntime(), runtime);
    return new ChatClientBuilder(initialSettings(requireModel(chatModel), complete));
  }

  /**
   * The instructions of every request: a text or a spec. Requests can set its parameters or
   * override the text.
   */
  defaultSystem(system: string | ((spec: PromptSystemSpec) => void)): this {
    return this.#change({ system: readText(this.#settings.system, system, PromptSystemSpec) });
  }

  /** The user text of requests without `user()`. It follows the messages of `prompt()`. */
  defaultUser(user: string | ((spec: PromptUserSpec) => void)): this {
    return this.#change({ user: readText(this.#settings.user, user, PromptUserSpec) });
  }

  /** Options of every request. They override those of the model. */
  defaultOptions(options: ChatOptions): this {
    return this.#change({ options: mergeChatOptions(this.#settings.options, { ...options }) });
  }

  /** The tools of requests that don't list tools. Without arguments: no tools. */
  defaultTools(...tools: readonly ToolSource[]): this {
    return this.#change({ tools: Object.freeze([...(this.#settings.tools ?? []), ...tools]) });
  }

  /** Values of the `ToolContext` in every request. */
  defaultToolContext(context: Readonly<Record<string, unknown>>): this {
    return this.#change({ toolContext: { ...this.#settings.toolContext, ...checkToolContext(context) } });
  }

  /** Advisors of every request, or a spec that also sets values in their context. */
  defaultAdvisors(...advisors: readonly (Advisor | readonly Advisor[] | ((spec: AdvisorSpec) => void))[]): this {
    const { advisors: added, params } = collectAdvisors(advisors);
    return this.#change({
      advisors: Object.freeze([...this.#settings.advisors, ...added]),
      advisorParams: { ...this.#settings.advisorParams, ...params },
    });
  }

  /** Fills parameters into the texts of every request. Default: `{name}`. */
  defaultTemplateRenderer(templateRenderer: TemplateRenderer): this {
    return this.#change({ templateRenderer });
  }

  /**
   * What telemetry may show of every request, for a client without Nest. In `AiModule`, use the
   * properties.
   */
  defaultObservability(observability: ObservabilityOptions): this {
    return this.#change({ observability });
  }

  /** An independent copy. */
  clone(): ChatClientBuilder {
    return new ChatClientBuilder(this.#settings);
  }

  build(): ChatClient {
    return new ChatClient(this.#settings);
  }

  #change(changes: Partial<ChatClientSettings>): this {
    this.#settings = { ...this.#settings, ...changes };
    return this;
  }
}

function toUserMessage(text: string): UserMessage {
  if (text.trim() === '') throw new EmptyPromptException('The text of prompt() is empty.');
  return new UserMessage(text);
}

function requireModel(chatModel: ChatModel): ChatModel {
  if (!chatModel) throw new TypeError('chatModel cannot be null');
  return chatModel;
}
