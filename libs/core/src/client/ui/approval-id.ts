/** How a front end names an approval: with the turn, which it hands back and need not know. */
export function toApprovalId(turnId: string | undefined, toolCallId: string): string {
  return turnId === undefined ? toolCallId : `${turnId}:${toolCallId}`;
}

/** The turn of an approval; undefined when it does not say. */
export function turnOfApproval(approvalId: string, toolCallId: string): string | undefined {
  const end = `:${toolCallId}`;
  return approvalId.endsWith(end) && approvalId.length > end.length ? approvalId.slice(0, -end.length) : undefined;
}
