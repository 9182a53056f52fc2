import { Writable, type WritableOptions } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
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

it('a record fails, and not the process, when nothing reads standard output any more', async () => {
  const write: WritableOptions['write'] = (_chunk, _encoding, done) => done(new Error('EPIPE'));
  const stdout = new Writable({ write });
  jest.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as typeof process.stdout);
  await expect(new ConsoleToolAuditSink().write({} as ToolAuditRecord)).rejects.toThrow('EPIPE');
  // A stream emits its error after the callback.
  await setImmediate();
  expect(stdout.listenerCount('error')).toBe(0);
});
