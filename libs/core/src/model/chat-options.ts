import { findTool } from './find-tool.js';
import type { JsonSchema } from './json-schema.js';
import { rememberByList } from './remember-by-list.js';
import type { REQUEST_SCOPE } from './request-scope.js';
import type { ToolApproval } from './tool-approval.js';
import type { ToolCallback } from './tool-callback.js';
import type { ToolDefinition } from './tool-definition.js';

/** Whether and which tool the model has to call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly toolName: string };

/** The options of one request to a model. What is left out is the model's own default. */
export interface ChatOptions {
  /** The model, as its provider names it. */
  readonly model?: string;
  /** How freely the model chooses its words; the range is the provider's, mostly 0 to 2. */
  readonly temperature?: number;
  /** Only the likeliest words that together have this probability are chosen from: 0 to 1. */
  readonly topP?: number;
  /** Only so many of the likeliest words are chosen from. */
  readonly topK?: number;
  /** The longest answer, in tokens. */
  readonly maxTokens?: number;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[];
  /** How much the model is kept from what has been said at all. */
  readonly presencePenalty?: number;
  /** How much the model is kept from what has been said often. */
  readonly frequencyPenalty?: number;
  /** Asks for the same answer to the same question, where the provider can. */
  readonly seed?: number;
  /** The tools that may run in this request. */
  readonly toolCallbacks?: readonly ToolCallback[];
  /** The part of `toolCallbacks` whose definitions the model is sent; all of them by default. */
  readonly offeredToolNames?: readonly string[];
  /** Tools by name; `ChatClient` looks them up before the request is made. */
  readonly toolNames?: readonly string[];
  /** What the tools receive as their `ToolContext`. Never sent to the model. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  /** Whether the model has to call a tool. A demand holds until a tool was called. Default: it decides. */
  readonly toolChoice?: ToolChoice;
  /**
   * Whether the tool loop runs the tools. Off, the calls are in the response for the caller to run, as with
   * `AdvisorParams.toolCallingAdvisorAutoRegister(false)`. Default: true.
   */
  readonly internalToolExecutionEnabled?: boolean;
  /** What humans say of calls that wait for approval. `ChatClient` sets it with `toolApprovals(…)`. */
  readonly toolApprovals?: readonly ToolApproval[];
  /** The suspended turn that the approvals are for. Default: the one in which the calls wait. */
  readonly suspendedTurnId?: string;
  /** A JSON Schema that the answer has to follow, for models that support it. */
  readonly outputSchema?: JsonSchema;
  /** Options of one provider, by the provider's name. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Aborts the model call and the running tools. */
  readonly signal?: AbortSignal | undefined;
  /** What belongs to the request and is not sent to the model; set by `ChatClient`. Spread the options to keep it. */
  readonly [REQUEST_SCOPE]?: object | undefined;
}

/**
 * Lays options over others. A value of `overrides` wins where it is given; `toolContext` and
 * `providerOptions` are united, key by key; lists are replaced whole.
 */
export function mergeChatOptions(defaults: ChatOptions | undefined, overrides: ChatOptions | undefined): ChatOptions {
  if (!overrides) return defaults ?? {};
  if (!defaults) return overrides;
  const merged: Record<PropertyKey, unknown> = { ...defaults };
  for (const key of Reflect.ownKeys(overrides) as (keyof ChatOptions)[]) {
    if (overrides[key] !== undefined) merged[key] = overrides[key];
  }
  // Tools and names of tools are one choice: what is nearer to the request is never mixed with what is farther.
  if (overrides.toolCallbacks || overrides.toolNames) {
    if (!overrides.toolCallbacks) delete merged.toolCallbacks;
    if (!overrides.toolNames) delete merged.toolNames;
  }
  if (defaults.toolContext && overrides.toolContext) {
    merged.toolContext = { ...defaults.toolContext, ...overrides.toolContext };
  }
  if (defaults.providerOptions && overrides.providerOptions) {
    merged.providerOptions = mergeProviderOptions(defaults.providerOptions, overrides.providerOptions);
  }
  return merged;
}

function mergeProviderOptions(
  defaults: NonNullable<ChatOptions['providerOptions']>,
  overrides: NonNullable<ChatOptions['providerOptions']>,
): NonNullable<ChatOptions['providerOptions']> {
  const merged = { ...defaults };
  for (const [provider, options] of Object.entries(overrides)) {
    merged[provider] = { ...merged[provider], ...options };
  }
  return merged;
}

const definitionsOf = rememberByList((callbacks): readonly ToolDefinition[] =>
  Object.freeze(callbacks.map(({ toolDefinition }) => toolDefinition)),
);
const NO_DEFINITIONS: readonly ToolDefinition[] = Object.freeze([]);

/** The definitions that a model has to be sent with these options, in the order of the tools. */
export function offeredToolDefinitions(options: ChatOptions | undefined): readonly ToolDefinition[] {
  const callbacks = options?.toolCallbacks;
  if (!callbacks || callbacks.length === 0) return NO_DEFINITIONS;
  const { offeredToolNames } = options;
  if (!offeredToolNames) return definitionsOf(callbacks);
  return offeredToolNames.flatMap((name) => findTool(callbacks, name)?.toolDefinition ?? []);
}
