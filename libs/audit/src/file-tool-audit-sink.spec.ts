import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { FileToolAuditSink } from './file-tool-audit-sink.js';
import type { ToolAuditRecord } from './tool-audit-record.js';

const root = mkdtempSync(join(tmpdir(), 'audit-'));
afterAll(() => rmSync(root, { recursive: true }));

let files = 0;
const newFile = () => join(root, `audit-${++files}.jsonl`);
const record = (id: string, more: Partial<ToolAuditRecord> = {}): ToolAuditRecord => ({
  id,
  time: '2030-01-01T00:00:00.000Z',
  event: 'tool-call-began',
  runId: 'run',
  turnId: 'turn',
  callId: 'call',
  tool: 'pay',
  ...more,
});
const idsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"id"'))
    .map((line) => (JSON.parse(line) as ToolAuditRecord).id);

describe('an audit file', () => {
  it('is only accessible to the user of the process', async () => {
    const [written, checked] = [newFile(), newFile()];
    await new FileToolAuditSink({ file: written }).write(record('a'));
    new FileToolAuditSink({ file: checked }).check();
    for (const file of [written, checked]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has records in order, from one process or several', async () => {
    const file = newFile();
    const sinks = [new FileToolAuditSink({ file }), new FileToolAuditSink({ file })];
    const ids = Array.from({ length: 300 }, (_, at) => `r${at}`);
    // Long enough to need several system writes.
    const text = 'x'.repeat(10_000);
    await Promise.all(ids.map((id, at) => sinks[at % 2]!.write(record(id, { arguments: text }))));
    const lines = idsOf(file);
    expect(lines.toSorted()).toEqual(ids.toSorted());
    for (const side of [0, 1]) {
      const isOwn = (id: string) => Number(id.slice(1)) % 2 === side;
      expect(lines.filter(isOwn)).toEqual(ids.filter(isOwn));
    }
  });

  it('has one line for each record, also while others write', async () => {
    const file = newFile();
    const text = 'x'.repeat(30_000);
    const writeAll = async (sink: FileToolAuditSink, name: string) => {
      for (let at = 0; at < 400; at++) await sink.write(record(`${name}${at}`, { arguments: text }));
    };
    await Promise.all(['a', 'b', 'c'].map((name) => writeAll(new FileToolAuditSink({ file }), name)));
    expect(readFileSync(file, 'utf8').split('\n').length - 1).toBe(1200);
    expect(idsOf(file)).toHaveLength(1200);
  });

  it('continues on a new line after an incomplete one', async () => {
    const file = newFile();
    writeFileSync(file, '{"id":"a"}\n{"id":"torn');
    await new FileToolAuditSink({ file }).write(record('b'));
    expect(readFileSync(file, 'utf8')).toBe(`{"id":"a"}\n{"id":"torn\n${JSON.stringify(record('b'))}\n`);
  });

  it('may be renamed while it is written', async () => {
    const file = newFile();
    const sink = new FileToolAuditSink({ file });
    await sink.write(record('a'));
    renameSync(file, `${file}.1`);
    await sink.write(record('b'));
    expect([idsOf(`${file}.1`), idsOf(file)]).toEqual([['a'], ['b']]);
  });

  it('only fails records while it cannot be written', async () => {
    const directory = join(root, 'later');
    const sink = new FileToolAuditSink({ file: join(directory, 'audit.jsonl') });
    const failures = await Promise.allSettled([sink.write(record('a')), sink.write(record('b'))]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    mkdirSync(directory);
    await sink.write(record('c'));
    expect(idsOf(sink.file)).toEqual(['c']);
  });
});

describe('the last hash of an audit file', () => {
  const lastHashOf = (text: string) => {
    const file = newFile();
    writeFileSync(file, text);
    return new FileToolAuditSink({ file }).lastHash();
  };

  it('is that of the last record, whatever a crash left after it', async () => {
    expect(await lastHashOf('{"hash":"a"}\n{"hash":"b"}\n{"ha')).toBe('b');
    expect(await lastHashOf('{"hash":"a"}\n{"hash":"b"}')).toBe('b');
    expect(await lastHashOf(`{"hash":"a"}\n{"hash":"b"}\n${'x'.repeat(1_000_000)}`)).toBe('b');
    expect(await lastHashOf(`{"hash":"a"}\n${JSON.stringify({ arguments: 'ü'.repeat(300_000), hash: 'b' })}\n`)).toBe(
      'b',
    );
  });

  it('is undefined if there is no record or the last one has none', async () => {
    expect(await lastHashOf('')).toBeUndefined();
    expect(await lastHashOf('x\n[1]\nnull\n')).toBeUndefined();
    expect(await lastHashOf('{"hash":"a"}\n{"id":"b"}\n')).toBeUndefined();
    expect(await new FileToolAuditSink({ file: newFile() }).lastHash()).toBeUndefined();
  });
});

describe('a file that cannot be written', () => {
  it.each([
    [
      'no directory',
      join(root, 'missing', 'audit.jsonl'),
      /there is no directory .*missing\. Create it, or change ai\.audit\.file/,
    ],
    ['a directory', root, /it is a directory/],
    ['a file in the place of its directory', join(import.meta.filename, 'audit.jsonl'), /there is no directory/],
    [
      'a path that the system refuses',
      join(root, 'x'.repeat(300)),
      /ENAMETOOLONG\. Allow the user of the process to read and write it/,
    ],
    ['a device', '/dev/null', /regular file: .* is not one/],
  ])('is refused: %s', (_what, file, text) => {
    expect(() => new FileToolAuditSink({ file }).check()).toThrow(text);
  });
});
