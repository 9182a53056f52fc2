import type { ChatOptions, JsonSchema, MessageInput, ProviderTool, ToolModelOptions } from '@nestor-ai/core';
import type { Answer } from './answers/answer.js';
import type { ProviderName } from './providers.js';

/** A tool in both libraries. */
export interface TurnTool extends ToolModelOptions {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly run: (input: Record<string, unknown>) => unknown;
  /** The tool gives a picture instead of a value. */
  readonly picture?: Uint8Array;
}

/** The options that both libraries have under a name of their own. */
export type TurnOptions = Pick<
  ChatOptions,
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'maxTokens'
  | 'stopSequences'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'seed'
  | 'toolChoice'
  | 'headers'
  | 'providerOptions'
  | 'outputSchema'
  | 'reasoning'
  | 'promptCaching'
>;

/** A turn that both libraries can make, and the answers of the provider. */
export interface Turn {
  /** The providers that can make it. All by default. */
  readonly only?: readonly ProviderName[];
  /** The turn is made with a stream too. */
  readonly streamed?: true;
  readonly system?: string;
  /** In Nestor's form. The last one is what the user asks. */
  readonly messages: readonly MessageInput[];
  readonly options?: TurnOptions;
  readonly tools?: readonly TurnTool[];
  readonly providerTools?: readonly ProviderTool[];
  /** One for each request. When the last one calls a tool, the turn ends there. */
  readonly answers: readonly Answer[];
}
