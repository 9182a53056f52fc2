/** A human decision about a tool call that waits for approval. */
export interface ToolApproval {
  /** The id of the call from the response that asked for approval. */
  readonly toolCallId: string;
  /** Whether the tool may run. */
  readonly approved: boolean;
  /** The reason for a refusal. The model reads it. */
  readonly reason?: string | undefined;
  /** The token from `ApprovalTokens` for this call, if the application signs approvals. */
  readonly token?: string;
  /** Arguments that replace the model's: an object or JSON text. Default: the model's arguments. */
  readonly arguments?: object | string;
  /**
   * The user's input, with `approved: true`, for a call that asks for it (`inputRequest`): the
   * fields of the form, at most 100,000 characters as JSON. Leave it out if there is no form.
   */
  readonly input?: Readonly<Record<string, unknown>>;
  /**
   * Whether to run an approved call again that may already have run, because the process died or
   * the caller left during the call. If false, such a call fails with a `ToolApprovalException`
   * that names it. Calls that are not approved never run again. Default: false.
   */
  readonly replay?: boolean;
}
