/** What a human says of a tool call that waits for approval. */
export interface ToolApproval {
  /** The call, as the response names it that asked for approval. */
  readonly toolCallId: string;
  /** Whether the tool may run. */
  readonly approved: boolean;
  /** Why not; the model reads it. */
  readonly reason?: string;
  /** Other arguments than the model wants: an object, or JSON text. Default: the model's. */
  readonly arguments?: object | string;
}
