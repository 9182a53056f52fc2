import { describe, expect, it, jest } from '@jest/globals';
import { PartialType } from '@nestjs/mapped-types';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsDateString,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { JsonSchemaGenerator, Tool, ToolCallbacks } from '@nestor-ai/core';
import { isDto } from '../schema/class-description.js';
import { CLASS_TYPES, type ClassTypesFactory, type PropertyTypes } from './class-types.js';

const typesOf = (
  properties: Record<string, PropertyTypes>,
  classes: ReturnType<ClassTypesFactory>['classes'] = [],
) => ({
  version: 1 as const,
  sources: {},
  properties,
  classes,
});
const DATE = { type: 'string', format: 'date-time' };

class Item {
  @IsInt() @Min(1) amount!: number;
}

class Order {
  static [CLASS_TYPES]() {
    const tree = { type: 'object', properties: { sub: { $ref: '#/$defs/Tree' }, item: { $ref: 'class:0' } } };
    return typesOf(
      {
        id: { description: 'The number', schema: { type: 'number' } },
        note: { description: 'typed', schema: { type: 'string', description: 'typed' } },
        tags: { description: 'Words', schema: { type: 'array', items: { type: 'string' }, description: 'Words' } },
        items: { schema: { type: 'array', items: { $ref: 'class:0' } }, revive: { array: { class: 0 } } },
        when: { schema: { anyOf: [DATE, { type: 'number' }] }, revive: { kinds: { string: 'date' } } },
        days: { schema: { type: 'object', additionalProperties: DATE }, revive: { map: 'date' } },
        seen: { schema: { type: 'array', items: DATE }, revive: { set: 'date' } },
        tree: {
          schema: { $ref: '#/$defs/Tree', $defs: { Tree: tree } },
          revive: { ref: 'Tree' },
          revives: { Tree: { object: { sub: { ref: 'Tree' }, item: { class: 0 } } } },
        },
        plain: { schema: { type: 'string' } },
      },
      [() => Item],
    );
  }
  @IsString() id!: string;
  @ToolParam({ description: 'mine' }) note!: string;
  @IsArray() @ArrayMaxSize(2) tags!: string[];
  @ValidateNested({ each: true }) items!: Item[];
  @ToolParam() when!: Date | number;
  @ToolParam({ required: false }) days?: Map<string, Date>;
  @ToolParam({ required: false }) seen?: Set<Date>;
  @IsOptional() @IsObject() @ToolParam({ required: false }) anything?: object;
  @ToolParam({ required: false }) tree?: unknown;
  plain = 'not an input';
}

class Tools {
  given: Order | undefined;
  @Tool() place(order: Order) {
    this.given = order;
  }
}
const call = async (input: object) => {
  const tools = new Tools();
  await ToolCallbacks.from(tools)[0]!.call(JSON.stringify(input));
  return tools.given!;
};

describe('the properties of a class with decorators', () => {
  const valid = { id: 'a', note: 'n', tags: ['x'], items: [{ amount: 1 }], when: 5 };

  it('take from types what decorators and reflection leave open', () => {
    const item = { type: 'object', properties: { amount: { minimum: 1 } }, required: ['amount'] };
    const { properties, required, $defs } = JsonSchemaGenerator.generateForType(Order);
    expect(properties).toMatchObject({
      id: { type: 'string', description: 'The number' },
      note: { type: 'string', description: 'mine' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 2, description: 'Words' },
      items: { type: 'array', items: item },
      when: { anyOf: [DATE, { type: 'number' }] },
      days: { type: 'object', additionalProperties: DATE },
      seen: { type: 'array', items: DATE },
      anything: { type: 'object' },
      tree: { $ref: '#/$defs/Order.tree' },
    });
    expect(properties).not.toHaveProperty('plain');
    expect(required).toEqual(['id', 'tags', 'items', 'note', 'when']);
    expect($defs).toMatchObject({
      'Order.tree': {
        $ref: '#/$defs/Order.tree/$defs/Tree',
        $defs: { Tree: { properties: { sub: { $ref: '#/$defs/Order.tree/$defs/Tree' }, item } } },
      },
    });
  });

  it('are converted as the types say', async () => {
    const order = await call({
      ...valid,
      when: '2030-01-01',
      days: { a: '2030-01-01' },
      seen: ['2030-01-01'],
      tree: { sub: { item: { amount: 2 } } },
    });
    const date = new Date('2030-01-01');
    expect(order.items[0]).toBeInstanceOf(Item);
    expect(order).toMatchObject({ when: date, days: new Map([['a', date]]), seen: new Set([date]) });
    expect((order.tree as { sub: { item: unknown } }).sub.item).toBeInstanceOf(Item);
    expect((await call(valid)).when).toBe(5);
  });

  it.each([
    [{ tags: [1] }, /tags\[0\]/],
    [{ tags: ['a', 'b', 'c'] }, /tags must contain no more than 2/],
    [{ items: [{ amount: 0 }] }, /items\[0\]\.amount.*1/],
    [{ when: 'soon' }, /when/],
    [{ days: { a: 'soon' } }, /days/],
    [{ tree: { sub: { item: { amount: 0 } } } }, /amount/],
  ])('are validated: %j', async (change, message) => {
    await expect(call({ ...valid, ...change })).rejects.toThrow(message);
  });

  it('validate nested instances once', async () => {
    const error = await call({ ...valid, items: [{ amount: 0 }] }).catch(({ message }: Error) => message);
    expect(String(error).match(/must not be less than 1/g)).toHaveLength(1);
  });

  it('stop the bootstrap with the error of the types, or as before', () => {
    class Broken {
      static [CLASS_TYPES]() {
        return typesOf({ a: { error: 'src/broken.ts:3: no schema.' }, b: {} });
      }
      @IsArray() a!: symbol[];
    }
    class Unknown {
      static [CLASS_TYPES]() {
        return typesOf({ a: { description: 'only a comment' } });
      }
      @IsArray() a!: unknown[];
    }
    expect(() => JsonSchemaGenerator.generateForType(Broken)).toThrow(/^src\/broken\.ts:3: no schema\.$/);
    expect(() => JsonSchemaGenerator.generateForType(Unknown)).toThrow(/Property 'a' of Unknown is an array/);
  });

  it('stop the bootstrap if they name a class that needs arguments', () => {
    class Length {
      constructor(readonly of: string) {
        if (of.length === 0) throw new Error('empty');
      }
    }
    class Road {
      static [CLASS_TYPES]() {
        return typesOf({ a: { schema: { type: 'object' }, revive: { object: {}, instance: 0 } } }, [() => Length]);
      }
      @ToolParam() a!: Length;
    }
    expect(() => JsonSchemaGenerator.generateForType(Road)).toThrow(/^Length cannot be the input of a tool/);
  });

  it('do not hide contradictions of decorators', () => {
    class Contradiction {
      static [CLASS_TYPES]() {
        return typesOf({ a: { schema: { type: 'array', items: {} } } });
      }
      @ToolParam({ type: String }) a!: string[];
    }
    expect(() => JsonSchemaGenerator.generateForType(Contradiction)).toThrow(/declared type is not/);
  });

  it('have the types that decorators leave open, and what decorators say besides', async () => {
    const SIZES = { schema: { type: 'string', enum: ['small', 'large'] } };
    class Shirt {
      static [CLASS_TYPES]() {
        return typesOf({
          role: { ...SIZES, isOptional: true },
          size: SIZES,
          long: SIZES,
          some: SIZES,
          all: { schema: { type: 'array', items: SIZES.schema } },
          count: { schema: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
          note: { schema: { type: ['string', 'null'] }, isOptional: true },
          text: { schema: { type: ['string', 'null'] } },
          free: { schema: { type: ['string', 'null'] }, isOptional: true },
          other: { schema: { type: 'number', const: 1 } },
          at: { schema: DATE, revive: 'date' },
          site: { schema: { type: 'string', format: 'uri' }, revive: 'url' },
        });
      }
      @IsOptional() role?: 'small' | 'large';
      @ApiProperty() size!: 'small' | 'large';
      @IsNotEmpty() long!: 'small' | 'large';
      @IsIn(['large', 'huge']) some!: 'small' | 'large';
      @IsString({ each: true }) all!: ('small' | 'large')[];
      @IsInt() @Min(1) count!: number | string;
      @IsOptional() @IsString() note?: string | null;
      @IsString() text!: string | null;
      @ToolParam() free?: string | null;
      @ToolParam({ schema: { const: 2 } }) other!: 1;
      @IsDateString() at!: Date;
      @IsUrl() site!: URL;
    }
    const { properties, required } = JsonSchemaGenerator.generateForType(Shirt);
    expect(properties).toEqual({
      role: SIZES.schema,
      size: SIZES.schema,
      long: { ...SIZES.schema, minLength: 1 },
      some: { type: 'string', enum: ['large'] },
      all: { type: 'array', items: SIZES.schema },
      count: { type: 'integer', minimum: 1 },
      note: { type: ['string', 'null'] },
      text: { type: 'string' },
      free: { type: ['string', 'null'] },
      other: { const: 2 },
      at: DATE,
      site: { type: 'string', format: 'uri' },
    });
    expect(Object.keys(properties as object).filter((name) => !(required as string[]).includes(name))).toEqual([
      'role',
      'note',
      'free',
    ]);
    class Shop {
      @Tool() buy({ at, site, free }: Shirt) {
        return [typeof at, typeof site, free].join();
      }
    }
    const given = { size: 'small', long: 'large', some: 'large', all: [], count: 1, text: '', other: 2 };
    const [buy] = ToolCallbacks.from(new Shop());
    expect(await buy!.call(JSON.stringify({ ...given, at: '2030-01-01', site: 'https://a.com', free: null }))).toBe(
      'string,string,',
    );
    await expect(buy!.call(JSON.stringify({ ...given, role: 'root' }))).rejects.toThrow(/role/);
  });

  it('have the types of the class that a mapped type is made of', () => {
    class Post {
      @IsNotEmpty() state!: 'draft' | 'done';
      @IsArray() tags!: { name: string }[];
      @ToolParam({ description: 'Who wrote it', required: true }) author!: string;
    }
    class Patch extends PartialType(Post) {
      static [CLASS_TYPES]() {
        return typesOf(
          {
            state: { description: 'Its state', schema: { enum: ['draft', 'done'] }, isOptional: true },
            tags: { schema: { type: 'array', items: { type: 'object' } }, isOptional: true },
            author: { schema: { type: 'string' }, isOptional: true, paramOf: 0 },
          },
          [() => Post],
        );
      }
    }
    expect(JsonSchemaGenerator.generateForType(Patch)).toMatchObject({
      properties: {
        state: { enum: ['draft', 'done'], description: 'Its state' },
        tags: { type: 'array', items: { type: 'object' } },
        author: { type: 'string', description: 'Who wrote it' },
      },
      required: [],
    });
  });

  it('limit the typed items by decorators', () => {
    class Words {
      static [CLASS_TYPES]() {
        return typesOf({ list: { schema: { type: 'array', items: { enum: ['a', 'bb'] } } } });
      }
      @IsArray() @MaxLength(1, { each: true }) list!: ('a' | 'bb')[];
    }
    expect(JsonSchemaGenerator.generateForType(Words).properties).toMatchObject({ list: { items: { maxLength: 1 } } });
  });
});

describe('a class with types', () => {
  it('is no input class without decorators', () => {
    class Bare {
      static [CLASS_TYPES]() {
        return typesOf({ a: { schema: { type: 'string' } } });
      }
      a!: string;
    }
    expect(isDto(Bare)).toBe(false);
  });

  it('is read once', () => {
    const factory = jest.fn(() => typesOf({ a: { schema: { type: 'array', items: { type: 'string' } } } }));
    class Once {
      @IsArray() a!: string[];
    }
    Object.defineProperty(Once, CLASS_TYPES, { value: factory });
    for (let n = 0; n < 3; n++) JsonSchemaGenerator.generateForType(Once);
    expect(factory).toHaveBeenCalledTimes(1);
  });
});
