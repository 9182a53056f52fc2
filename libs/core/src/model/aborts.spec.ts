import { getEventListeners, getMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { ChatClient } from '../client/chat-client.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import type { ToolContext } from './tool-context.js';
import { onAbort, untilAborted } from './aborts.js';

/** Whether Node.js would report the listeners of a signal as a leak. */
function isTakenForLeak(signal: AbortSignal): boolean {
  return getEventListeners(signal, 'abort').length > getMaxListeners(signal);
}

describe("a caller's signal", () => {
  const requests = Array.from({ length: 50 });

  it.each([true, false])(
    'may be shared by many requests, which all remove their listeners (with a loop: %s)',
    async (internalToolExecutionEnabled) => {
      const { signal } = new AbortController();
      const model = new ScriptedChatModel(requests.map(() => ({ text: 'Hello', delay: 5 })));
      const client = clientOf(model).mutate().defaultOptions({ signal, internalToolExecutionEnabled }).build();
      const answers = Promise.all(requests.map((_, at) => bothWays[at % 2]![1](client)));
      await new Promise(setImmediate);
      expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(10);
      expect(isTakenForLeak(signal)).toBe(false);
      await answers;
      await new Promise(setImmediate);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    },
  );

  it('may come from a polyfill', async () => {
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      reason: undefined as unknown,
      throwIfAborted: () => undefined,
      addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
    };
    const waiting = untilAborted(signal as unknown as AbortSignal, new Promise(() => undefined));
    signal.reason = new Error('enough');
    for (const listener of listeners) listener();
    await expect(waiting).rejects.toThrow('enough');
  });
});

it.each([
  ['of the turn', {}],
  ['of a call with a timeout', { timeout: 10_000 }],
])('the signal %s accepts many listeners', async (_whose, policies) => {
  const signals: AbortSignal[] = [];
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const tools = names.map(
    (name) =>
      new FunctionToolCallback({
        name,
        toolMetadata: { returnDirect: false, ...policies },
        async *toolFunction(_input: unknown, { signal }: ToolContext) {
          signals.push(signal);
          const releases = Array.from({ length: 11 }, () => onAbort(signal, () => undefined));
          yield 1;
          await new Promise(setImmediate);
          expect(isTakenForLeak(signal)).toBe(false);
          for (const release of releases) release();
          yield 2;
        },
      }),
  );
  const model = new ScriptedChatModel([{ toolCalls: names.map((name) => toolCall(name)) }, 'Done']);
  expect(await ChatClient.create(model).prompt('Go').tools(tools).call().content()).toBe('Done');
  expect(model.toolResponses).toEqual(names.map(() => '2'));
  expect(signals).toHaveLength(6);
});
