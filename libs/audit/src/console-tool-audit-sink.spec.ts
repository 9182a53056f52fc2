import { afterEach, expect, it, jest } from '@jest/globals';
import { ConsoleToolAuditSink } from './console-tool-audit-sink.js';
import type { ToolAuditRecord } from './tool-audit-record.js';

type Write = (text: string, done: (error?: Error) => void) => boolean;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Replaces the write function of standard output. */
const redirect = (write: Write) =>
  jest.spyOn(process.stdout, 'write').mockImplementation(write as typeof process.stdout.write);

it('a record is a line of JSON on standard output', async () => {
  const lines: string[] = [];
  redirect((text, done) => {
    lines.push(text);
    done();
    return true;
  });
  await new ConsoleToolAuditSink().write({ id: 'a', arguments: 'two\nlines' } as ToolAuditRecord);
  expect(lines).toEqual(['{"id":"a","arguments":"two\\nlines"}\n']);
});

it('a record fails when nothing reads standard output any more', async () => {
  redirect((_text, done) => {
    done(new Error('EPIPE'));
    return false;
  });
  await expect(new ConsoleToolAuditSink().write({} as ToolAuditRecord)).rejects.toThrow('EPIPE');
});
