import { findTool } from './find-tool.js';
import type { JsonSchema } from '@nestor-ai/schema';
import { mergeProviderOptions, type ProviderOptions } from './provider-options.js';
import type { ProviderTool } from './provider-tool.js';
import { remembered } from './remembered.js';
import type { REQUEST_SCOPE } from './request-scope.js';
import type { PendingInputs } from './pending-input.js';
import type { ToolApproval } from './tool-approval.js';
import type { ToolCallback } from './tool-callback.js';
import type { ToolDefinition } from './tool-definition.js';

/** Whether the model must call a tool, and which one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly toolName: string };

/** How much a model reasons before it answers. Models know some of these. */
export type ReasoningEffort = 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** All {@link PromptCaching} values. */
export const PROMPT_CACHINGS = ['tools', 'system', 'history'] as const;

/** A part of the prompt that the provider may keep for the next request. */
export type PromptCaching = (typeof PROMPT_CACHINGS)[number];

/** The options of one request to a model. An option that you leave out uses the model's default. */
export interface ChatOptions {
  /** The provider's name of the model. */
  readonly model?: string;
  /** How random the answer is. The range depends on the provider, usually 0 to 2. */
  readonly temperature?: number;
  /** Samples only from the most likely tokens that together have this probability: 0 to 1. */
  readonly topP?: number;
  /** Samples only from this many of the most likely tokens. */
  readonly topK?: number;
  /** The maximum length of the answer, in tokens. */
  readonly maxTokens?: number;
  /** The model stops when it writes one of these texts. */
  readonly stopSequences?: readonly string[];
  /** Penalizes tokens that have already appeared. */
  readonly presencePenalty?: number;
  /** Penalizes tokens in proportion to how often they have appeared. */
  readonly frequencyPenalty?: number;
  /** Asks for the same answer to the same question, if the provider supports it. */
  readonly seed?: number;
  /** How much the model reasons before it answers. Default: the provider's. */
  readonly reasoning?: ReasoningEffort;
  /**
   * The parts of the prompt that the provider keeps, so that later requests with the same parts
   * cost less: the tools, the system text, the messages so far. For providers that cache on
   * request, such as Anthropic and Amazon Bedrock. Others cache by themselves or not at all.
   */
  readonly promptCaching?: readonly PromptCaching[];
  /** HTTP headers of this request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The tools of the provider that the model may use. The provider runs them. */
  readonly providerTools?: readonly ProviderTool[];
  /** The tools that may run in this request. */
  readonly toolCallbacks?: readonly ToolCallback[];
  /** The tools from `toolCallbacks` whose definitions are sent to the model. Default: all. */
  readonly offeredToolNames?: readonly string[];
  /** Tools by name. `ChatClient` resolves them before it sends the request. */
  readonly toolNames?: readonly string[];
  /** The data that tools receive as their `ToolContext`. Never sent to the model. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  /**
   * Whether the model must call a tool. Applies until a tool was called. Default: `auto`, the
   * model decides.
   */
  readonly toolChoice?: ToolChoice;
  /**
   * Whether the tool loop runs the tools. If false, the response contains the calls and you run
   * them, as with `AdvisorParams.toolCallingAdvisorAutoRegister(false)`. Default: true.
   */
  readonly internalToolExecutionEnabled?: boolean;
  /**
   * Human decisions about calls that wait for approval. `ChatClient` sets them in
   * `toolApprovals(…)`.
   */
  readonly toolApprovals?: readonly ToolApproval[];
  /**
   * In a loop of your own: the `pendingInputs` of the `ToolExecutionResult` that the approvals
   * belong to.
   */
  readonly pendingInputs?: PendingInputs;
  /** The suspended turn that the approvals belong to. Default: the turn in which the calls wait. */
  readonly suspendedTurnId?: string;
  /** A JSON Schema that the answer must follow, for models that support it. */
  readonly outputSchema?: JsonSchema;
  /** Options for one provider, keyed by the provider's name. */
  readonly providerOptions?: ProviderOptions;
  /** Aborts the model call and the running tools. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Request data that is not sent to the model. `ChatClient` sets it. Spread the options to keep
   * it.
   */
  readonly [REQUEST_SCOPE]?: object | undefined;
}

/**
 * Merges two sets of options. Values in `overrides` win unless they are undefined. `toolContext`,
 * `headers` and `providerOptions` are merged key by key; lists are replaced.
 */
export function mergeChatOptions(defaults: ChatOptions | undefined, overrides: ChatOptions | undefined): ChatOptions {
  if (!overrides) return defaults ?? {};
  if (!defaults) return overrides;
  const merged: Record<PropertyKey, unknown> = { ...defaults };
  for (const key of Reflect.ownKeys(overrides) as (keyof ChatOptions)[]) {
    if (overrides[key] !== undefined) merged[key] = overrides[key];
  }
  // The tools are one choice: an override of one kind replaces all.
  if (overrides.toolCallbacks || overrides.toolNames || overrides.providerTools) {
    for (const key of TOOL_KEYS) if (!overrides[key]) delete merged[key];
  }
  if (defaults.toolContext && overrides.toolContext) {
    merged.toolContext = { ...defaults.toolContext, ...overrides.toolContext };
  }
  if (defaults.providerOptions && overrides.providerOptions) {
    merged.providerOptions = mergeProviderOptions(defaults.providerOptions, overrides.providerOptions);
  }
  if (defaults.headers && overrides.headers) merged.headers = { ...defaults.headers, ...overrides.headers };
  return merged;
}

const TOOL_KEYS = ['toolCallbacks', 'toolNames', 'providerTools'] as const;

const definitionsOf = remembered(
  (callbacks: readonly ToolCallback[]): readonly ToolDefinition[] =>
    Object.freeze(callbacks.map(({ toolDefinition }) => toolDefinition)),
  Object.isFrozen,
);
const NO_DEFINITIONS: readonly ToolDefinition[] = Object.freeze([]);

/** The tool definitions to send to a model with these options, in the order of the tools. */
export function offeredToolDefinitions(options: ChatOptions | undefined): readonly ToolDefinition[] {
  const callbacks = options?.toolCallbacks;
  if (!callbacks || callbacks.length === 0) return NO_DEFINITIONS;
  const { offeredToolNames } = options;
  if (!offeredToolNames) return definitionsOf(callbacks);
  return offeredToolNames.flatMap((name) => findTool(callbacks, name)?.toolDefinition ?? []);
}
