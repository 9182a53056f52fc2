import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { RunningTurns } from './running-turns.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a tool that continues after its turn was aborted', () => {
  const ways: [string, (turns: RunningTurns, tool: Promise<unknown>) => void][] = [
    ['a call that was given up', (turns, tool) => turns.callEnded(turns.callBegan(tool), tool, true)],
    [
      'code whose signal was aborted',
      (turns, tool) => {
        const call = new AbortController();
        turns.addTool(tool, call.signal);
        call.abort(new Error('The caller has left.'));
      },
    ],
  ];

  it.each(ways)('delays the shutdown: %s', async (_way, abandon) => {
    const turns = new RunningTurns();
    let end!: () => void;
    const tool = new Promise<void>((resolve) => (end = resolve));
    abandon(turns, tool);
    const closing = turns.close(10_000);
    end();
    expect(await closing).toBe(0);
  });

  it.each(ways)('is reported if it still runs: %s', async (_way, abandon) => {
    const turns = new RunningTurns();
    const tool = new Promise(() => undefined);
    abandon(turns, tool);
    expect(await turns.close(5)).toBe(1);
    await Promise.race([tool, undefined]);
  });

  it.each(ways)('can be garbage-collected if it can never end: %s', async (_way, abandon) => {
    const turns = new RunningTurns();
    const makeTool = (): WeakRef<Promise<unknown>> => {
      const tool = new Promise(() => undefined);
      abandon(turns, tool);
      return new WeakRef(tool);
    };
    const tool = makeTool();
    for (let times = 0; times < 10 && tool.deref(); times++) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    expect(tool.deref()).toBeUndefined();
    expect(await turns.close(10_000)).toBe(0);
  });
});
