import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import type { ToolInputException } from './tool-input.js';

const toolOf = (inputSchema: JsonSchema, name = 'tool') =>
  new FunctionToolCallback({ name, inputSchema, toolFunction: (input) => input });

/** Typical schemas of real servers and catalogues, rewritten for these tests. */
const FIELD: [what: string, schema: JsonSchema, fits: object, wrong: object, message: RegExp][] = [
  [
    'draft 07, with its dialect and a title',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'search_arguments',
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', default: 10, minimum: 1 } },
      required: ['query'],
      additionalProperties: false,
    },
    { query: 'a', limit: 2 },
    { query: 'a', limit: 0, more: 1 },
    /'more' is not an argument.*'limit' must be >= 1|'limit' must be >= 1.*'more' is not an argument/s,
  ],
  [
    'draft 04 limits, without saying so',
    {
      type: 'object',
      properties: {
        pages: {
          anyOf: [
            { type: 'array', items: { type: 'integer', minimum: 0, exclusiveMinimum: true } },
            { type: 'string' },
          ],
        },
        share: { type: 'number', maximum: 1, exclusiveMaximum: false },
      },
    },
    { pages: [1], share: 1 },
    { pages: [0], share: 2 },
    /'share' must be <= 1/,
  ],
  [
    'draft 2019-09',
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      dependentRequired: { a: ['b'] },
    },
    { a: 'x', b: 'y' },
    { a: 'x' },
    /must have property b when property a is present/,
  ],
  [
    'draft 2020-12 with prefixItems and $defs',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false } },
      properties: { at: { $ref: '#/$defs/point' } },
    },
    { at: [1, 2] },
    { at: [1, 2, 3] },
    /'at' must NOT have more than 2 items/,
  ],
  [
    'references to definitions, and recursion',
    {
      type: 'object',
      definitions: {
        node: { type: 'object', properties: { next: { $ref: '#/definitions/node' }, n: { type: 'integer' } } },
      },
      properties: { root: { $ref: '#/definitions/node' } },
    },
    { root: { next: { next: { n: 1 } } } },
    { root: { next: { next: { n: 'x' } } } },
    /'root\.next\.next\.n' must be integer/,
  ],
  [
    'a reference to the whole',
    { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'integer' } } },
    { next: { n: 1 } },
    { next: { next: { n: 'x' } } },
    /'next\.next\.n' must be integer/,
  ],
  [
    'null among the types, formats nobody knows, and keywords of OpenAPI',
    {
      type: 'object',
      properties: {
        sort: { type: ['string', 'null'], format: 'sort-order' },
        size: { type: 'number', nullable: true, example: 5, format: 'double' },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
      },
      required: [],
    },
    { sort: null, size: null, tags: ['a'] },
    { sort: 5, tags: ['c'] },
    /'sort' must be string,null.*'tags\[0\]' must be one of "a", "b"/s,
  ],
  [
    'patterns that are no Unicode patterns',
    { type: 'object', properties: { date: { type: 'string', pattern: String.raw`^\d{4}\-\d{2}\-\d{2}$` } } },
    { date: '2030-01-01' },
    { date: '2030/01/01' },
    /'date' must match pattern/,
  ],
  [
    'the names of properties',
    { type: 'object', properties: { prices: { type: 'object', propertyNames: { enum: ['tea', 'milk'] } } } },
    { prices: { tea: 1 } },
    { prices: { tea: 1, wine: 2 } },
    /: 'prices\.wine' is not an argument of this tool\. Correct/,
  ],
  ['no type and no properties at all', {}, { anything: 1 }, [] as object, /./],
  [
    'true for whatever',
    { type: 'object', properties: { any: true, none: {} } },
    { any: [1], none: {} },
    [] as object,
    /./,
  ],
];

describe('a JSON Schema from outside', () => {
  it.each(FIELD)('is sent to the model unchanged, and enforced: %s', async (_what, schema, fits, wrong, message) => {
    const tool = toolOf(schema);
    tool.verify();
    expect(tool.toolDefinition.inputSchema).toEqual(schema);
    expect(await tool.call(JSON.stringify(fits))).toBe(JSON.stringify(fits));
    if (!Array.isArray(wrong)) await expect(tool.call(JSON.stringify(wrong))).rejects.toThrow(message);
  });

  const BROKEN: [what: string, schema: unknown][] = [
    ['a type that there is not', { type: 'dict', properties: { a: { type: 'string' } } }],
    ['one further in', { type: 'object', properties: { a: { type: 'array', items: { type: 'float' } } } }],
    ['`any`', { type: 'object', properties: { a: { type: 'any' } } }],
    ['`tuple`', { type: 'object', properties: { a: { type: 'tuple', items: { type: 'integer' } } } }],
    ['no object', { type: 'array', items: { type: 'string' } }],
    ['required as a boolean', { type: 'object', properties: { a: { type: 'string', required: true } } }],
    ['an enum that is none', { type: 'object', properties: { a: { enum: 'x' } } }],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
    ['asynchronous', { $async: true, type: 'object' }],
    ['a schema that contains itself', cyclic()],
  ];

  function cyclic(): unknown {
    const schema: Record<string, unknown> = { type: 'object', properties: {} };
    (schema.properties as Record<string, unknown>).self = schema;
    return schema;
  }

  it.each(BROKEN)('fails the request that uses it, with the name of the tool: %s', async (_what, schema) => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('fine', {})] }, 'done']);
    const [broken, fine] = [toolOf(schema as JsonSchema, 'broken_tool'), toolOf({ type: 'object' }, 'fine')];
    const client = ChatClient.create(model);
    await expect(client.prompt('Go').tools(broken, fine).call().content()).rejects.toThrow(
      /^The tool 'broken_tool' cannot be offered to a model: /,
    );
    expect(model.prompts).toHaveLength(0);
    expect(await client.prompt('Go').tools(fine).call().content()).toBe('done');
  });
});

describe('a value that is of none of its types', () => {
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  it.each([
    [[{ type: 'string' }, { type: 'number' }, { type: 'null' }], {}, "'x' must be string or number or null"],
    [[{ enum: ['a', 'b'] }, { type: 'number' }], true, `'x' must be one of "a", "b" or number`],
    [[named, { type: 'string' }], 5, "'x' must be object or string"],
    [[named, { type: 'string' }], {}, "'x.name' is required"],
    [[{ type: 'array', items: { type: 'string' } }, { type: 'string' }], [1], "'x[0]' must be string"],
    [[{ type: 'string', minLength: 3 }, { type: 'number' }], 'a', "'x' must NOT have fewer than 3 characters"],
  ])('has one issue: %j %j', async (anyOf, x, message) => {
    const tool = toolOf({ type: 'object', properties: { x: { anyOf } } });
    const { cause } = (await tool.call(JSON.stringify({ x })).catch((error: Error) => error)) as Error;
    expect((cause as ToolInputException).issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe('a list of 80,000 invalid items', () => {
  const alternatives = ['a', 'b'].map((kind) => ({
    type: 'object',
    properties: { kind: { const: kind }, size: { type: 'integer' } },
    required: ['kind', 'size'],
  }));

  it.each([
    ['of one type', { type: 'integer' }, 'x', 1],
    ['of alternatives', { anyOf: alternatives }, { kind: 'a', size: 'x' }, 5],
  ])('is refused with its first violations: %s', async (_what, items, item, errorsOfEach) => {
    const tool = toolOf({ type: 'object', properties: { items: { type: 'array', items } } });
    const text = JSON.stringify({ items: Array.from({ length: 80_000 }, () => item) });
    const { cause } = (await tool.call(text).catch((error: Error) => error)) as Error;
    const { issues, count, message } = cause as ToolInputException;
    expect(issues.length).toBeLessThanOrEqual(100);
    expect(issues[1]!.message).toMatch(/^'items\[1\](\.size)?' must be integer$/);
    expect(count).toBeGreaterThan(75_000);
    expect(count).toBeLessThanOrEqual(80_000 * errorsOfEach);
    expect(message.length).toBeLessThan(2000);
    expect(message).toContain(`; and ${count - 20} more.`);
  });
});
