import { ToolApprovalException } from '../model/tool-approval.exception.js';

/** @throws ToolApprovalException if a newer version has added entries to the turn that this one does not know */
export function checkEntriesAreKnown({
  id,
  unknownEntry,
}: {
  readonly id: string;
  readonly unknownEntry?: string;
}): void {
  if (unknownEntry !== undefined) throw new ToolApprovalException(whyUnknown(id, unknownEntry), 'unavailable');
}

/** @param kind the kind of an entry that this version does not know */
export function whyUnknown(turnId: string, kind: string): string {
  return (
    `A newer version of Nestor has added an entry of the kind '${kind}' to the turn '${turnId}', and this version does not ` +
    'know what it means. A process with the newer version can continue the turn. If there is none any more, update ' +
    '@nestor-ai/core in this application.'
  );
}
