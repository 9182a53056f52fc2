import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { type ChatClient, type ChatClientRequestSpec, Tool } from '@nestor-ai/core';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { createCache } from 'cache-manager';
import { callOf, resultOf, type Scene, startApplication } from '../nest/application.js';

/** A value that shows nothing of what it holds. */
class Secretive {
  readonly #tenant: string;
  constructor(tenant: string) {
    this.#tenant = tenant;
  }
  get tenant() {
    return this.#tenant;
  }
}
class Roles extends Set<string> {
  readonly #tenant: string;
  constructor(tenant: string) {
    super(['admin']);
    this.#tenant = tenant;
  }
  get tenant() {
    return this.#tenant;
  }
}
const inheriting = (tenant: string) =>
  Object.create(Object.assign(Object.create(null) as object, { tenant })) as object;

/** Makes the same kind of value for two tenants. */
const KINDS: [kind: string, make: (tenant: string) => unknown][] = [
  ['a Map', (tenant) => new Map([['tenant', tenant]])],
  ['a Set', (tenant) => new Set([tenant])],
  ['a Map in a Map', (tenant) => new Map([['a', new Map([['tenant', tenant]])]])],
  ['a Date', (tenant) => new Date(tenant.length)],
  ['a BigInt', (tenant) => BigInt(tenant.length)],
  ['a URL', (tenant) => new URL(`https://${tenant}.example`)],
  ['bytes', (tenant) => new TextEncoder().encode(tenant)],
  ['a Buffer', (tenant) => Buffer.from(tenant)],
  ['an ArrayBuffer', (tenant) => new ArrayBuffer(tenant.length)],
  ['numbers that JSON does not have', (tenant) => (tenant.length > 5 ? Number.NaN : Number.POSITIVE_INFINITY)],
  ['a number and its text', (tenant) => (tenant.length > 5 ? 1n : '1n')],
  ['undefined in a list', (tenant) => [tenant.length > 5 ? undefined : null]],
];

/** What is equal to itself only. */
const OPAQUE: [kind: string, make: (tenant: string) => unknown][] = [
  ['an instance of a class', (tenant) => new Secretive(tenant)],
  ['an instance of a class that extends a Set', (tenant) => new Roles(tenant)],
  ['an object that inherits its values', inheriting],
  ['a function', (tenant) => () => tenant],
  ['a symbol', (tenant) => Symbol(tenant)],
];

const TENANTS = ['acme', 'umbrella'] as const;

type Request = (client: ChatClient, value: unknown) => ChatClientRequestSpec;
const REQUESTS: [where: string, Request][] = [
  ['its options', (client, value) => client.prompt('Q').options({ providerOptions: { own: { value } } })],
  [
    'the metadata of its message',
    (client, value) => client.prompt().user((user) => user.text('Q').metadata({ value: [value] })),
  ],
];

@Injectable()
class Reports {
  runs = 0;

  /** The results of each test are its own: they have its number as an argument. */
  @Tool({ cacheTtl: 60_000 }) report(_test: number) {
    return `run ${++this.runs}`;
  }
}

/** What the model answers in a test. */
let script: ScriptEntry[] = [];
const model = new ScriptedChatModel((prompt) => {
  const entry = script.shift() ?? 'too many requests';
  return typeof entry === 'function' ? entry(prompt) : entry;
});
let scene: Scene;
beforeAll(async () => {
  scene = { ...(await startApplication({ providers: [Reports] }, [], { chatModel: model })), model };
});

/** What two requests are answered that differ in one value. */
async function answers(request: Request, values: readonly unknown[]): Promise<(string | undefined)[]> {
  script = ['for acme', 'for umbrella'];
  const cached = scene.client
    .mutate()
    .defaultAdvisors(new ResponseCacheAdvisor({ cache: createCache() }))
    .build();
  const given: (string | undefined)[] = [];
  for (const value of values) given.push(await request(cached, value).call().content());
  return given;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(REQUESTS)('the kept response of a request that differs from another in %s', (_where, request) => {
  it.each(KINDS)('is not given to the other: %s', async (_kind, make) => {
    expect(await answers(request, TENANTS.map(make))).toEqual(['for acme', 'for umbrella']);
  });

  it.each(KINDS)('is given to an equal one: %s', async (_kind, make) => {
    expect(await answers(request, [make('acme'), make('acme')])).toEqual(['for acme', 'for acme']);
  });

  it.each(OPAQUE)(
    'does not exist where nobody can tell whether they are equal, and the log says so: %s',
    async (_kind, make) => {
      const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      expect(await answers(request, TENANTS.map(make))).toEqual(['for acme', 'for umbrella']);
      expect(warned.mock.calls[0]?.[0]).toMatch(
        /cannot be compared by its content\. Leave it out, or set the option 'key' of ResponseCacheAdvisor/,
      );
    },
  );
});

describe('the kept result of a tool', () => {
  let tests = 0;

  /** What a tool with a cache gives to callers with these values in their tool contexts: which of its runs they see. */
  async function runsFor(
    values: readonly unknown[],
    before: (at: number) => void = () => undefined,
  ): Promise<string[]> {
    tests++;
    scene.app.get(Reports).runs = 0;
    script = values.flatMap(() => callOf('report', { _test: tests }));
    const results: string[] = [];
    for (const [at, value] of values.entries()) {
      before(at);
      await scene.client.prompt('Go').toolContext({ value }).call().content();
      results.push(resultOf(scene));
    }
    return results;
  }

  it.each([...KINDS, ...OPAQUE])('is not given to a caller whose context differs: %s', async (_kind, make) => {
    expect(await runsFor(TENANTS.map(make))).toEqual(['run 1', 'run 2']);
  });

  it.each(KINDS)('is given to a caller whose context is equal: %s', async (_kind, make) => {
    expect(await runsFor([make('acme'), make('acme')])).toEqual(['run 1', 'run 1']);
  });

  it('is not given to a caller whose context has changed since', async () => {
    const roles = new Map([['role', 'admin']]);
    expect(await runsFor([roles, roles], (at) => roles.set('role', `role ${at}`))).toEqual(['run 1', 'run 2']);
  });
});
