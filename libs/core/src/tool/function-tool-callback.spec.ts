import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { IsString } from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { ToolContext } from '../model/tool-context.js';
import { FunctionToolCallback } from './function-tool-callback.js';
import type { ToolExecutionException } from './tool-execution.exception.js';

class Input {
  @IsString() city!: string;
}

describe('FunctionToolCallback', () => {
  it.each([
    ['Zod', z.object({ city: z.string() })],
    ['ArkType', type({ city: 'string' })],
    ['Valibot', toStandardJsonSchema(v.object({ city: v.string() }))],
  ])('accepts a schema of %s: describes and validates the input', async (_name, inputSchema) => {
    const tool = new FunctionToolCallback<{ city: string }>({
      name: 'currentWeather',
      inputSchema: inputSchema as never,
      toolFunction: ({ city }, context) => `${city} ${context.get<string>('unit')}`,
    });
    expect(tool.toolDefinition).toMatchObject({
      name: 'currentWeather',
      description: 'current weather',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    });
    expect(await tool.call('{"city":"Rome"}', new ToolContext({ unit: 'C' }))).toBe('Rome C');
    await expect(tool.call('{"city":5}')).rejects.toThrow(/Invalid arguments: .*city/);
  });

  it('needs a function', () => {
    expect(() => new FunctionToolCallback({ name: 'look' } as never)).toThrow("The tool 'look' needs a toolFunction.");
  });

  it('accepts a class as the input type', async () => {
    const tool = new FunctionToolCallback({
      name: 'a',
      inputType: Input,
      toolFunction: (input) => input instanceof Input,
    });
    expect(await tool.call('{"city":"Rome"}')).toBe('true');
  });

  it('takes no input if it declares none', async () => {
    const tool = new FunctionToolCallback({ name: 'now', toolFunction: () => undefined });
    expect(tool.toolDefinition.inputSchema).toMatchObject({ properties: {}, required: [] });
    expect(await tool.call('')).toBe('Done');
  });

  it('accepts null as input, which models send if they have no arguments', async () => {
    const tool = new FunctionToolCallback({ name: 'now', toolFunction: () => 1 });
    await expect(tool.call('null')).rejects.toThrow(/must be a JSON object/);
  });

  it('reports an invalid schema when it is about to be offered, not when it is created', () => {
    const tool = new FunctionToolCallback({
      name: 'broken',
      inputSchema: { type: 'strin' },
      toolFunction: () => 1,
    });
    expect(() => tool.verify()).toThrow(/must have type "object", but has "strin"/);
    const nested = { type: 'object', properties: { a: { type: 'strin' } } };
    const other = new FunctionToolCallback({ name: 'broken', inputSchema: nested, toolFunction: () => 1 });
    expect(() => other.verify()).toThrow(/schema is invalid/);
  });

  it('enforces a JSON Schema of any draft, even if another tool has one with the same $id', async () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'same', type: 'object', required: ['a'] };
    const draft2020 = {
      $id: 'same',
      type: 'object',
      $defs: { n: { type: 'number' } },
      properties: { b: { $ref: '#/$defs/n' } },
    };
    const make = (inputSchema: Record<string, unknown>) =>
      new FunctionToolCallback({ name: 'x', inputSchema, toolFunction: () => 1 });
    for (const schema of [draft7, draft2020, { ...draft2020 }]) make(schema).verify();
    await expect(make(draft7).call('{}')).rejects.toThrow("'a' is required");
    await expect(make(draft2020).call('{"b":"x"}')).rejects.toThrow("'b' must be number");
  });

  it('names the required library version for a schema without JSON Schema support', () => {
    const old = { '~standard': { version: 1, vendor: 'valibot', validate: () => ({ value: 1 }) } };
    expect(() =>
      new FunctionToolCallback({ name: 'a', inputSchema: old as never, toolFunction: () => 1 }).verify(),
    ).toThrow(/toStandardJsonSchema\(\) of @valibot\/to-json-schema/);
  });

  it('names the remedy for a schema that JSON Schema cannot express', () => {
    const inputSchema = z.object({ at: z.date() });
    expect(() => new FunctionToolCallback({ name: 'a', inputSchema, toolFunction: () => 1 }).verify()).toThrow(
      /'zod' cannot be expressed as JSON Schema.*ISO string/s,
    );
  });

  it('passes the context, and wraps an error of the function as a tool failure, once', async () => {
    const context = new ToolContext({ user: 'ada' });
    let received: unknown;
    const tool = new FunctionToolCallback({
      name: 'fail',
      toolFunction: (_input, given) => {
        received = given;
        throw new RangeError('no');
      },
    });
    const error: ToolExecutionException = await tool.call('{}', context).then(
      () => Promise.reject(new Error('It did not fail.')),
      (thrown) => thrown as ToolExecutionException,
    );
    expect(received).toBe(context);
    expect(error).toMatchObject({ message: 'no', cause: expect.any(RangeError), toolDefinition: tool.toolDefinition });
    const again = tool.withFunction(() => {
      throw error;
    });
    await expect(again.call('{}')).rejects.toBe(error);
  });

  it('can be built fluently', async () => {
    const tool = FunctionToolCallback.builder<{ n: number }>()
      .name('twice')
      .description('Doubles')
      .inputSchema(z.object({ n: z.number() }))
      .toolFunction(({ n }) => n * 2)
      .build();
    expect(await tool.call('{"n":4}')).toBe('8');
  });
});

describe('a single value as the input', () => {
  it.each([
    [String, '{"input":"hello"}', 'hello'],
    [String, '"hello"', 'hello'],
    [String, '""', ''],
    [Number, '{"input":"5"}', 5],
    [Number, '5', 5],
    [Boolean, '{"input":"true"}', true],
    [Date, '"2030-01-01T00:00:00Z"', new Date('2030-01-01T00:00:00Z')],
  ])('is an object for the model and the bare value for the code: %p of %s', async (inputType, input, value) => {
    let received: unknown;
    const tool = new FunctionToolCallback({
      name: 'take',
      inputType: inputType as never,
      toolFunction: (given) => {
        received = given;
      },
    });
    expect(tool.toolDefinition.inputSchema).toMatchObject({ type: 'object', required: ['input'] });
    expect(await tool.call(input)).toBe('Done');
    expect(received).toEqual(value);
  });

  it('is refused if it has another type', async () => {
    const tool = new FunctionToolCallback({ name: 'take', inputType: Number, toolFunction: (n) => n });
    await expect(tool.call('{"input":"x"}')).rejects.toThrow(/'input' must be number/);
    await expect(tool.call('{"n":1}')).rejects.toThrow(/'input' is required/);
  });
});

describe('the class of a single value', () => {
  it('passes the value to the function, not its wrapper', async () => {
    const twice = new FunctionToolCallback({ name: 'a', inputType: Number, toolFunction: (n) => n * 2 });
    const declared = new FunctionToolCallback({ name: 'a', inputType: Number, toolFunction: (n: number) => n * 2 });
    const explicit = new FunctionToolCallback<number>({ name: 'a', inputType: Number, toolFunction: (n) => n * 2 });
    const negated = new FunctionToolCallback({ name: 'a', inputType: Boolean, toolFunction: (is): boolean => !is });
    const loud = new FunctionToolCallback({
      name: 'a',
      inputType: String,
      toolFunction: (text): string => text.toUpperCase(),
    });
    // @ts-expect-error -- a number is not a string
    const wrong = new FunctionToolCallback({ name: 'a', inputType: Number, toolFunction: (text: string) => text });
    expect(wrong.toolDefinition.inputSchema).toEqual(twice.toolDefinition.inputSchema);
    for (const tool of [twice, declared, explicit]) expect(await tool.call('{"input":2}')).toBe('4');
    expect(await negated.call('{"input":true}')).toBe('false');
    expect(await loud.call('{"input":"a"}')).toBe('A');
  });
});
