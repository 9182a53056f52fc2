import { describe, expect, it } from '@jest/globals';
import { Expose } from 'class-transformer';
import { ArrayNotEmpty, IsArray, IsDate, IsString, ValidateNested } from 'class-validator';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import {
  CLASS_TYPES,
  type ClassTypesFactory,
  type ParameterTypes,
  type PropertyTypes,
  type TypedRevive,
} from './class-types.js';

const DATE = { type: 'string', format: 'date-time' };
type Classes = ReturnType<ClassTypesFactory>['classes'];

/** What a tool with one typed parameter receives, or why its input is refused. */
async function receive(types: Omit<ParameterTypes, 'required'>, json: string, classes: Classes = []): Promise<unknown> {
  let given: unknown;
  class Tools {
    static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
      const methods = { run: { parameters: [{ name: 'a', required: true, ...types }] } };
      return { version: 1, sources: {}, methods, ...(classes && { classes }) };
    }
    @Tool() run(a: unknown) {
      given = a;
    }
  }
  const [callback] = ToolCallbacks.from(new Tools());
  try {
    await callback!.call(json);
    return given;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('input for a parameter with types', () => {
  const tree = {
    schema: { $ref: '#/$defs/T', $defs: { T: { type: 'object', properties: { s: { $ref: '#/$defs/T' }, at: DATE } } } },
    revive: { ref: 'T' },
    revives: { T: { object: { s: { ref: 'T' }, at: 'date' } } },
  } as const;

  it('may not be nested too deeply', async () => {
    const depth = 20_000;
    const json = `{"a":${'{"s":'.repeat(depth)}{}${'}'.repeat(depth)}}`;
    expect(await receive(tree, json)).toMatch(/nested too deeply/);
  });

  it('cannot change a prototype', async () => {
    const json = '{"a":{"__proto__":{"at":"2030-01-01","polluted":1},"s":{"__proto__":null}}}';
    const given = (await receive(tree, json)) as { s: object };
    expect([Object.getPrototypeOf(given), Object.getPrototypeOf(given.s)]).toEqual([
      Object.prototype,
      Object.prototype,
    ]);
    expect(given).not.toHaveProperty('polluted');
    const record = {
      schema: { type: 'object', additionalProperties: DATE },
      revive: { object: {}, values: 'date' },
    } as const;
    const made = (await receive(record, '{"a":{"__proto__":"2030-01-01"}}')) as object;
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });

  it('may have a name of Object.prototype', async () => {
    const text = { name: 'toString', schema: { type: 'string' } };
    expect(await receive(text, '{"toString":"x"}')).toBe('x');
    expect(await receive(text, '{}')).toMatch(/'toString' is required/);
  });

  it('may be one of several types', async () => {
    const types = {
      schema: { anyOf: [{ type: 'array', items: DATE }, DATE, { type: 'null' }] },
      revive: { kinds: { array: { set: 'date' }, string: 'date' } },
    } as const;
    const date = new Date('2030-01-01');
    expect(await receive(types, '{"a":["2030-01-01"]}')).toEqual(new Set([date]));
    expect(await receive(types, '{"a":"2030-01-01"}')).toEqual(date);
    expect(await receive(types, '{"a":null}')).toBeNull();
    expect(await receive(types, '{"a":["soon"]}')).toMatch(/a\[0\]/);
  });

  it('does not reach the tool if its class cannot be made', async () => {
    class Broken {
      set x(value: number) {
        throw new Error(`not ${value}`);
      }
    }
    const types = { schema: { type: 'object' }, revive: { object: {}, instance: 0 } } as const;
    expect(await receive(types, '{"a":{"x":1}}', [() => Broken])).toMatch(/'a' cannot be turned into Broken/);
  });

  it.each<[string, TypedRevive]>([
    ['the value', { object: {}, instance: 0 }],
    ['a part of it', { object: { at: { array: { object: {}, instance: 0 } } } }],
    ['a recursive type', { ref: 'T' }],
  ])('stops the bootstrap if the class of %s needs arguments', async (_what, revive) => {
    class Name {
      readonly upper: string;
      constructor(readonly text: string) {
        this.upper = text.toUpperCase();
      }
    }
    const revives = { T: { object: { next: { ref: 'T' } }, instance: 0 } } as const;
    const types = { schema: { type: 'object' }, revive, revives };
    await expect(receive(types, '{"a":{}}', [() => Name])).rejects.toThrow(
      /Name cannot be the input of a tool: it cannot be instantiated without arguments \(.*'toUpperCase'\)\)\. Let its/,
    );
  });

  it('may be JSON text inside of JSON', async () => {
    const types = { schema: { type: 'object', properties: { at: DATE } }, revive: { object: { at: 'date' } } } as const;
    expect(await receive(types, '{"a":"{\\"at\\":\\"2030-01-01\\"}"}')).toEqual({ at: new Date('2030-01-01') });
    expect(await receive(types, '{"a":{"at":null}}')).toEqual({});
  });

  it('follows references to names with special characters', async () => {
    const $ref = '#/$defs/Page%3CItem~1~01%3E';
    const schema = { $ref, $defs: { 'Page<Item/~1>': { type: 'object', properties: { at: DATE, next: { $ref } } } } };
    const revives = { Page: { object: { at: 'date', next: { ref: 'Page' } } } } as const;
    const given = await receive({ schema, revive: { ref: 'Page' }, revives }, '{"a":{"next":{"at":"2030-01-01"}}}');
    expect(given).toEqual({ next: { at: new Date('2030-01-01') } });
  });
});

describe('a class whose properties have no emitted types', () => {
  class Item {
    @IsString() name!: string;
  }
  class Event {
    static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
      const properties: Record<string, PropertyTypes> = {
        tags: { schema: { type: 'array', items: { type: 'string' } }, revive: { set: null } },
        item: { schema: { $ref: 'class:0' }, revive: { class: 0 } },
        items: { schema: { type: 'array', items: { $ref: 'class:0' } }, revive: { array: { class: 0 } } },
        days: { schema: { type: 'object', additionalProperties: DATE }, revive: { map: 'date' } },
        at: { schema: DATE, revive: 'date' },
      };
      return { version: 1, sources: {}, properties, classes: [() => Item] };
    }
    @IsString({ each: true }) tags!: Set<string>;
    @ValidateNested() item!: Item;
    @IsArray() @ArrayNotEmpty() @ValidateNested({ each: true }) items!: Item[];
    @ToolParam() @Expose({ name: 'all_days' }) days!: Map<string, Date>;
    @IsDate() at!: Date;
  }
  for (const name of ['tags', 'item', 'items', 'days', 'at']) {
    Reflect.deleteMetadata('design:type', Event.prototype, name);
  }

  it('is converted and validated as if it had them', async () => {
    const valid = {
      tags: ['a'],
      item: { name: 'x' },
      items: [{ name: 'y' }],
      all_days: { a: '2030-01-01' },
      at: '2030-01-01',
    };
    const types = { schema: { type: 'array', items: { $ref: 'class:0' } }, revive: { array: { class: 0 } } } as const;
    const [event] = (await receive(types, JSON.stringify({ a: [valid] }), [() => Event])) as [Event];
    expect(event).toBeInstanceOf(Event);
    expect(event).toMatchObject({ tags: new Set(['a']), at: new Date('2030-01-01') });
    expect(event.days).toEqual(new Map([['a', new Date('2030-01-01')]]));
    expect([event.item, event.items[0]]).toEqual([expect.any(Item), expect.any(Item)]);
    const refused = await receive(types, JSON.stringify({ a: [{ ...valid, items: [{ name: 5 }] }] }), [() => Event]);
    expect(refused).toMatch(/a\[0\]\.items\[0\]\.name/);
  });
});
