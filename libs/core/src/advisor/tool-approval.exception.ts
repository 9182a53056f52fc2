/** An approval does not fit any call that waits for one. Nothing was run; the turn, if there is one, still waits. */
export class ToolApprovalException extends Error {
  override readonly name = 'ToolApprovalException';
}
