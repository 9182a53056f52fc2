import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type Provider } from '@nestjs/common';
import { ChatClient, FunctionToolCallback, type JsonSchema, toolProvider } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { askForResult, callOf, startApplication } from './application.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

const foreign = (name: string, inputSchema: JsonSchema) =>
  toolProvider(name, { inputSchema, useFactory: () => (input: unknown) => JSON.stringify(input) });

const orders = foreign('orders', {
  $schema: DRAFT_07,
  type: 'object',
  definitions: { limit: { type: 'integer', maximum: 10 } },
  properties: { limit: { $ref: '#/definitions/limit' }, note: {} },
});

/** What the tools of an application answer to calls, one after the other. */
async function answersOf(providers: Provider[], calls: [tool: string, input: object][]): Promise<string[]> {
  const scene = await startApplication(
    { providers },
    calls.flatMap(([tool, input]) => callOf(tool, input)),
  );
  const answers: string[] = [];
  for (const _call of calls) answers.push(await askForResult(scene));
  return answers;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('tools with schemas of other servers in one application', () => {
  const CLAIMS: [what: string, schema: JsonSchema][] = [
    ['a part of another schema', { $schema: DRAFT_07, properties: { note: { $id: 'tool:input#/definitions/limit' } } }],
    ['the metaschema of draft 07', { $schema: DRAFT_07, $id: DRAFT_07, properties: { a: { type: 'string' } } }],
    ['the metaschema of 2020-12', { $schema: DRAFT_2020, $id: DRAFT_2020, properties: { a: { type: 'string' } } }],
    ['another schema of the same id', { $id: 'https://a.io/s', $defs: { limit: { maximum: 99 } } }],
  ];

  it.each(CLAIMS)('hold each to its own schema, also where one claims to be %s', async (_what, schema) => {
    const own = { $id: 'https://a.io/s', $defs: { limit: { maximum: 5 } } };
    const answers = await answersOf(
      [
        foreign('claiming', { type: 'object', ...schema }),
        orders,
        foreign('own', { type: 'object', ...own, properties: { n: { $ref: 'https://a.io/s#/$defs/limit' } } }),
      ],
      [
        ['claiming', { a: 'x' }],
        ['orders', { limit: 500 }],
        ['own', { n: 6 }],
        ['orders', { limit: 5 }],
      ],
    );
    expect(answers).toEqual([
      '{"a":"x"}',
      expect.stringContaining("'limit' must be <= 10"),
      expect.stringContaining("'n' must be <= 5"),
      '{"limit":5}',
    ]);
  });

  const REFERENCES: [what: string, schema: JsonSchema][] = [
    ['an anchor', { $defs: { l: { $anchor: 'limit', maximum: 10 } }, properties: { n: { $ref: '#limit' } } }],
    ['an id within', { $defs: { l: { $id: 'limit', maximum: 10 } }, properties: { n: { $ref: 'limit' } } }],
    ['a pointer', { $defs: { l: { maximum: 10 } }, properties: { n: { $ref: '#/$defs/l' } } }],
  ];

  it.each(REFERENCES)('may refer to %s', async (_what, schema) => {
    const calls: [string, object][] = [
      ['tool', { n: 11 }],
      ['tool', { n: 10 }],
    ];
    expect(await answersOf([foreign('tool', { type: 'object', ...schema })], calls)).toEqual([
      expect.stringContaining("'n' must be <= 10"),
      '{"n":10}',
    ]);
  });

  it('may refer to themselves dynamically', async () => {
    const node = { $id: 'https://a.io/node', $dynamicAnchor: 'node', type: 'object' };
    const tree = foreign('tree', { ...node, properties: { n: { maximum: 10 }, next: { $dynamicRef: '#node' } } });
    const calls: [string, object][] = [
      ['tree', { next: { next: { n: 11 } } }],
      ['tree', { next: { next: { n: 10 } } }],
    ];
    expect(await answersOf([tree], calls)).toEqual([
      expect.stringContaining("'next.next.n' must be <= 10"),
      '{"next":{"next":{"n":10}}}',
    ]);
  });

  it('may take a schema as an argument', async () => {
    const properties = { form: { $ref: DRAFT_07 } };
    const create = foreign('create', { $schema: DRAFT_07, $id: 'https://a.io/create', type: 'object', properties });
    const calls: [string, object][] = [
      ['create', { form: { type: 'dict' } }],
      ['create', { form: { type: 'string' } }],
    ];
    expect(await answersOf([create], calls)).toEqual([
      expect.stringContaining("'form.type' must be"),
      '{"form":{"type":"string"}}',
    ]);
  });
});

describe('a schema that passes registration and cannot be compiled', () => {
  it('answers each call with an error that names the tool, and is logged once', async () => {
    const errors: string[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((text: unknown) => void errors.push(String(text)));
    const broken = foreign('broken', { type: 'object', properties: { a: { nullable: true } } });
    const calls: [string, object][] = [
      ['broken', { a: 'private' }],
      ['broken', { a: 'private' }],
      ['orders', { limit: 1 }],
    ];
    const text =
      'The tool \'broken\' cannot be called: its schema cannot be enforced ("nullable" cannot be used without "type")';
    expect(await answersOf([broken, orders], calls)).toEqual([text, text, '{"limit":1}']);
    expect(errors).toEqual([text]);
  });
});

describe('a tool that lives for one request', () => {
  it('takes with it what was compiled of its schema', async () => {
    const schemas: WeakRef<JsonSchema>[] = [];
    const ask = (user: number) => {
      const inputSchema = { type: 'object', description: `user ${user}`, properties: { n: { maximum: user } } };
      const tool = new FunctionToolCallback({ name: 'own', inputSchema, toolFunction: () => 'fine' });
      schemas.push(new WeakRef(tool.toolDefinition.inputSchema));
      const model = new ScriptedChatModel([{ toolCalls: [toolCall('own', { n: 0 })] }, 'done']);
      return ChatClient.create(model).prompt('Go').tools(tool).call().content();
    };
    for (let user = 0; user < 20; user++) expect(await ask(user)).toBe('done');
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    // What the last request used may still be at hand.
    expect(schemas.filter((schema) => schema.deref() !== undefined).length).toBeLessThan(5);
  });
});
