import type { Media } from '../model/content-part.js';
import type { ProviderToolCall, Source } from '../model/provider-tool-call.js';
import type { ToolCall } from '../model/messages.js';
import type { ToolUi } from '../model/tool-ui.js';

/** An event about what the model makes besides text, reasoning and calls of your tools. */
export type ModelEvent =
  ProviderToolCallEvent | ProviderToolResultEvent | SourceEvent | FileEvent | ToolInputDeltaEvent;

interface EventOfTool {
  /**
   * What a browser may see of the call, if a tool of the request with this name declares it. `none`
   * for the input of a tool that neither the request nor the provider has.
   */
  readonly ui?: ToolUi;
}

/** The model calls a tool that its provider runs. */
export interface ProviderToolCallEvent extends EventOfTool {
  readonly type: 'provider-tool-call';
  /** The call, with the arguments that the model wrote. */
  readonly toolCall: Pick<ProviderToolCall, 'id' | 'name' | 'arguments'>;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/**
 * A tool of the provider has answered. If there are several events for a call, each replaces the
 * one before.
 */
export interface ProviderToolResultEvent extends EventOfTool {
  readonly type: 'provider-tool-result';
  /** Which call it belongs to. */
  readonly toolCall: Pick<ProviderToolCall, 'id' | 'name' | 'arguments'>;
  /** The provider's result. */
  readonly result: unknown;
  /** Whether the tool failed. `result` contains the reason. */
  readonly isError?: true;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/** A source that the answer is based on. */
export interface SourceEvent {
  readonly type: 'source';
  /** The source: a page or a document. */
  readonly source: Source;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/** A picture or a file that the model made. */
export interface FileEvent {
  readonly type: 'file';
  /** The picture or file. */
  readonly media: Media;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}

/**
 * The model writes the arguments of a tool call. The `tool-call` or `provider-tool-call` with the
 * complete arguments follows, unless the model or the turn stops before.
 */
export interface ToolInputDeltaEvent extends EventOfTool {
  readonly type: 'tool-input-delta';
  /** The call, as far as it is known. Its name may still be repaired. */
  readonly toolCall: Pick<ToolCall, 'id' | 'name'>;
  /** The text that follows. Empty when the call begins. */
  readonly delta: string;
  /** The arguments so far: the beginning of a JSON text. */
  readonly text: string;
  /**
   * The arguments so far as a value, as if everything open were closed. Undefined until an object
   * has begun. Parsed when you read it. Nestor parses a long text again when it has grown by 2 %,
   * so the value may be that much behind `text`.
   */
  readonly input: unknown;
  /** Whether the provider runs the call. */
  readonly isProviderExecuted?: true;
  /** The round of the tool loop, starting at 0. */
  readonly round: number;
}
