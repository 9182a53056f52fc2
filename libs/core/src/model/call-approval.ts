/** The human decision about a tool call. */
export interface CallApproval {
  /** The subject that decided. Undefined when `TurnPrincipal` returned none. */
  readonly approver?: string;
  /** The arguments that the model wrote. Only set when different arguments were approved. */
  readonly modelArguments?: string;
}
