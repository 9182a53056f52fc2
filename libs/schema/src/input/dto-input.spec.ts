import { describe, expect, it } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsMimeType,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  MinDate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { FunctionToolCallback } from '@nestor-ai/core';
import type { Type as ClassType } from '../type.js';
import { DtoInput } from './dto-input.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const propertiesOf = (type: ClassType): Record<string, JsonSchema> =>
  schemaOf(type).properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

enum Color {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low,
  High,
}

class Limits {
  @IsEmail() email!: string;
  @IsUrl() url!: string;
  @IsUUID() id!: string;
  @IsIP(4) ip!: string;
  @IsDateString() day!: string;
  @Length(2, 5) code!: string;
  @Matches(/^[a-z]+$/) slug!: string;
  @Contains('a.b') text!: string;
  @IsMimeType() mime!: string;
  @IsNumber() @Min(1) @Max(9) some!: number;
  @IsInt() @IsPositive() many!: number;
  @IsEnum(Color) color!: Color;
  @IsEnum(Level) level!: Level;
  @IsIn([1, 2, 'x']) choice!: unknown;
  @Equals('v1') version!: string;
  @IsBoolean() flag!: boolean;
  @IsString({ each: true }) @ArrayMinSize(1) @ArrayMaxSize(3) @ArrayUnique() tags!: string[];
  @IsEnum(Color, { each: true }) colors!: Color[];
  @MinDate(new Date('2030-01-01')) @IsDate() from!: Date;
  @ToolParam({ type: [Color], required: false }) declared?: Color[];
}

describe('the schema of a class', () => {
  it('has the types, formats and limits of class-validator', () => {
    expect(propertiesOf(Limits)).toEqual({
      email: { type: 'string', format: 'email' },
      url: { type: 'string', format: 'uri' },
      id: { type: 'string', format: 'uuid' },
      ip: { type: 'string', format: 'ipv4' },
      day: { type: 'string', format: 'date-time' },
      code: { type: 'string', minLength: 2, maxLength: 5 },
      slug: { type: 'string', pattern: '^[a-z]+$' },
      text: { type: 'string', pattern: String.raw`a\.b` },
      mime: { type: 'string' },
      some: { type: 'number', minimum: 1, maximum: 9 },
      many: { type: 'integer', exclusiveMinimum: 0 },
      color: { type: 'string', enum: ['red', 'blue'] },
      level: { type: 'number', enum: [0, 1] },
      choice: { enum: [1, 2, 'x'] },
      version: { const: 'v1' },
      flag: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, uniqueItems: true },
      colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
      from: { type: 'string', format: 'date-time', description: 'At or after 2030-01-01T00:00:00.000Z' },
      declared: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
    });
    expect(schemaOf(Limits)).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schemaOf(Limits).required).toHaveLength(19);
  });

  it('is generated once', () => {
    expect(schemaOf(Limits)).toBe(schemaOf(Limits));
  });

  class Base {
    @IsString() @Length(1, 10) name!: string;
    @IsOptional() @IsInt() age?: number;
  }
  class Derived extends Base {
    @Length(5, 6) override name = 'short';
    @IsBoolean() own!: boolean;
  }

  it('includes inherited properties; its own override them', () => {
    expect(schemaOf(Derived)).toMatchObject({
      properties: {
        name: { type: 'string', minLength: 5, maxLength: 6, default: 'short' },
        own: { type: 'boolean' },
        age: { type: 'integer' },
      },
      required: ['own'],
    });
  });

  class Defaults {
    @IsInt() count = 3;
    @IsString({ each: true }) tags: string[] = ['a'];
    @IsDate() since = new Date();
    @ToolParam({ type: { values: Number } }) prices: Record<string, number> = {};
    @IsOptional() @IsString() note: string | null = null;
  }

  it('contains default values, which make a property optional', async () => {
    expect(schemaOf(Defaults).required).toEqual([]);
    expect(propertiesOf(Defaults)).toMatchObject({
      count: { default: 3 },
      tags: { default: ['a'] },
      prices: { default: {} },
    });
    expect(propertiesOf(Defaults).since).not.toHaveProperty('default');
    expect(await parse(Defaults, { tags: ['b'] })).toMatchObject({ count: 3, tags: ['b'], prices: {}, note: null });
  });
});

describe('properties that may be missing or null', () => {
  class Change {
    @IsOptional() @IsString() note?: string;
    @ValidateIf((_, value) => value !== null) @IsString() title!: string | null;
    @ValidateIf((change: Change) => change.kind === 'text') @IsString() text?: string;
    @ToolParam({ required: false }) @IsString() kind?: string;
    @ToolParam({ nullable: true }) @IsInt() size!: number | null;
    @ToolParam({ nullable: true, required: false }) @IsEnum(Color) color?: Color | null;
  }
  const valid = { title: 'a', size: 1 };

  it('are distinguished in the schema', () => {
    expect(schemaOf(Change).required).toEqual(['title', 'size']);
    expect(propertiesOf(Change)).toMatchObject({
      note: { type: 'string' },
      title: { type: ['string', 'null'] },
      text: { type: 'string' },
      kind: { type: 'string' },
      size: { type: ['integer', 'null'] },
      color: { enum: ['red', 'blue', null] },
    });
  });

  it('can be set to null if null is allowed; otherwise null means missing', async () => {
    const change = await parse(Change, { title: null, size: null, color: null, note: null });
    expect(change).toMatchObject({ title: null, size: null, color: null });
    expect('note' in change && change.note !== undefined).toBe(false);
  });

  it('may be missing if optional, unless a condition requires them', async () => {
    expect(await parse(Change, valid)).toMatchObject(valid);
    await expect(parse(Change, { ...valid, kind: 'text' })).rejects.toThrow(/text must be a string/);
    await expect(parse(Change, { ...valid, size: '5', kind: 7 })).rejects.toThrow(/kind must be a string/);
    await expect(parse(Change, { size: 1 })).rejects.toThrow(/title/);
  });
});

it('a value that is missing is told once, in the words of the class if it has some', async () => {
  class Booking {
    @IsString() @Length(2, 40) city!: string;
    @IsArray() @ArrayMinSize(1) @IsString({ each: true }) guests!: string[];
    @IsDate() @Type(() => Date) from!: Date;
    @IsString({ message: 'say who pays' }) payer!: string;
  }
  const issues = await parse(Booking, {}).catch((error: Error) => error.message);
  expect(issues).toBe(
    "Invalid arguments: 'city' is required; 'guests' is required; 'from' is required; say who pays. " +
      'Correct the arguments and call the tool again.',
  );
});

describe('the conversion of a property by class-transformer', () => {
  class Item {
    @IsString() sku!: string;
  }
  class Order {
    @Expose({ name: 'customer_name' }) @IsString() customer!: string;
    @Exclude() @IsString() secret!: string;
    @Exclude({ toPlainOnly: true }) @IsString() token!: string;
    @Expose({ name: 'line_items' }) @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
    @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
    @IsString()
    note!: string;
  }
  const order = { customer_name: 'Ada', token: 't', line_items: [{ sku: 'x' }], note: ' hi ' };

  it('is part of the schema', () => {
    expect(Object.keys(propertiesOf(Order))).toEqual(['customer_name', 'token', 'line_items', 'note']);
    expect(schemaOf(Order).required).toEqual(['customer_name', 'token', 'line_items', 'note']);
  });

  it('is applied to the arguments', async () => {
    const parsed = await parse(Order, order);
    expect(parsed).toMatchObject({ customer: 'Ada', token: 't', note: 'hi' });
    expect(parsed.items[0]).toBeInstanceOf(Item);
  });

  it('uses JSON names in violations', async () => {
    const wrong = parse(Order, { ...order, customer_name: 5, line_items: [{ sku: 1 }], secret: 'mine' });
    await expect(wrong).rejects.toThrow(/customer_name: customer must be a string/);
    await expect(wrong).rejects.toThrow(/line_items\[0\]\.sku: sku must be a string/);
    await expect(wrong).rejects.toThrow(/'secret' is not an argument of this tool/);
  });

  @Exclude()
  class Closed {
    @Expose() @IsString() open!: string;
    @IsOptional() @IsString() closed?: string;
  }

  it('may remove everything that is not exposed', async () => {
    expect(Object.keys(propertiesOf(Closed))).toEqual(['open']);
    expect(await parse(Closed, { open: 'x' })).toEqual({ open: 'x' });
  });
});

describe('one of several classes', () => {
  abstract class Shape {}
  class Circle extends Shape {
    @IsNumber() radius!: number;
  }
  class Group extends Shape {
    @ValidateNested({ each: true })
    @Type(() => Shape, {
      discriminator: {
        property: 'kind',
        subTypes: [
          { value: Circle, name: 'circle' },
          { value: Group, name: 'group' },
        ],
      },
    })
    shapes!: Shape[];
  }
  class Drawing {
    @ValidateNested()
    @Type(() => Shape, {
      discriminator: {
        property: 'kind',
        subTypes: [
          { value: Circle, name: 'circle' },
          { value: Group, name: 'group' },
        ],
      },
    })
    root!: Shape;
  }

  it('is chosen by the value of a property, also in recursive classes', () => {
    const circle = {
      type: 'object',
      properties: { radius: { type: 'number' }, kind: { const: 'circle' } },
      required: ['kind', 'radius'],
      additionalProperties: false,
    };
    const group = { $ref: '#/$defs/Group.group' };
    expect(schemaOf(Drawing)).toEqual({
      type: 'object',
      $defs: {
        'Group.group': {
          type: 'object',
          properties: {
            shapes: { type: 'array', items: { anyOf: [circle, group] } },
            kind: { const: 'group' },
          },
          required: ['kind', 'shapes'],
          additionalProperties: false,
        },
      },
      properties: { root: { anyOf: [circle, group] } },
      required: ['root'],
      additionalProperties: false,
    });
    expect(Object.keys(schemaOf(Drawing))).toEqual(['type', '$defs', 'properties', 'required', 'additionalProperties']);
  });

  it('is converted to an instance of that class', async () => {
    const drawing = await parse(Drawing, {
      root: {
        kind: 'group',
        shapes: [
          { kind: 'circle', radius: '2' },
          { kind: 'group', shapes: [] },
        ],
      },
    });
    const group = drawing.root as Group;
    expect(group).toBeInstanceOf(Group);
    expect(group.shapes[0]).toBeInstanceOf(Circle);
    expect(group.shapes[0]).toEqual({ radius: 2 });
    expect(group.shapes[1]).toBeInstanceOf(Group);
  });

  it.each([
    [{ kind: 'square' }, /'root\.kind' must be one of "circle", "group"/],
    [{ kind: 'circle' }, /^Invalid arguments: 'root\.radius' is required\. [^;]*$/],
    [{ kind: 'circle', radius: 'far' }, /root\.radius/],
    [{ radius: 2 }, /'root\.kind' must be one of "circle", "group"/],
    [null, /root/],
  ])('is refused if it matches none: %j', async (root, message) => {
    await expect(parse(Drawing, { root })).rejects.toThrow(message);
  });
});

describe('maps and sets', () => {
  class Item {
    @IsString() sku!: string;
  }
  class Stock {
    @IsNumber({}, { each: true }) @Type(() => Number) counts!: Map<string, number>;
    @ValidateNested({ each: true }) @Type(() => Item) items!: Map<string, Item>;
    @IsString({ each: true }) tags!: Set<string>;
    @ToolParam({ type: { values: 'integer' } }) ages!: Map<string, number>;
    @ToolParam({ type: { values: Item } }) plain!: Record<string, Item>;
    @ToolParam({ type: [Date] }) days!: Set<Date>;
  }
  const stock = {
    counts: { a: '1' },
    items: { x: { sku: 's' } },
    tags: ['t'],
    ages: { ada: '36' },
    plain: { y: { sku: 'p' } },
    days: ['2030-01-01T00:00:00Z'],
  };
  const item = {
    type: 'object',
    properties: { sku: { type: 'string' } },
    required: ['sku'],
    additionalProperties: false,
  };

  it('are objects and arrays for the model', () => {
    expect(propertiesOf(Stock)).toEqual({
      counts: { type: 'object', additionalProperties: { type: 'number' } },
      items: { type: 'object', additionalProperties: item },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ages: { type: 'object', additionalProperties: { type: 'integer' } },
      plain: { type: 'object', additionalProperties: item },
      days: { type: 'array', items: { type: 'string', format: 'date-time' }, uniqueItems: true },
    });
  });

  it('are converted to the types of the class', async () => {
    const parsed = await parse(Stock, stock);
    expect(parsed.counts).toEqual(new Map([['a', 1]]));
    expect(parsed.items.get('x')).toBeInstanceOf(Item);
    expect(parsed.tags).toEqual(new Set(['t']));
    expect(parsed.ages).toEqual(new Map([['ada', 36]]));
    expect(parsed.plain.y).toBeInstanceOf(Item);
    expect(parsed.days).toEqual(new Set([new Date('2030-01-01T00:00:00Z')]));
  });

  it.each([
    [{ counts: { a: 'x' } }, /counts/],
    [{ items: { x: {} } }, /'items\.x\.sku' is required|items\.x\.sku/],
    [{ ages: { ada: 1.5 } }, /'ages\.ada' must be integer/],
    [{ days: ['soon'] }, /days\[0\]/],
    [{ tags: ['t', 't'] }, /tags/],
  ])('are validated against the schema: %j', async (change, message) => {
    await expect(parse(Stock, { ...stock, ...change })).rejects.toThrow(message);
  });

  class Unknown {
    @IsOptional() @IsArray() list?: unknown[];
  }
  class UnknownMap {
    @IsOptional() map?: Map<string, string>;
  }
  class WrongBrackets {
    @ToolParam({ type: String }) names!: string[];
  }

  it.each([
    [Unknown, /Property 'list' of Unknown is an array, but the type of its items is unknown/],
    [UnknownMap, /Property 'map' of UnknownMap is a Map.*values/],
    [WrongBrackets, /Property 'names' of WrongBrackets is an array, but its declared type is not.*\[String\]/],
  ])('are refused if the type of their values is unknown', (type, message) => {
    expect(() => schemaOf(type)).toThrow(message);
  });
});

describe('@nestjs/swagger metadata of a class', () => {
  class Inner {
    @ApiProperty({ description: 'Where' }) city!: string;
  }
  class Documented {
    @ApiProperty({ description: 'A name', example: 'Ada', minLength: 2 }) name!: string;
    @ApiPropertyOptional({ enum: Color, description: 'A color' }) color?: Color;
    @ApiProperty({ type: [String] }) tags!: string[];
    @ApiProperty({ type: () => Inner }) inner!: Inner;
    @ApiProperty({ type: () => [Inner], required: false }) inners?: Inner[];
    @ApiProperty({ enum: Color, isArray: true }) colors!: Color[];
    @ApiProperty({ nullable: true, type: 'integer' }) age!: number | null;
    @ApiProperty({ default: 7 }) @IsInt() @ToolParam({ required: false }) limit?: number;
    @ApiProperty({ description: 'Of swagger' }) @ToolParam({ description: 'Of the tool' }) @IsString() both!: string;
  }

  it('is used for descriptions, types, optional and nullable properties', () => {
    const inner = {
      type: 'object',
      properties: { city: { type: 'string', description: 'Where' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(schemaOf(Documented)).toEqual({
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 7 },
        both: { type: 'string', description: 'Of the tool' },
        name: { type: 'string', description: 'A name', minLength: 2, examples: ['Ada'] },
        color: { type: 'string', enum: ['red', 'blue'], description: 'A color' },
        tags: { type: 'array', items: { type: 'string' } },
        inner,
        inners: { type: 'array', items: inner },
        colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
        age: { type: ['integer', 'null'] },
      },
      required: ['both', 'name', 'tags', 'inner', 'colors', 'age'],
      additionalProperties: false,
    });
  });

  it('is used for validation and conversion', async () => {
    const given = {
      both: 'b',
      name: 'Ada',
      tags: ['x'],
      inner: { city: 'Rome' },
      inners: [{ city: 'Oslo' }],
      colors: [],
      age: null,
    };
    const parsed = await parse(Documented, given);
    expect(parsed.inner).toBeInstanceOf(Inner);
    expect(parsed.inners![0]).toBeInstanceOf(Inner);
    await expect(parse(Documented, { ...given, name: 'A' })).rejects.toThrow(
      /'name' must NOT have fewer than 2 characters/,
    );
  });

  class Compiled {
    name!: string;
    age?: number;
    static _OPENAPI_METADATA_FACTORY() {
      return {
        name: { required: true, type: () => String, description: 'From a comment' },
        age: { required: false, type: () => Number, minimum: 1 },
      };
    }
  }

  it('includes the metadata of its compiler plugin', () => {
    expect(schemaOf(Compiled)).toMatchObject({
      properties: { name: { type: 'string', description: 'From a comment' }, age: { type: 'number', minimum: 1 } },
      required: ['name'],
    });
  });
});

describe('arguments that a class does not declare', () => {
  class Place {
    @IsString() city!: string;
  }
  class Trip {
    @ValidateNested() @Type(() => Place) to!: Place;
  }
  const trip = { to: { city: 'Rome', pool: true }, extra: 1 };

  it('are refused by default, everywhere', async () => {
    await expect(new DtoInput(Trip).parse(trip)).rejects.toThrow(
      /'extra' is not an argument.*'to\.pool' is not an argument/s,
    );
  });

  it('can be stripped', async () => {
    const input = new DtoInput(Trip, 'strip');
    expect(input.schema).toEqual(schemaOf(Trip));
    expect(await input.parse(trip)).toEqual({ to: { city: 'Rome' } });
  });

  it('can be allowed, which the schema then says', async () => {
    const input = new DtoInput(Trip, 'allow');
    expect(input.schema).not.toHaveProperty('additionalProperties');
    expect((input.schema.properties as Record<string, JsonSchema>).to).not.toHaveProperty('additionalProperties');
    expect(await input.parse(trip)).toMatchObject(trip);
  });
});

describe('arguments as models send them', () => {
  class Search {
    @IsString({ each: true }) tags!: string[];
    @ToolParam({ type: { values: Number } }) limits!: Record<string, number>;
    @IsString() text!: string;
  }

  it('are parsed if arrays and objects are written as text', async () => {
    const given = { tags: '["a","b"]', limits: '{"max":"5"}', text: '["no list"]' };
    expect(await parse(Search, given)).toEqual({ tags: ['a', 'b'], limits: { max: 5 }, text: '["no list"]' });
    expect(await parse(Search, JSON.stringify(given))).toMatchObject({ tags: ['a', 'b'] });
  });

  it('are refused if the text is not JSON', async () => {
    await expect(parse(Search, { tags: '[a', limits: '{}', text: '' })).rejects.toThrow(/'tags' must be array|tags/);
  });
});

describe('custom code that throws', () => {
  class Payment {
    @ValidateIf((payment: Payment) => payment.pay.type === 'card') @IsString() card?: string;
    @ToolParam({ schema: { type: 'object' } }) @IsObject() pay!: { type: string };
  }
  class Transformed {
    @Transform(({ value }: { value: string }) => BigInt(value)) @IsString() n!: unknown;
  }

  class Coupon {
    @ValidateBy({
      name: 'exists',
      async: true,
      validator: { validate: () => Promise.reject(new Error('The database is away.')) },
    })
    @Length(2)
    code!: string;
  }

  it('is no mistake in the arguments if a validator fails for valid ones', async () => {
    await expect(parse(Coupon, { code: 'AB' })).rejects.toThrow(/^The database is away\.$/);
    await expect(parse(Coupon, {})).rejects.toThrow(/^Invalid arguments: 'code' is required\./);
  });

  it('does not hide other violations, and is described in words', async () => {
    await expect(parse(Payment, {})).rejects.toThrow(/^Invalid arguments: 'pay' is required/);
    await expect(parse(Transformed, { n: 'abc' })).rejects.toThrow(
      /^Invalid arguments: the arguments cannot be turned into Transformed \(Cannot convert abc to a BigInt\)/,
    );
  });
});

describe('arguments that are nested too deeply', () => {
  class Item {
    @IsBoolean() on!: boolean;
    @IsOptional() @ValidateNested() @Type(() => Item) next?: Item;
  }

  it('are refused with a readable message', async () => {
    const tool = new FunctionToolCallback({ name: 'x', inputType: Item, toolFunction: () => 1 });
    const input = '{"on":true,"next":'.repeat(20_000) + '{"on":true}' + '}'.repeat(20_000);
    await expect(tool.call(input)).rejects.toThrow(/^Invalid arguments: the arguments .*(nested too deeply|cannot be)/);
  });
});

describe('a number whose digits were lost', () => {
  class Numbers {
    @IsInt() n!: number;
  }

  it('is refused', async () => {
    await expect(new DtoInput(Numbers).parse(JSON.parse('{"n":9007199254740993}'))).rejects.toThrow(
      /'n' must be integer|n must be an integer/,
    );
    expect(await parse(Numbers, { n: 9007199254740991 })).toEqual({ n: 9007199254740991 });
  });
});
