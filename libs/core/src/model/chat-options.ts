import type { JsonSchema } from './json-schema.js';
import type { ToolCallback } from './tool-callback.js';
import type { ToolDefinition } from './tool-definition.js';
import type { CALLER_REQUEST, TURN_CONTEXT, TurnContext } from './turn-context.js';

/** Whether and which tool the model has to call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly toolName: string };

/** The options of one request to a model. What is left out is the model's own default. */
export interface ChatOptions {
  readonly model?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  /** The tools that may run in this request. */
  readonly toolCallbacks?: readonly ToolCallback[];
  /** The part of `toolCallbacks` whose definitions the model is sent; all of them by default. */
  readonly offeredToolNames?: readonly string[];
  /** Tools by name; `ChatClient` looks them up before the request is made. */
  readonly toolNames?: readonly string[];
  /** What the tools receive as their `ToolContext`. Never sent to the model. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  readonly toolChoice?: ToolChoice;
  /** A JSON Schema that the answer has to follow, for models that support it. */
  readonly outputSchema?: JsonSchema;
  /** Options of one provider, by the provider's name. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Aborts the model call and the running tools. */
  readonly signal?: AbortSignal;
  /** The turn that the request belongs to; set by the tool loop. */
  readonly [TURN_CONTEXT]?: TurnContext;
  /** What the caller works on, such as an HTTP request; set by `ChatClient`. */
  readonly [CALLER_REQUEST]?: unknown;
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

// Keyed by the list itself, which a client reuses from request to request.
const definitionsOf = new WeakMap<readonly ToolCallback[], readonly ToolDefinition[]>();
const NO_DEFINITIONS: readonly ToolDefinition[] = Object.freeze([]);

/** The definitions that a model has to be sent with these options, in the order of the tools. */
export function offeredToolDefinitions(options: ChatOptions | undefined): readonly ToolDefinition[] {
  const callbacks = options?.toolCallbacks;
  if (!callbacks || callbacks.length === 0) return NO_DEFINITIONS;
  const { offeredToolNames } = options;
  if (offeredToolNames) {
    const byName = new Map(callbacks.map((c) => [c.toolDefinition.name, c.toolDefinition]));
    return offeredToolNames.flatMap((name) => byName.get(name) ?? []);
  }
  let definitions = definitionsOf.get(callbacks);
  // A list that its owner keeps changing must not be answered from the cache.
  if (!definitions || definitions.length !== callbacks.length) {
    definitions = Object.freeze(callbacks.map((callback) => callback.toolDefinition));
    if (Object.isFrozen(callbacks)) definitionsOf.set(callbacks, definitions);
  }
  return definitions;
}
