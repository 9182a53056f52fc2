import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { EMPTY, interval, NEVER, Observable, of, throwError } from 'rxjs';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ChatClient } from '../client/chat-client.js';
import type { ToolContext } from '../model/tool-context.js';
import { ToolResult } from '../model/tool-result.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';

type Resolve = (value: unknown) => void;

function refuse(): never {
  throw new Error('do not look');
}

/** An object with one property that the linter would refuse in a literal. */
const having = (key: PropertyKey, value: unknown): object => Object.defineProperty({}, key, { get: () => value });
const throwing = (key: PropertyKey, object: object = {}): object => Object.defineProperty(object, key, { get: refuse });

const revoked = (target: object = {}): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

/** An iterable whose iterator has these methods. */
const iterable = (iterator: object): object => ({ [Symbol.asyncIterator]: () => iterator });
const deaf = {
  next: async () => ({ done: false, value: 1 }),
  return: async () => ({ done: false, value: 1 }),
};
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/** Results of hostile tools. Each must be answered, and no turn may end or hang. */
const HOSTILE: [what: string, give: (context: ToolContext) => unknown][] = [
  ['a getter that throws', () => throwing('a', { b: 1 })],
  ['a toJSON that throws', () => ({ toJSON: refuse })],
  [
    'a toJSON that gives itself',
    () => {
      const value = { toJSON: () => value };
      return value;
    },
  ],
  ['a toJSON getter that throws', () => throwing('toJSON')],
  [
    'a proxy that refuses all',
    () => new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
  ],
  ['a revoked proxy', () => revoked()],
  ['a revoked list', () => revoked([])],
  [
    'a proxy with endless keys',
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => Array.from({ length: 20_000 }, (_, at) => `k${at}`),
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
        },
      ),
  ],
  ['a cycle', () => cyclic],
  [
    'a cycle in a Map',
    () => {
      const map = new Map<string, unknown>();
      map.set('self', map);
      return map;
    },
  ],
  [
    'a Map with itself as a key',
    () => {
      const map = new Map<unknown, unknown>();
      map.set(map, 1);
      return map;
    },
  ],
  ['a deep list', () => nested(5000)],
  ['a very deep list', () => nested(100_000)],
  [
    'a list of lists of itself',
    () => {
      const list: unknown[] = [];
      for (let at = 0; at < 30; at++) list.push([list, list]);
      return list;
    },
  ],
  ['a long text', () => 'x'.repeat(20_000_000)],
  ['a long list', () => Array.from({ length: 500_000 }, (_, at) => at)],
  [
    'a sparse list',
    () => {
      const list: unknown[] = [];
      list[50_000_000] = 1;
      return list.length;
    },
  ],
  ['a large buffer', () => new Uint8Array(5_000_000)],
  ['a symbol', () => Symbol('s')],
  ['a function', () => refuse],
  ['a class', () => ToolResult],
  ['a BigInt', () => 1n],
  ['NaN', () => Number.NaN],
  ['minus zero', () => -0],
  ['an invalid date', () => new Date(Number.NaN)],
  ['half a character', () => '\ud800'],
  ['an object without a prototype', () => Object.assign(Object.create(null) as object, { a: 1 })],
  ['a key that is __proto__', () => JSON.parse('{"__proto__":{"a":1}}') as unknown],
  ['a wrapped text', () => Object('text') as unknown],
  ['a WeakMap', () => new WeakMap()],
  ['a regular expression', () => /x/g],
  ['an Error', () => new Error('given, not thrown')],
  ['a ToolResult without a text', () => new ToolResult({ text: undefined as never })],
  ['a ToolResult whose text is an object', () => new ToolResult({ text: {} as never })],
  ['a ToolResult whose content is none', () => new ToolResult({ text: 'a', content: 'b' as never })],
  ['the shape of a ToolResult that throws', () => throwing('text', { [Symbol.for('nestor.ToolResult')]: true })],
  ['a thenable that never answers', () => having('then', () => undefined)],
  ['a thenable that throws', () => having('then', refuse)],
  ['a then getter that throws', () => throwing('then')],
  [
    'a thenable that answers twice',
    () =>
      having('then', (resolve: Resolve) => {
        resolve('one');
        resolve('two');
      }),
  ],
  [
    'a thenable that answers and throws',
    () =>
      having('then', (resolve: Resolve) => {
        resolve('one');
        refuse();
      }),
  ],
  [
    'a thenable of a thenable',
    () => having('then', (resolve: Resolve) => resolve(having('then', (inner: Resolve) => inner('deep')))),
  ],
  ['a promise that never answers', () => new Promise(() => undefined)],
  ['a promise that rejects with nothing', () => Promise.reject(undefined as unknown as Error)],
  [
    'a generator that never waits',
    async function* () {
      for (let at = 0; ; at++) yield at;
    },
  ],
  ['an iterator that never waits and does not end when it is closed', () => iterable(deaf)],
  [
    'a generator that never gives',
    async function* () {
      await new Promise(() => undefined);
      yield 1;
    },
  ],
  ['a generator that gives nothing', async function* () {}],
  [
    'a generator that throws when it is closed',
    async function* () {
      try {
        for (;;) yield 1;
      } finally {
        refuse();
      }
    },
  ],
  [
    'a generator that throws',
    async function* () {
      yield 1;
      refuse();
    },
  ],
  ['an iterator without next', () => iterable({})],
  ['an iterator whose next throws', () => iterable({ next: refuse })],
  ['an iterator that never ends and has no return', () => iterable({ next: async () => ({ done: false, value: 1 }) })],
  ['an iterator that gives no promise', () => iterable({ next: () => ({ done: false, value: 1 }) })],
  ['an iterator that gives nothing', () => iterable({ next: async () => undefined })],
  [
    'an iterator that hangs when it is closed',
    () => iterable({ next: async () => ({ done: false, value: 1 }), return: () => new Promise(() => undefined) }),
  ],
  ['an asyncIterator that is no function', () => ({ [Symbol.asyncIterator]: 5 })],
  ['an asyncIterator getter that throws', () => throwing(Symbol.asyncIterator)],
  ['a stream of Node.js that waits', () => new Readable({ read() {} })],
  [
    'a stream of Node.js that fails',
    () =>
      new Readable({
        read() {
          this.destroy(new Error('broken pipe'));
        },
      }),
  ],
  ['an Observable that never ends', () => NEVER],
  ['an Observable that ticks for ever', () => interval(1)],
  ['an Observable of nothing', () => EMPTY],
  ['an Observable that fails', () => throwError(() => revoked())],
  ['an Observable whose teardown throws', () => new Observable(() => refuse)],
  ['an Observable of Observables', () => of(of(1))],
  ['the context itself', (context) => context],
  ['the turn', ({ turn }) => turn],
  ['the global object', () => globalThis],
  ['a getter of a large value', () => having('a', cyclic)],
];

describe(`each of ${HOSTILE.length} tools that mean no good`, () => {
  it.each(HOSTILE)('is answered, and the turn goes on: %s', async (_what, give) => {
    const tool = new FunctionToolCallback({
      name: 'hostile',
      toolMetadata: { returnDirect: false, timeout: 200, concurrencyKey: 'one' },
      toolFunction: (_input, context) => give(context),
    });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('hostile')] }, 'Sorry.']);
    const advisor = new ToolCallingAdvisor({ toolCallingManager: new DefaultToolCallingManager() });
    const events: string[] = [];
    const request = ChatClient.create(model).prompt('Go').tools(tool).advisors(advisor);
    for await (const { type } of request.stream().events()) events.push(type);
    expect(events.at(-1)).toBe('finish');
    expect(model.toolResponses).toEqual([expect.any(String)]);
    expect(model.toolResponses[0]!.length).toBeLessThan(100_100);
  });
});
