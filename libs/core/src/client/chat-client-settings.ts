import type { Advisor } from '../advisor/advisor.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { Message } from '../model/messages.js';
import type { ContinuedTurn } from '../model/request-scope.js';
import type { RequestServices } from '../model/request-services.js';
import type { ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import type { ClientRuntime } from './client-runtime.js';
import { NO_TEXT, type PromptText, type TemplateRenderer } from './prompt-text.js';

/**
 * A source of tools: a tool object, a class, a `ToolCallback`, a `ToolCallbackProvider`, a
 * `providerTool()`, the name of a tool, or a list of these.
 */
export type ToolSource = object | string | ToolCallback | ToolCallbackProvider | readonly ToolSource[];

/** Flattens nested lists. */
export function flatten(sources: readonly ToolSource[]): ToolSource[] {
  return sources.flatMap((source) => (Array.isArray(source) ? flatten(source as ToolSource[]) : [source]));
}

/** What is known about a request when its messages are read. */
export interface MessageReading {
  /** Whether an advisor of the request stores the conversation. Then earlier messages are known. */
  readonly isRemembered: boolean;
  /** The services of the application. Undefined for a client outside of one. */
  readonly services: RequestServices | undefined;
}

/** Messages that are read when the request is sent, since they depend on its advisors. */
export interface MessageSource {
  /** @throws Error for an invalid message. The request is not sent then. */
  read(reading: MessageReading): readonly Message[];
}

/** The defaults of a client, which a request may override. Never changed in place. */
export interface ChatClientSettings {
  readonly chatModel: ChatModel;
  readonly runtime: ClientRuntime;
  /** Telemetry settings that override those of the runtime. */
  readonly observability: ObservabilityOptions | undefined;
  readonly system: PromptText;
  /** The messages between the system text and the user text. */
  readonly messages: readonly Message[];
  /** Further messages, read when the request is sent. They follow the others. */
  readonly messageSource: MessageSource | undefined;
  readonly user: PromptText;
  readonly options: ChatOptions | undefined;
  /** Undefined: use the tools of the runtime. Empty: no tools. */
  readonly tools: readonly ToolSource[] | undefined;
  /** Fills parameters into texts. Default: `{name}`. */
  readonly templateRenderer: TemplateRenderer | undefined;
  readonly toolContext: Readonly<Record<string, unknown>>;
  readonly advisors: readonly Advisor[];
  readonly advisorParams: Readonly<Record<string, unknown>>;
  /** The caller's request, such as an HTTP request. */
  readonly callerRequest: unknown;
  /** Whether requests need memory, since a conversation id was given. */
  readonly isConversation: boolean;
}

/** The settings that a request adds to those of its client. */
export interface ChatClientRequestSettings extends ChatClientSettings {
  /** The tools of this request. Undefined if it does not list any. */
  readonly requestTools: readonly ToolSource[] | undefined;
  readonly requestOptions: ChatOptions | undefined;
  /** The values that this request adds to the tool context. */
  readonly requestToolContext: Readonly<Record<string, unknown>> | undefined;
  readonly requestAdvisors: readonly Advisor[];
  /** Decisions about tool calls that wait for approval. The request resumes their turn. */
  readonly toolApprovals: readonly ToolApproval[] | undefined;
  readonly suspendedTurnId: string | undefined;
  /** Whether the request has its own texts or messages. */
  readonly isSpoken: boolean;
  /** The stored turn that the request continues, for workers. Most requests lack the property. */
  readonly continued?: ContinuedTurn;
}

/** The settings of a client without defaults. */
export function initialSettings(chatModel: ChatModel, runtime: ClientRuntime): ChatClientSettings {
  return {
    chatModel,
    runtime,
    observability: undefined,
    system: NO_TEXT,
    user: NO_TEXT,
    messages: [],
    messageSource: undefined,
    options: undefined,
    tools: undefined,
    templateRenderer: undefined,
    toolContext: {},
    advisors: [],
    advisorParams: {},
    callerRequest: undefined,
    isConversation: false,
  };
}

const NO_ADVISORS: readonly Advisor[] = Object.freeze([]);

/**
 * The settings of a new request. Written out, since objects with the same properties in the same
 * order are several times faster to read and copy than spread objects.
 */
export function requestSettings(client: ChatClientSettings): ChatClientRequestSettings {
  return {
    chatModel: client.chatModel,
    runtime: client.runtime,
    observability: client.observability,
    system: client.system,
    user: client.user,
    messages: client.messages,
    messageSource: client.messageSource,
    options: client.options,
    tools: client.tools,
    templateRenderer: client.templateRenderer,
    toolContext: client.toolContext,
    advisors: client.advisors,
    advisorParams: client.advisorParams,
    requestTools: undefined,
    requestOptions: undefined,
    requestToolContext: undefined,
    requestAdvisors: NO_ADVISORS,
    callerRequest: client.callerRequest,
    toolApprovals: undefined,
    suspendedTurnId: undefined,
    isConversation: client.isConversation,
    isSpoken: false,
  };
}
