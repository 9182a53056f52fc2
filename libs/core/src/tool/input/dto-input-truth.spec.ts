import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinDate,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonSchema } from '../../model/json-schema.js';
import { Tool } from '../declaration/tool.decorator.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { ToolCallbacks } from '../tool-callbacks.js';
import type { Type as ClassType } from '../type.js';
import { DtoInput } from './dto-input.js';
import type { UnknownArguments } from './tool-input.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const propertiesOf = (type: ClassType) => schemaOf(type).properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown, unknownArguments?: UnknownArguments): Promise<T> =>
  new DtoInput(type, unknownArguments).parse(json) as Promise<T>;

class Contact {
  @IsEmail() mail!: string;
  @Matches(/^a+$/) code!: string;
}

describe('nested classes are validated, whoever names them', () => {
  class Declared {
    @ToolParam({ type: [Contact] }) items!: Contact[];
  }
  class Documented {
    @ApiProperty() item!: Contact;
  }
  class Defined {
    @IsDefined() item!: Contact;
  }
  class Typed {
    @Type(() => Contact) @IsOptional() item?: Contact;
  }
  const wrong = { mail: 'garbage', code: 'zzz' };

  it.each<[ClassType, object, string]>([
    [Declared, { items: [wrong] }, 'items[0]'],
    [Documented, { item: wrong }, 'item'],
    [Defined, { item: wrong }, 'item'],
    [Typed, { item: wrong }, 'item'],
  ])('%p', async (type, json, path) => {
    const call = parse(type, json);
    await expect(call).rejects.toThrow(`${path}.mail: mail must be an email`);
    await expect(call).rejects.toThrow(`${path}.code: code must match`);
  });

  class WithoutEach {
    @ValidateNested() @Type(() => Contact) items!: Contact[];
    @IsArray() @ArrayMinSize(1) @ValidateNested() @Type(() => Contact) more!: Contact[];
  }

  it('also where an array is validated without { each: true }', async () => {
    expect(propertiesOf(WithoutEach)).toMatchObject({
      items: { type: 'array', items: { type: 'object' } },
      more: { type: 'array', minItems: 1, items: { type: 'object' } },
    });
    const valid = { mail: 'a@b.io', code: 'a' };
    const parsed = await parse(WithoutEach, { items: [valid], more: [valid] });
    expect(parsed.items[0]).toBeInstanceOf(Contact);
    await expect(parse(WithoutEach, { items: valid, more: [valid] })).rejects.toThrow(/'items' must be array/);
  });

  class AnyObject {
    @IsObject() contact!: Contact;
    @IsObject({ each: true }) @Type(() => Contact) list!: Contact[];
    @IsObject() free!: object;
  }

  it('also where they are only said to be objects', () => {
    expect(propertiesOf(AnyObject)).toMatchObject({
      contact: { required: ['mail', 'code'] },
      list: { items: { required: ['mail', 'code'] } },
      free: { type: 'object' },
    });
  });
});

describe('a class among other parameters', () => {
  class Event {
    @IsDate() at!: Date;
    @IsEmail() mail!: string;
  }
  class Calendar {
    @Tool() add(event: Event, loud: boolean, @ToolParam({ type: [Event] }) more: Event[]) {
      return [event.at.getTime() > 0, loud, more.map(({ at }) => at instanceof Date)];
    }
  }
  class Unusable {
    @ToolParam({ schema: { type: 'strin' } }) some!: unknown;
  }
  class Holding {
    @Tool() take(_given: Unusable, _other: string) {}
  }
  const event = { at: '2030-01-01', mail: 'a@b.io' };
  const [add] = ToolCallbacks.from(new Calendar());

  it('is held to the same as where it is the only one', async () => {
    expect(await add!.call(JSON.stringify({ event, loud: 'true', more: [event] }))).toBe('[true,true,[true]]');
    const wrong = add!.call(JSON.stringify({ event: { at: 'soon', mail: 'x', extra: 1 }, loud: 'no', more: [{}] }));
    await expect(wrong).rejects.toThrow(/event\.mail'?: mail must be an email/);
    await expect(wrong).rejects.toThrow(/'event\.extra' is not an argument of this tool/);
    await expect(wrong).rejects.toThrow(/more\[0\]\.mail/);
    await expect(wrong).rejects.toThrow(/'loud' must be boolean/);
  });

  it('is refused before the tool is offered when a schema of it is wrong', () => {
    const [take] = ToolCallbacks.from(new Holding());
    expect(() => take!.verify()).toThrow(/schema is invalid/);
  });
});

describe('dates are dates', () => {
  class Dated {
    @IsDate() at!: Date;
    @IsOptional() @Type(() => Date) @IsDate({ each: true }) all?: Date[];
    @IsOptional() @MinDate(new Date('2030-01-01')) later?: Date | null;
    @IsOptional() @IsDateString() text?: Date;
  }

  it.each(['room 5', '5', 'tomorrow 3', '10/11/2030', '2030-02-30T00:00:00Z', '2030-13-01', '', 5])(
    '%p is none',
    async (at) => {
      await expect(parse(Dated, { at })).rejects.toThrow(/at must be a Date|'at' must be/);
      await expect(parse(Dated, { at: '2030-01-01', all: [at] })).rejects.toThrow(/all/);
    },
  );

  it.each(['2030-01-31', '2030-01-31T10:00:00Z', '2030-01-31T10:00:00.123+02:00', '2030-01-31T10:00'])(
    '%p is one',
    async (at) => {
      expect(await parse(Dated, { at, all: [at], later: at })).toMatchObject({ at: new Date(at), all: [new Date(at)] });
    },
  );

  it('a text that is validated as a text stays one', async () => {
    expect(await parse(Dated, { at: '2030-01-01', text: '2030-01-01' })).toMatchObject({ text: '2030-01-01' });
  });
});

describe('what a class inherits', () => {
  class Base {
    @IsEmail() mail!: string;
    @IsOptional() @IsString() some?: unknown;
  }
  class Derived extends Base {
    @MaxLength(50) override mail = '';
    @IsInt() override some = 0;
  }

  it('is replaced as class-validator replaces it, in the schema too', async () => {
    expect(propertiesOf(Derived)).toEqual({
      mail: { type: 'string', maxLength: 50, default: '' },
      some: { type: 'integer', default: 0 },
    });
    expect(await parse(Derived, { mail: 'any', some: 1 })).toEqual({ mail: 'any', some: 1 });
  });
});

describe('default values', () => {
  class Inner {
    @Transform(({ value }: { value: number }) => value * 100) @IsInt() n = 1;
  }
  class Defaults {
    @ToolParam({ type: { values: Number } }) map: Map<string, number> = new Map([['a', 1]]);
    @ValidateNested() inner: Inner = new Inner();
    @IsString() id = randomUUID();
    @IsInt() none = Number.NaN;
    @ApiProperty({ default: 7 }) @IsInt() limit!: number;
  }

  it('are what the class makes of them, and only what is the same each time is told', async () => {
    const parsed = await parse(Defaults, { none: 1 });
    expect(parsed).toMatchObject({ map: new Map([['a', 1]]), inner: { n: 1 }, limit: 7 });
    const told = Object.entries(propertiesOf(Defaults)).filter(([, schema]) => 'default' in schema);
    expect(told.map(([name, schema]) => [name, schema.default])).toEqual([['limit', 7]]);
    expect(schemaOf(Defaults).required).toEqual([]);
  });
});

describe('names', () => {
  class Renamed {
    @Expose({ name: 'user_id' }) @ToolParam({ type: 'integer' }) userId!: number;
  }
  class Clashing {
    @Expose({ name: 'b' }) @IsString() a!: string;
    @IsInt() b!: number;
  }
  class Named {
    @ToolParam({ name: 'other' }) @IsString() text!: string;
  }
  class Chosen {
    @ValidateNested() @Type((options) => (options?.object.kind === 'x' ? Contact : Renamed)) some!: object;
  }
  class Grouped {
    @IsString() open!: string;
    @Expose({ groups: ['admin'] }) @IsOptional() @IsString() secret?: string;
  }

  it('on the instance do not go round the checks of those in JSON', async () => {
    await expect(parse(Renamed, { user_id: 1, userId: { $ne: null } }, 'allow')).rejects.toThrow(
      /'userId' is not an argument of this tool/,
    );
    expect(await parse(Renamed, { user_id: 1, other: 2 }, 'allow')).toMatchObject({ userId: 1, other: 2 });
  });

  it.each<[ClassType, RegExp]>([
    [Clashing, /Property 'b' of Clashing has the name 'b' in JSON, which another property has as well/],
    [Named, /Property 'text' of Named is named with @ToolParam\(\{ name \}\)\. Use @Expose\(\{ name: 'other' \}\)/],
    [Chosen, /Property 'some' of Chosen has a @Type\(\) that chooses the class by the value/],
  ])('that cannot hold are refused: %p', (type, message) => {
    expect(() => schemaOf(type)).toThrow(message);
  });

  it('of a group are not for everybody', () => {
    expect(Object.keys(propertiesOf(Grouped))).toEqual(['open']);
  });
});

enum Level {
  Low,
  High,
}

describe('what the compiler plugin of @nestjs/swagger writes', () => {
  class Base {
    id!: number;
    static _OPENAPI_METADATA_FACTORY(): object {
      return { id: { required: true, type: () => Number } };
    }
  }
  class Leveled extends Base {
    level!: Level;
    levels!: Level[];
    free!: object;
    static override _OPENAPI_METADATA_FACTORY() {
      return {
        level: { required: true, enum: Level },
        levels: { required: true, enum: Level, isArray: true },
        free: { required: true, type: 'object', additionalProperties: { type: 'number' } },
      };
    }
  }

  it('is read as it is meant: numeric enums, arrays of them, objects, what is inherited', () => {
    expect(propertiesOf(Leveled)).toEqual({
      id: { type: 'number' },
      level: { type: 'number', enum: [0, 1] },
      levels: { type: 'array', items: { type: 'number', enum: [0, 1] } },
      free: { type: 'object', additionalProperties: { type: 'number' } },
    });
  });
});

describe('constants, enums and null', () => {
  class First {
    @IsOptional() @IsIn([Number.NaN, 'a']) n?: unknown;
  }
  class Second {
    @IsIn([null, 'a']) n!: unknown;
    @ToolParam({ nullable: true }) @Equals('v1') version!: string | null;
    @IsEnum(['a', 'b']) list!: string;
  }

  it('are those of each class', async () => {
    schemaOf(First);
    expect(propertiesOf(Second)).toMatchObject({
      n: { enum: [null, 'a'] },
      version: { anyOf: [{ const: 'v1' }, { type: 'null' }] },
      list: { enum: ['a', 'b'] },
    });
    expect(await parse(Second, { n: 'a', version: null, list: 'a' })).toMatchObject({ version: null });
  });

  class Conditional {
    @ValidateIf((object: Conditional, value) => value !== null || object.kind === 'x') @IsString() text!: string | null;
    @IsOptional() @IsString() kind?: string;
  }

  it('are held to a condition that asks for more', async () => {
    expect(await parse(Conditional, { text: null })).toMatchObject({ text: null });
    await expect(parse(Conditional, { text: null, kind: 'x' })).rejects.toThrow(/text must be a string/);
  });

  class Numbers {
    @IsInt() n!: number;
  }

  it('numbers whose digits were lost are refused', async () => {
    await expect(new DtoInput(Numbers).parse(JSON.parse('{"n":9007199254740993}'))).rejects.toThrow(
      /'n' must be integer|n must be an integer/,
    );
    expect(await parse(Numbers, { n: 9007199254740991 })).toEqual({ n: 9007199254740991 });
  });
});

describe('code of somebody else that fails', () => {
  class Payment {
    @ValidateIf((payment: Payment) => payment.pay.type === 'card') @IsString() card?: string;
    @ToolParam({ schema: { type: 'object' } }) @IsObject() pay!: { type: string };
  }
  class Transformed {
    @Transform(({ value }: { value: string }) => BigInt(value)) @IsString() n!: unknown;
  }

  it('does not hide what is wrong, and is told in words', async () => {
    await expect(parse(Payment, {})).rejects.toThrow(/^Invalid arguments: 'pay' is required/);
    await expect(parse(Transformed, { n: 'abc' })).rejects.toThrow(
      /^Invalid arguments: the arguments cannot be turned into Transformed \(Cannot convert abc to a BigInt\)/,
    );
  });

  it('does not end the process while a schema is asked whether it takes nothing', async () => {
    class Tools {
      @Tool() trim(
        @ToolParam({ schema: z.unknown().transform(async (x: unknown) => (x as string).trim()) }) word: string,
      ) {
        return word;
      }
    }
    const [tool] = ToolCallbacks.from(new Tools());
    expect(await tool!.call('{"word":" a "}')).toBe('a');
  });
});

describe('schemas of a property', () => {
  class Tree {
    @ToolParam({
      schema: {
        $defs: { leaf: { type: 'integer' } },
        type: 'object',
        properties: { n: { $ref: '#/$defs/leaf' }, next: { $ref: '#' } },
      },
    })
    tree!: object;
  }
  class Broken {
    @ToolParam({ schema: { type: 'strin' } }) some!: unknown;
  }
  class Elsewhere {
    @ToolParam({ schema: { type: 'array', items: { $ref: '#/components/schemas/Cat' } } }) cats!: unknown[];
  }

  it('may refer to themselves', async () => {
    expect(await parse(Tree, { tree: { n: 1, next: { n: 2 } } })).toEqual({ tree: { n: 1, next: { n: 2 } } });
    await expect(parse(Tree, { tree: { next: { n: 'x' } } })).rejects.toThrow(/'tree\.next\.n' must be integer/);
  });

  class OfSwagger {
    @ApiProperty({ type: 'array', items: { $ref: '#/components/schemas/Cat' } }) cats!: unknown[];
  }
  class Pattern {
    @ApiProperty({ pattern: '(?i)abc' }) text!: string;
  }

  it.each([Broken, Elsewhere, OfSwagger, Pattern])('are refused before the tool is offered: %p', (inputType) => {
    const tool = new FunctionToolCallback({ name: 'x', inputType: inputType as ClassType, toolFunction: () => 1 });
    expect(() => tool.verify()).toThrow(
      /schema is invalid|can't resolve reference|Invalid regular expression|type of its items is not known/,
    );
  });

  class Nested {
    @ValidateNested() @ToolParam({ type: Contact }) one!: Contact;
    @ValidateNested({ each: true }) @ToolParam({ type: { values: Contact } }) many!: Record<string, Contact>;
  }

  it('may be declared beside decorators that say the same', () => {
    expect(JSON.stringify(schemaOf(Nested))).not.toContain('#nested');
  });
});

describe('limits of @ApiProperty on arrays', () => {
  class Limited {
    @ApiProperty({ type: Number, isArray: true, minimum: 1, minItems: 1 }) numbers!: number[];
    @ApiProperty({ type: [String], pattern: '^a+$' }) texts!: string[];
    @ApiProperty({ type: [Date] }) dates!: Date[];
  }
  class Emptied {
    @IsEmpty() none?: string;
    @IsString() text!: string;
  }

  it('are those of each value', async () => {
    expect(propertiesOf(Limited)).toMatchObject({
      numbers: { type: 'array', minItems: 1, items: { type: 'number', minimum: 1 } },
      texts: { type: 'array', items: { type: 'string', pattern: '^a+$' } },
    });
    const valid = { numbers: [1], texts: ['a'], dates: ['2030-01-01'] };
    expect((await parse(Limited, valid)).dates).toEqual([new Date('2030-01-01')]);
    await expect(parse(Limited, { ...valid, numbers: [-5] })).rejects.toThrow(/'numbers\[0\]' must be >= 1/);
    await expect(parse(Limited, { ...valid, texts: ['z'] })).rejects.toThrow(/'texts\[0\]' must match pattern/);
    await expect(parse(Limited, { ...valid, dates: ['q'] })).rejects.toThrow(
      /^Invalid arguments: 'dates\[0\]' must be a date[^;]*$/,
    );
  });

  it('and what has to be empty may be left out', async () => {
    expect(schemaOf(Emptied).required).toEqual(['text']);
    expect(await parse(Emptied, { text: 'x' })).toMatchObject({ text: 'x' });
    await expect(parse(Emptied, { text: 'x', none: 'y' })).rejects.toThrow(/none must be empty/);
  });
});

describe('Sets and depth', () => {
  class Item {
    @IsBoolean() on!: boolean;
    @IsOptional() @ValidateNested() @Type(() => Item) next?: Item;
  }
  class Sets {
    @IsArray() @ArrayMinSize(1) @IsString({ each: true }) tags!: Set<string>;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Item) items?: Set<Item>;
  }

  it('a Set may have the limits of an array, and many objects', async () => {
    expect(await parse(Sets, { tags: ['a'] })).toMatchObject({ tags: new Set(['a']) });
    await expect(parse(Sets, { tags: [] })).rejects.toThrow(/'tags' must NOT have fewer than 1 items/);
    expect((propertiesOf(Sets).items as JsonSchema).uniqueItems).toBeUndefined();
  });

  it('arguments that are nested too deeply are refused in words', async () => {
    const tool = new FunctionToolCallback({ name: 'x', inputType: Item, toolFunction: () => 1 });
    const input = '{"on":true,"next":'.repeat(20_000) + '{"on":true}' + '}'.repeat(20_000);
    await expect(tool.call(input)).rejects.toThrow(/^Invalid arguments: the arguments .*(nested too deeply|cannot be)/);
  });
});

describe('one of several classes', () => {
  abstract class Shape {}
  class Ping extends Shape {}
  class Kinded extends Shape {
    @IsIn(['k']) kind!: string;
  }
  const subTypes = [
    { name: 'ping', value: Ping },
    { name: 'k', value: Kinded },
  ];
  class Removing {
    @ValidateNested() @Type(() => Shape, { discriminator: { property: 'kind', subTypes } }) shape!: Shape;
  }
  class Keeping {
    @ValidateNested()
    @Type(() => Shape, { keepDiscriminatorProperty: true, discriminator: { property: 'kind', subTypes } })
    shape!: Shape;
  }
  class Mapped {
    @ValidateNested({ each: true })
    @Type(() => Shape, { discriminator: { property: 'kind', subTypes } })
    shapes!: Map<string, Shape>;
  }

  it('may have nothing of its own, and may keep what tells it', async () => {
    expect(await parse(Keeping, { shape: { kind: 'k' } })).toEqual({ shape: { kind: 'k' } });
    expect((await parse(Keeping, { shape: { kind: 'ping' } })).shape).toBeInstanceOf(Ping);
  });

  it('is refused where class-transformer would make something else of it', () => {
    expect(() => schemaOf(Removing)).toThrow(/Kinded declares and validates it\. Add keepDiscriminatorProperty: true/);
    expect(() => schemaOf(Mapped)).toThrow(/'shapes' is a Map with a discriminator/);
  });
});

describe('parameters without metadata, as some compilers leave them', () => {
  class Bare {
    find(_q: string, _limit = 10, _url = import.meta.url.length) {}
  }
  Tool()(Bare.prototype, 'find', Object.getOwnPropertyDescriptor(Bare.prototype, 'find')!);
  ToolParam({ type: String })(Bare.prototype, 'find', 0);
  ToolParam({ type: 'integer' })(Bare.prototype, 'find', 1);
  ToolParam({ type: 'integer', required: false })(Bare.prototype, 'find', 2);

  it('are all there, also those with a default value', () => {
    const { inputSchema } = ToolCallbacks.from(new Bare())[0]!.toolDefinition;
    expect(Object.keys(inputSchema.properties as object)).toEqual(['_q', '_limit', '_url']);
    expect(inputSchema.required).toEqual(['_q']);
  });

  it('may have schemas with definitions of every kind, and null', async () => {
    const schema = {
      $defs: { A: { type: 'string' } },
      definitions: { A: { type: 'number' } },
      type: 'object',
      properties: { text: { $ref: '#/$defs/A' }, n: { $ref: '#/definitions/A' } },
    };
    class Tools {
      @Tool() run(@ToolParam({ schema, nullable: true, name: 'a/b' }) given: object | null) {
        return given;
      }
    }
    const [tool] = ToolCallbacks.from(new Tools());
    tool!.verify();
    expect(await tool!.call('{"a/b":{"text":"x","n":1}}')).toBe('{"text":"x","n":1}');
    expect(await tool!.call('{"a/b":null}')).toBe('null');
    await expect(tool!.call('{"a/b":{"text":1}}')).rejects.toThrow(/text/);
  });
});
