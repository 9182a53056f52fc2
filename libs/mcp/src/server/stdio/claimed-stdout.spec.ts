import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ClaimedStdout } from './claimed-stdout.js';

describe('the claimed standard output', () => {
  const written: string[] = [];
  const { stdout, stderr } = process;
  const original = { stdout: stdout.write, stderr: stderr.write };
  const writeTo = (name: string) =>
    ((chunk: string, done?: () => void) => {
      written.push(`${name}: ${chunk}`);
      done?.();
      return true;
    }) as typeof stdout.write;
  afterEach(() => {
    written.length = 0;
    stdout.write = original.stdout;
    stderr.write = original.stderr;
    jest.restoreAllMocks();
  });

  it('only takes the protocol, until it is released', () => {
    stdout.write = writeTo('out');
    stderr.write = writeTo('err');
    const claimed = new ClaimedStdout();
    stdout.write('log');
    claimed.write('message');
    claimed.release();
    stdout.write('later');
    expect(written).toEqual(['err: log', 'out: message', 'out: later']);
  });

  it('reports that the client has left', async () => {
    stdout.write = ((_chunk: string, done: (error: Error) => void) => done(new Error('EPIPE'))) as typeof stdout.write;
    const claimed = new ClaimedStdout();
    const failed = new Promise<Error>((resolve) => claimed.on('error', resolve));
    claimed.write('message');
    claimed.release();
    expect((await failed).message).toBe('EPIPE');
  });
});
