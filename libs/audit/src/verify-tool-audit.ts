import { type ChainedRecord, hashOf } from './audit-hash.js';
import { isLineOf, readRecord } from './audit-line.js';

/** The options of `verifyToolAudit()`. */
export interface ToolAuditVerificationOptions {
  /** The `lastHashes` of the previous file, if the lines come from a later one. Default: none. */
  readonly after?: readonly string[];
}

/** The result of checking the lines of an audit. */
export interface ToolAuditVerification {
  /** Whether each record is unchanged and none is missing between the first and the last. */
  readonly isIntact: boolean;
  /** The first record that does not fit. */
  readonly problem?: {
    /** The line number, from 1. */
    readonly line: number;
    /** The id of the record, if it has one. */
    readonly id?: string;
    /** A description of the problem. */
    readonly text: string;
  };
  /** The number of valid records. */
  readonly records: number;
  /**
   * The numbers of lines that are not records, as a crash or a full disk leaves them. A record
   * that is followed by another one cannot have been damaged unnoticed; the last record of a file
   * can.
   */
  readonly tornLines: readonly number[];
  /**
   * The hashes that no record follows. Records in a later file continue from them. Keep them where
   * nobody can change them.
   */
  readonly lastHashes: readonly string[];
}

/**
 * Checks the hash chain of an audit: whether a record was changed, removed or inserted.
 *
 * Missing lines at the end cannot be detected, and anyone who can write the file can create a new
 * chain. Compare `lastHashes` with a copy that you keep elsewhere.
 *
 * @param lines the lines of a file in order, or `JSON.stringify()` of records that you keep
 *   elsewhere
 */
export async function verifyToolAudit(
  lines: Iterable<string> | AsyncIterable<string>,
  { after = [] }: ToolAuditVerificationOptions = {},
): Promise<ToolAuditVerification> {
  const chains = new Chains(after);
  const tornLines: number[] = [];
  let number = 0;
  let records = 0;
  const found = (problem?: ToolAuditVerification['problem']): ToolAuditVerification => ({
    isIntact: problem === undefined,
    ...(problem && { problem }),
    records,
    tornLines,
    lastHashes: chains.lastHashes,
  });
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const record = readRecord(line);
    if (!record) {
      tornLines.push(number);
      continue;
    }
    const text = chains.problemOf(line, record);
    const { id } = record as { readonly id?: unknown };
    if (text !== undefined) return found({ line: number, ...(typeof id === 'string' && { id }), text });
    records++;
  }
  return found();
}

/** The chains of an audit. One file may contain those of several processes. */
class Chains {
  /** The hash of the last record of each chain. */
  readonly #ends = new Map<string, string>();
  /** The hashes that a chain may start after. */
  readonly #known: Set<string>;
  readonly #last: Set<string>;

  constructor(after: readonly string[]) {
    this.#known = new Set(after);
    this.#last = new Set(after);
  }

  get lastHashes(): readonly string[] {
    return [...this.#last];
  }

  /** The problem of a record. A valid record becomes the end of its chain. */
  problemOf(line: string, record: Partial<ChainedRecord>): string | undefined {
    const { chain, previousHash, hash } = record;
    if (typeof chain !== 'string' || typeof hash !== 'string' || previousHash === undefined) {
      return 'It has no hash: it was written without a hash chain, or inserted.';
    }
    if (!isLineOf(line, record) || hashOf(record as ChainedRecord) !== hash) return 'It was changed.';
    const end = this.#ends.get(chain);
    const follows = end === undefined ? previousHash === null || this.#known.has(previousHash) : previousHash === end;
    if (!follows) return 'The previous record is missing or was changed.';
    this.#ends.set(chain, hash);
    this.#known.add(hash);
    if (previousHash !== null) this.#last.delete(previousHash);
    this.#last.add(hash);
    return undefined;
  }
}
