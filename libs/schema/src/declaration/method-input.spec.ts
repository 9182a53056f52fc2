import { describe, expect, it } from '@jest/globals';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import { ToolParam } from './tool-param.decorator.js';

const toolOf = (object: object, name?: string) =>
  ToolCallbacks.from(object).find(({ toolDefinition }) => name === undefined || toolDefinition.name === name)!;

enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

describe('the parameters of a method', () => {
  let received: unknown[];
  class Tools {
    @Tool() containers(
      @ToolParam({ type: [String] }) tags: Set<string>,
      @ToolParam({ type: { values: 'integer' } }) counts: Map<string, number>,
      @ToolParam({ type: { values: [Date] } }) days: Record<string, Date[]>,
      @ToolParam({ schema: { type: 'string', format: 'date' } }) day: Date,
    ) {
      received = [tags, counts, days, day];
    }
    @Tool() nullable(
      @ToolParam({ nullable: true, type: Date }) at: Date | null,
      @ToolParam({ nullable: true, type: Unit, required: false }) unit?: Unit | null,
    ) {
      received = [at, unit];
    }
    @Tool({ unknownArguments: 'strip' }) stripping(a: string) {
      received = [a];
    }
    @Tool({ unknownArguments: 'allow' }) allowing(a: string) {
      received = [a];
    }
  }
  const tools = new Tools();
  const properties = (name: string) => toolOf(tools, name).toolDefinition.inputSchema.properties;

  it('may be Sets, Maps, objects with values of one type, and dates of any format', async () => {
    const date = { type: 'string', format: 'date-time' };
    expect(properties('containers')).toEqual({
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      days: { type: 'object', additionalProperties: { type: 'array', items: date } },
      day: { type: 'string', format: 'date' },
    });
    const [first, second] = ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'];
    const input = { tags: ['a'], counts: { x: '1' }, days: { x: [first, second] }, day: '2030-01-01' };
    await toolOf(tools, 'containers').call(JSON.stringify(input));
    expect(received).toEqual([
      new Set(['a']),
      new Map([['x', 1]]),
      { x: [new Date(first!), new Date(second!)] },
      new Date('2030-01-01'),
    ]);
  });

  it('may be null if null is allowed', async () => {
    expect(properties('nullable')).toEqual({
      at: { type: ['string', 'null'], format: 'date-time' },
      unit: { enum: ['c', 'f', null] },
    });
    await toolOf(tools, 'nullable').call('{"at":null,"unit":null}');
    expect(received).toEqual([null, null]);
    await toolOf(tools, 'nullable').call('{"at":"2030-01-01T00:00:00Z"}');
    expect(received).toEqual([new Date('2030-01-01T00:00:00Z'), undefined]);
  });

  it('are the only ones, unless others are stripped or allowed', async () => {
    const schema = (name: string) => toolOf(tools, name).toolDefinition.inputSchema.additionalProperties;
    expect(schema('stripping')).toBe(false);
    expect(schema('allowing')).toBeUndefined();
    for (const name of ['stripping', 'allowing']) {
      await toolOf(tools, name).call('{"a":"x","b":1}');
      expect(received).toEqual(['x']);
    }
  });
});

describe('a parameter whose type JSON does not support', () => {
  it.each([
    ['id', /Parameter 'id' \(number 1\) of Ledger\.find\(\) is a bigint.*Declare a string.*BigInt\(text\)/s],
    ['key', /Parameter 'key' \(number 1\) of Keys\.find\(\) is a symbol.*Declare a string/s],
  ])('is refused with the remedy: %s', (name, message) => {
    class Ledger {
      @Tool() find(id: bigint) {
        return id;
      }
    }
    class Keys {
      @Tool() find(key: symbol) {
        return key;
      }
    }
    expect(() => toolOf(name === 'id' ? new Ledger() : new Keys()).toolDefinition).toThrow(message);
  });
});
