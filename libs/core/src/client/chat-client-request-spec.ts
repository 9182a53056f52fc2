import type { Advisor } from '../advisor/advisor.js';
import { AdvisorSpec } from '../advisor/advisor-spec.js';
import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { untilAborted } from '../model/aborts.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import { type MessageInput, toMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolCallback } from '../model/tool-callback.js';
import { CALLER_REQUEST } from '../model/turn-context.js';
import type { AdvisorSelection } from './advisor-selection.js';
import type { ChatClientRequestSettings, ToolSource } from './chat-client-settings.js';
import { PromptSystemSpec, PromptUserSpec, toSystemMessage, toUserMessage } from './prompt-text-spec.js';
import { CallResponseSpec, type PreparedRequest, StreamResponseSpec } from './response-specs.js';
import type { ToolSelection } from './tool-selection.js';

/** What belongs to a client and serves all its requests. */
export interface ChatClientParts {
  readonly tools: ToolSelection;
  readonly advisors: AdvisorSelection;
}

/** A request in the making. It may be used for any number of calls. */
export class ChatClientRequestSpec {
  #settings: ChatClientRequestSettings;

  constructor(
    settings: ChatClientRequestSettings,
    private readonly parts: ChatClientParts,
  ) {
    this.#settings = settings;
  }

  /** The instructions to the model: a text, or a spec with parameters. */
  system(system: string | ((spec: PromptSystemSpec) => void)): this {
    const spec = new PromptSystemSpec(this.#settings.system);
    if (typeof system === 'string') spec.text(system);
    else system(spec);
    return this.#change({ system: spec.collected() });
  }

  /** What the user says: a text, or a spec with parameters and media. */
  user(user: string | ((spec: PromptUserSpec) => void)): this {
    const spec = new PromptUserSpec(this.#settings.user);
    if (typeof user === 'string') spec.text(user);
    else user(spec);
    return this.#change({ user: spec.collected() });
  }

  /** Messages that stand between the system text and the user text. */
  messages(...messages: readonly (MessageInput | readonly MessageInput[])[]): this {
    const added = messages.flat<readonly (MessageInput | readonly MessageInput[])[]>().map(toMessage);
    return this.#change({ messages: [...this.#settings.messages, ...added] });
  }

  /** Options of this request, over those of the client and the model. */
  options(options: ChatOptions): this {
    if (!options) throw new TypeError('options cannot be null');
    return this.#change({ requestOptions: mergeChatOptions(this.#settings.requestOptions, options) });
  }

  /**
   * The tools of this request, instead of the client's: tool objects, classes, `ToolCallback`s,
   * `ToolCallbackProvider`s, names, and lists of these. Called with nothing: no tools.
   */
  tools(...tools: readonly ToolSource[]): this {
    return this.#change({ requestTools: [...(this.#settings.requestTools ?? []), ...tools] });
  }

  /** What the tools receive as their `ToolContext`, over the client's. The model never sees it. */
  toolContext(context: Readonly<Record<string, unknown>>): this {
    return this.#change({ requestToolContext: { ...this.#settings.requestToolContext, ...checkToolContext(context) } });
  }

  /** Advisors of this request, or a spec that also sets values in their context. */
  advisors(...advisors: readonly (Advisor | readonly Advisor[] | ((spec: AdvisorSpec) => void))[]): this {
    const { advisors: added, params } = collectAdvisors(advisors);
    const { requestAdvisors, advisorParams } = this.#settings;
    return this.#change({
      ...(added.length > 0 && { requestAdvisors: [...requestAdvisors, ...added] }),
      advisorParams: { ...advisorParams, ...params },
    });
  }

  /** What the caller works on, such as an HTTP request: request-scoped tools get it injected as `REQUEST`. */
  request(request: unknown): this {
    return this.#change({ callerRequest: request });
  }

  /** Asks for the answer in one piece. The model is called by the methods of what is returned. */
  call(): CallResponseSpec {
    return new CallResponseSpec(this.#prepare());
  }

  /** Asks for the answer in chunks. The model is called when an Observable of what is returned is subscribed. */
  stream(): StreamResponseSpec {
    return new StreamResponseSpec(this.#prepare());
  }

  #prepare(): PreparedRequest {
    const settings = this.#settings;
    const chain = this.parts.advisors.chainOf(settings);
    return {
      chain,
      request: () => {
        const tools = this.parts.tools.select(settings);
        if (!(tools instanceof Promise)) return toRequest(settings, tools);
        const selected = tools.then((callbacks) => toRequest(settings, callbacks));
        const signal = settings.requestOptions?.signal ?? settings.options?.signal;
        // A provider of tools that hangs must not keep a caller who has given up.
        return signal ? untilAborted(signal, selected) : selected;
      },
    };
  }

  #change(changes: Partial<ChatClientRequestSettings>): this {
    this.#settings = { ...this.#settings, ...changes };
    return this;
  }
}

function toRequest(settings: ChatClientRequestSettings, toolCallbacks: readonly ToolCallback[]): ChatClientRequest {
  const messages = [...toSystemMessage(settings.system), ...settings.messages, ...toUserMessage(settings.user)];
  const given = mergeChatOptions(settings.options, settings.requestOptions);
  const { toolNames: _resolved, ...merged } = mergeChatOptions(settings.chatModel.defaultOptions, given);
  const options: ChatOptions = {
    ...merged,
    toolCallbacks,
    // The nearer to the request, the stronger: the model's defaults, the client's, the request's.
    toolContext: {
      ...settings.chatModel.defaultOptions?.toolContext,
      ...settings.options?.toolContext,
      ...settings.toolContext,
      ...settings.requestOptions?.toolContext,
      ...settings.requestToolContext,
    },
    ...(settings.callerRequest !== undefined && { [CALLER_REQUEST]: settings.callerRequest }),
  };
  return { prompt: Prompt.of(messages, options), context: { ...settings.advisorParams } };
}

/** Sorts what `advisors(…)` takes into advisors and values of their context. */
export function collectAdvisors(
  given: readonly (Advisor | readonly Advisor[] | ((spec: AdvisorSpec) => void))[],
): ReturnType<AdvisorSpec['collected']> {
  const spec = new AdvisorSpec();
  for (const item of given) {
    if (typeof item === 'function') item(spec);
    else spec.advisors(item);
  }
  return spec.collected();
}

/** @throws TypeError unless every key has a value */
export function checkToolContext(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!context) throw new TypeError('context cannot be null');
  for (const [key, value] of Object.entries(context)) {
    if (key === '') throw new TypeError('context key cannot be null or empty');
    if (value === undefined || value === null) {
      throw new TypeError(`context values cannot contain null elements, but '${key}' is ${String(value)}`);
    }
  }
  return context;
}
