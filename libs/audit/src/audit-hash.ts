import { createHash } from 'node:crypto';
import { stableJson } from '@nestor-ai/schema';
import type { ToolAuditRecord } from './tool-audit-record.js';

/** A record of a hash chain. */
export type ChainedRecord = ToolAuditRecord & Required<Pick<ToolAuditRecord, 'chain' | 'previousHash' | 'hash'>>;

/** The hash of a record. Ignores a hash that the record already has. */
export function hashOf({ hash: _hash, ...hashed }: ToolAuditRecord): string {
  return createHash('sha256').update(stableJson(hashed)).digest('hex');
}
