import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  ChatClient,
  ChatMemory,
  DefaultToolCallingManager,
  repairHistory,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Ordered,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import * as fc from 'fast-check';
import { type ChaosChunk, ChaosModel } from './chaos-model.js';

class Tools {
  @Tool()
  fine(text: string) {
    return `fine: ${text}`;
  }

  @Tool({ timeout: 5 })
  hangs() {
    return new Promise(() => undefined);
  }

  @Tool()
  throws() {
    throw new Error('no');
  }

  @Tool({ sequential: true })
  async sequential() {
    await Promise.resolve();
    return 'one at a time';
  }

  @Tool({ concurrencyKey: 'key', retry: { retries: 1, minDelay: 0, maxDelay: 1 } })
  async keyed() {
    await Promise.resolve();
    throw new Error('try again');
  }

  @Tool({ needsApproval: true })
  guarded() {
    return 'never without approval';
  }
}

const name = fc.constantFrom(
  'fine',
  'hangs',
  'throws',
  'sequential',
  'keyed',
  'guarded',
  'Fine',
  'functions.fine',
  'nope',
  '',
  '__proto__',
);
const args = fc.constantFrom(
  '{"text":"a"}',
  '{}',
  '',
  '{',
  'null',
  '[]',
  '"',
  '{"text":5}',
  '{"__proto__":{}}',
  '{"text":"a"} trailing',
);
const call = fc.record({
  id: fc.constantFrom('a', 'b', 'c', ''),
  name,
  arguments: args,
  index: fc.constantFrom(0, 1, 2),
});
const chunk: fc.Arbitrary<ChaosChunk> = fc.record(
  {
    text: fc.constantFrom('', 'hello ', '```', '\u0000', '😀'),
    toolCalls: fc.array(call, { maxLength: 3 }),
    finishReason: fc.constantFrom('stop', 'tool-calls', 'length', 'nonsense'),
    isBroken: fc.constant(false),
  },
  { requiredKeys: [] },
);
const broken: fc.Arbitrary<ChaosChunk> = fc.constant({ isBroken: true });
const round = fc.array(fc.oneof({ weight: 12, arbitrary: chunk }, { weight: 1, arbitrary: broken }), { maxLength: 5 });
const scene = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  isStreamed: fc.boolean(),
  isMemoryInside: fc.boolean(),
  /** After how many steps of the event loop the caller gives up; undefined: never. */
  patience: fc.option(fc.nat(25), { nil: undefined }),
  leaves: fc.constantFrom('signal', 'unsubscribe'),
});

const unhandled: unknown[] = [];
const note = (reason: unknown): number => unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

/** The timers that the code under test has set and not cleared. Those of Jest are not its business. */
const timers = new Set<unknown>();
const playing = new AsyncLocalStorage<true>();
// In one process, Jest sets a timer for each text that is logged.
beforeAll(() => Logger.overrideLogger(false));
const { setTimeout: set, clearTimeout: clear } = globalThis;
beforeAll(() => {
  globalThis.setTimeout = ((run: (...given: unknown[]) => void, delay?: number, ...given: unknown[]) => {
    const timer = set(() => {
      timers.delete(timer);
      run(...given);
    }, delay);
    if (playing.getStore()) timers.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer);
    clear(timer);
  };
});
afterAll(() => {
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
});

const steps = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await (at % 3 === 2 ? new Promise(setImmediate) : Promise.resolve());
};

class GivenUp extends Error {}

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

async function play({ rounds, isStreamed, isMemoryInside, patience, leaves }: Scene): Promise<void> {
  const memory = new MessageWindowChatMemory({ maxMessages: 1000 });
  const toolCallingManager = new DefaultToolCallingManager({ limits: { maxTotalToolCalls: 20 } });
  const clientOf = (model: ChaosModel): ChatClient =>
    ChatClient.builder(model)
      .defaultTools(new Tools())
      .defaultAdvisors(
        new ToolCallingAdvisor({ maxRounds: 4, toolCallingManager }),
        new MessageChatMemoryAdvisor({
          chatMemory: memory,
          order: Ordered.HIGHEST_PRECEDENCE + (isMemoryInside ? 400 : 200),
        }),
        (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
  const caller = new AbortController();
  const spec = clientOf(new ChaosModel(rounds)).prompt('Go').options({ signal: caller.signal });

  const outcome = await new Promise<unknown>((resolve) => {
    const giveUp = (how: () => void): void => {
      if (patience !== undefined) void steps(patience).then(how);
    };
    if (isStreamed) {
      const subscription = spec
        .stream()
        .events()
        .subscribe({ error: resolve, complete: () => resolve(undefined) });
      giveUp(() => {
        if (leaves === 'signal') return caller.abort(new GivenUp());
        subscription.unsubscribe();
        resolve(new GivenUp());
      });
    } else {
      spec
        .call()
        .chatResponse()
        .then(() => resolve(undefined), resolve);
      giveUp(() => caller.abort(new GivenUp()));
    }
  });

  // Nothing but what the caller or the connection did ends a turn badly.
  if (outcome !== undefined && !(outcome instanceof GivenUp))
    expect(outcome).toMatchObject({ message: 'connection lost' });
  // The conversation is free, and holds whole turns.
  await clientOf(new ChaosModel([[{ text: 'Still here' }]]))
    .prompt('And?')
    .call()
    .content();
  const messages = await memory.get('c');
  expect(repairHistory(messages)).toBe(messages);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', text: 'Still here' });
  expect(messages[0]?.role).toBe('user');
  // Nothing is left behind.
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect([...timers]).toEqual([]);
}

describe('whatever a model sends, tools do, and callers leave', () => {
  it('a turn ends, its memory is whole, and nothing is left behind', async () => {
    const watched = (given: Scene): Promise<void> => playing.run(true, () => play(given));
    await fc.assert(fc.asyncProperty(scene, watched), { numRuns: 400 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
  }, 60_000);
});

describe('a model', () => {
  const client = (rounds: readonly (readonly ChaosChunk[])[], advisor = new ToolCallingAdvisor()): ChatClient =>
    ChatClient.builder(new ChaosModel(rounds)).defaultTools(new Tools()).defaultAdvisors(advisor).build();
  const fine = (id: string) => ({ id, name: 'fine', arguments: '{"text":"x"}' });

  it('that asks for 500 tools at once is held to the limit, and what ran is kept', async () => {
    const rounds = [[{ toolCalls: Array.from({ length: 500 }, (_, at) => fine(`c${at}`)) }]];
    const response = await client(rounds).prompt('Go').call().chatResponse();
    const { finishReason, partialToolResponses } = response!.result!.metadata!;
    expect(finishReason).toBe('toolCallLimitExceeded');
    expect(partialToolResponses).toHaveLength(40);
  });

  it.each([true, false])('that never stops is stopped (streamed: %s)', async (isStreamed) => {
    const spec = client([[{ toolCalls: [fine('a')] }]], new ToolCallingAdvisor({ maxRounds: 5 })).prompt('Go');
    if (!isStreamed) {
      const response = await spec.call().chatResponse();
      expect(response?.result?.metadata?.finishReason).toBe('maxRoundsExceeded');
      return;
    }
    const events = [];
    for await (const event of spec.stream().events()) events.push(event);
    expect(events.at(-1)).toEqual({ type: 'finish', finishReason: 'maxRoundsExceeded' });
  });

  it('that stops in the middle of a tool call gets an error result and goes on', async () => {
    const cut = [{ toolCalls: [{ ...fine('a'), arguments: '{"text": "x', index: 0 }] }];
    const chunks = [];
    for await (const text of client([cut, [{ text: 'Sorry' }]])
      .prompt('Go')
      .stream()
      .content())
      chunks.push(text);
    expect(chunks.join('')).toBe('Sorry');
  });

  it('is given 50 MB where a tool returns as much, and one character more is nobody’s problem', async () => {
    class Huge {
      @Tool()
      huge() {
        return 'x'.repeat(50 * 1024 * 1024);
      }
    }
    const model = new ChaosModel([[{ toolCalls: [{ id: 'a', name: 'huge', arguments: '{}' }] }], [{ text: 'Done' }]]);
    expect(await ChatClient.create(model).prompt('Go').tools(new Huge()).call().content()).toBe('Done');
  });
});
