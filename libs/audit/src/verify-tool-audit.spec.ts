import { describe, expect, it } from '@jest/globals';
import { AuditChain } from './audit-chain.js';
import { hashOf } from './audit-hash.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import { ToolAuditSink } from './tool-audit-sink.js';
import { verifyToolAudit } from './verify-tool-audit.js';

/** The lines of a file, in memory. */
class Lines extends ToolAuditSink {
  outage: 'none' | 'before' | 'after' = 'none';

  constructor(readonly lines: string[] = []) {
    super();
  }

  async write(record: ToolAuditRecord) {
    await Promise.resolve();
    if (this.outage !== 'before') this.lines.push(JSON.stringify(record));
    if (this.outage !== 'none') throw new Error('The disk is full.');
  }

  override lastHash() {
    return this.lines.map((line) => (JSON.parse(line) as ToolAuditRecord).hash).at(-1);
  }
}

const record = (id: string): ToolAuditRecord => ({
  id,
  time: '2030-01-01T00:00:00.000Z',
  event: 'tool-call-began',
  runId: 'run',
  turnId: 'turn',
  callId: 'call',
  tool: 'pay',
  arguments: '{"amount":5}',
});

/** The lines that chains write, one letter per chain: `aab`. */
async function linesOf(script: string, sink = new Lines()): Promise<string[]> {
  const chains = new Map<string, AuditChain>();
  for (const [at, name] of script.split('').entries()) {
    if (!chains.has(name)) chains.set(name, new AuditChain(sink, 5000));
    await chains.get(name)!.write(record(`${name}${at}`));
  }
  return sink.lines;
}

const hashAt = (lines: readonly string[], at: number) => (JSON.parse(lines.at(at)!) as ToolAuditRecord).hash!;

describe('a hash chain', () => {
  it('has hashes that others can compute', () => {
    const { tool, ...others } = record('a');
    // The output of `jq -cS 'del(.hash)' | tr -d '\n' | sha256sum`.
    const known = '5176af41ebfc0a5697018bc7593820ff9f02d76c714f9564ef0ddecc4e3cf86f';
    expect(hashOf({ ...record('a'), chain: 'c', previousHash: null })).toBe(known);
    expect(hashOf({ tool, hash: 'x', previousHash: null, chain: 'c', ...others })).toBe(known);
  });

  it('is intact when unchanged, even with several processes and restarts', async () => {
    const lines = await linesOf('aaabbbcbcbcc');
    expect(await verifyToolAudit(lines)).toEqual({
      isIntact: true,
      records: 12,
      tornLines: [],
      lastHashes: [hashAt(lines, -3), hashAt(lines, -1)],
    });
  });

  it('keeps the order of concurrent writes', async () => {
    const sink = new Lines();
    const chain = new AuditChain(sink, 5000);
    await Promise.all(Array.from({ length: 50 }, (_, at) => chain.write(record(`r${at}`))));
    expect(await verifyToolAudit(sink.lines)).toMatchObject({ isIntact: true, records: 50 });
    expect(sink.lines.map((line) => (JSON.parse(line) as ToolAuditRecord).id)).toEqual(
      Array.from({ length: 50 }, (_, at) => `r${at}`),
    );
  });

  it.each(['before', 'after'] as const)(
    'continues after a write that failed %s the record was there',
    async (outage) => {
      const sink = new Lines();
      const chain = new AuditChain(sink, 5000);
      await chain.write(record('a'));
      sink.outage = outage;
      await expect(chain.write(record('b'))).rejects.toThrow('The disk is full.');
      sink.outage = 'none';
      await chain.write(record('c'));
      await chain.write(record('d'));
      const records = outage === 'before' ? 3 : 4;
      expect(await verifyToolAudit(sink.lines)).toMatchObject({ isIntact: true, records });
    },
  );

  it('continues in another file', async () => {
    const first = await linesOf('aa');
    const sink = new Lines([...first]);
    const second = (await linesOf('bb', sink)).slice(2);
    const { lastHashes } = await verifyToolAudit(first);
    expect(await verifyToolAudit(second, { after: lastHashes })).toEqual({
      isIntact: true,
      records: 2,
      tornLines: [],
      lastHashes: [hashAt(second, -1)],
    });
    expect(await verifyToolAudit(second)).toMatchObject({ isIntact: false, problem: { line: 1, id: 'b0' } });
  });
});

describe('an incomplete line after a crash', () => {
  it('is no record and does not break the chain', async () => {
    const lines = await linesOf('aab');
    const torn = [lines[0]!, lines[1]!, lines[1]!.slice(0, 40), lines[2]!, lines[2]!.slice(0, 9), ''];
    expect(await verifyToolAudit(torn)).toMatchObject({ isIntact: true, records: 3, tornLines: [3, 5] });
  });
});

describe('a changed audit', () => {
  it.each<[string, (lines: string[]) => string[], number, string]>([
    ['a value', (lines) => lines.with(2, lines[2]!.replace('\\"amount\\":5', '\\"amount\\":9')), 3, 'It was changed.'],
    [
      'a key that is there twice',
      (lines) => lines.with(2, lines[2]!.replace('"tool"', '"tool":"read","tool"')),
      3,
      'It was changed.',
    ],
    [
      'a value inside of a value',
      (lines) => lines.with(2, lines[2]!.replace('"pay"', '['.repeat(50_000) + ']'.repeat(50_000))),
      3,
      'It was changed.',
    ],
    ['a record is removed', (lines) => lines.toSpliced(2, 1), 3, 'The previous record is missing or was changed.'],
    ['the first records are removed', (lines) => lines.slice(2), 1, 'The previous record is missing or was changed.'],
    [
      'a record is torn',
      (lines) => lines.with(2, lines[2]!.slice(0, 50)),
      4,
      'The previous record is missing or was changed.',
    ],
    [
      'a record is there twice',
      (lines) => lines.toSpliced(3, 0, lines[2]!),
      4,
      'The previous record is missing or was changed.',
    ],
    [
      'two records have changed places',
      (lines) => lines.with(1, lines[2]!).with(2, lines[1]!),
      2,
      'The previous record is missing or was changed.',
    ],
    [
      'a record was put in',
      (lines) => lines.toSpliced(2, 0, JSON.stringify(record('new'))),
      3,
      'It has no hash: it was written without a hash chain, or inserted.',
    ],
    [
      'a record was changed with its hash',
      (lines) => lines.with(2, rehashed(lines[2]!)),
      4,
      'The previous record is missing or was changed.',
    ],
    ['the end of one process', (lines) => lines.toSpliced(3, 1), 4, 'The previous record is missing or was changed.'],
  ])('names the first record that does not fit: %s', async (_what, change, line, text) => {
    const lines = await linesOf('aaaabb');
    expect(await verifyToolAudit(change(lines))).toMatchObject({ isIntact: false, problem: { line, text } });
  });
});

function rehashed(line: string): string {
  const changed = { ...(JSON.parse(line) as ToolAuditRecord), tool: 'read' };
  return JSON.stringify({ ...changed, hash: hashOf(changed) });
}
