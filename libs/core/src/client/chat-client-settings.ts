import type { Advisor, ToolAdvisor } from '../advisor/advisor.js';
import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import type { ToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import type { Awaitable } from '../model/awaitable.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatOptions } from '../model/chat-options.js';
import type { Message } from '../model/messages.js';
import type { RunningTurns } from '../model/running-turns.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ToolFilter } from '../tool/tool-visibility.js';
import type { ObservedClient } from './observed-request.js';
import type { TemplateRenderer } from './prompt-template.js';
import { NO_TEXT, type PromptText } from './prompt-text-spec.js';

/**
 * Something that stands for tools: a tool object, a class, a `ToolCallback`, a `ToolCallbackProvider`,
 * the name of a tool, or a list of these.
 */
export type ToolSource = object | string | ToolCallback | ToolCallbackProvider | readonly ToolSource[];

/** What a `ChatClient` gets from where it lives; without a container, nothing. */
export interface ChatClientEnvironment extends ObservedClient {
  /** Makes sure that it can be worked with, before each request; throws when it cannot. */
  readonly ensureReady?: () => void;
  /** Makes the advisor that runs the tool loop when no other is given. */
  readonly toolCallingAdvisor?: () => Advisor & ToolAdvisor;
  /** Runs the tools of an advisor that was given no manager of its own, so that limits, guards and policies hold. */
  readonly toolCallingManager?: () => ToolCallingManager;
  /** Finds tools by their names. */
  readonly toolCallbackResolver?: ToolCallbackResolver;
  /** The tools of an instance, class or `ToolCallback` that the container knows; undefined for any other. */
  readonly toolsOf?: (toolObject: object) => readonly ToolCallback[] | undefined;
  /** The tools that a provider gives now. */
  readonly toolsGivenBy?: (provider: ToolCallbackProvider) => Promise<readonly ToolCallback[]>;
  /** The tools of a client that is given none: the same list at each call, as long as it does not change. */
  readonly defaultTools?: () => Awaitable<readonly ToolCallback[]>;
  /** The names of all tools there are, for who asks for another one. */
  readonly knownToolNames?: () => Awaitable<readonly string[]>;
  /** Whether there are no other tools to come. Default: true. */
  readonly isComplete?: () => boolean;
  /** Whether the tool of a name is turned off: asked for, it is left out. */
  readonly isTurnedOff?: (toolName: string) => boolean;
  /** Who is told of each turn that begins; asked at each request, undefined when nobody wants to know. */
  readonly turnBegun?: () => ((turn: TurnControl) => void) | undefined;
  /** Where the turns of requests are known, to be ended together. */
  readonly runningTurns?: RunningTurns;
  /** Decides which of its tools a request may have. */
  readonly toolFilter?: ToolFilter | undefined;
  /** Advisors that are found in the container; the same list at each call. */
  readonly advisors?: () => readonly Advisor[];
}

/** What a client has by default and a request may change. Never changed in place. */
export interface ChatClientSettings {
  readonly chatModel: ChatModel;
  readonly environment: ChatClientEnvironment;
  readonly system: PromptText;
  /** The messages between the system text and the user text. */
  readonly messages: readonly Message[];
  readonly user: PromptText;
  readonly options: ChatOptions | undefined;
  /** Undefined: none were given, so what the environment has is used. Empty: no tools. */
  readonly tools: readonly ToolSource[] | undefined;
  /** Fills parameters into texts. Default: `{name}`. */
  readonly templateRenderer: TemplateRenderer | undefined;
  readonly toolContext: Readonly<Record<string, unknown>>;
  readonly advisors: readonly Advisor[];
  readonly advisorParams: Readonly<Record<string, unknown>>;
  /** What the caller works on, such as an HTTP request. */
  readonly callerRequest: unknown;
}

/** What a request adds to the settings of its client. */
export interface ChatClientRequestSettings extends ChatClientSettings {
  /** The tools of this request; undefined when it names none. */
  readonly requestTools: readonly ToolSource[] | undefined;
  readonly requestOptions: ChatOptions | undefined;
  /** What this request adds to the tool context. */
  readonly requestToolContext: Readonly<Record<string, unknown>> | undefined;
  readonly requestAdvisors: readonly Advisor[];
  /** What humans say of tool calls that wait; the request goes on with their turn. */
  readonly toolApprovals: readonly ToolApproval[] | undefined;
  readonly suspendedTurnId: string | undefined;
  /** Whether the request says anything of its own to the model. */
  readonly isSpoken: boolean;
}

/** The settings of a client that is given nothing but a model. */
export function initialSettings(chatModel: ChatModel, environment: ChatClientEnvironment): ChatClientSettings {
  return {
    chatModel,
    environment,
    system: NO_TEXT,
    user: NO_TEXT,
    messages: [],
    options: undefined,
    tools: undefined,
    templateRenderer: undefined,
    toolContext: {},
    advisors: [],
    advisorParams: {},
    callerRequest: undefined,
  };
}

const NO_ADVISORS: readonly Advisor[] = Object.freeze([]);

/**
 * The settings of a request that has said nothing yet. Written out, since objects that all have the same properties in the same
 * order are read and copied several times faster than those that are spread together.
 */
export function requestSettings(client: ChatClientSettings): ChatClientRequestSettings {
  return {
    chatModel: client.chatModel,
    environment: client.environment,
    system: client.system,
    user: client.user,
    messages: client.messages,
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
    isSpoken: false,
  };
}
