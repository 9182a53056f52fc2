import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { FunctionToolCallback } from '@nestor-ai/core';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const propertiesOf = (type: ClassType) => new DtoInput(type).schema.properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

class Contact {
  @IsEmail() mail!: string;
  @Matches(/^a+$/) code!: string;
}

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

  it('are validated by the condition of a property', async () => {
    expect(await parse(Conditional, { text: null })).toMatchObject({ text: null });
    await expect(parse(Conditional, { text: null, kind: 'x' })).rejects.toThrow(/text must be a string/);
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

  class Identified {
    @ToolParam({
      schema: { $id: 'https://a.io/s', $defs: { leaf: { type: 'integer' } }, items: { $ref: '#/$defs/leaf' } },
    })
    some!: unknown;
  }

  it('may have ids', async () => {
    new DtoInput(Identified).verify();
    expect(await parse(Identified, { some: [1] })).toEqual({ some: [1] });
    await expect(parse(Identified, { some: ['x'] })).rejects.toThrow(/'some\[0\]' must be integer/);
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
      /schema is invalid|can't resolve reference|Invalid regular expression|type of its items is unknown/,
    );
  });

  class Nested {
    @ValidateNested() @ToolParam({ type: Contact }) one!: Contact;
    @ValidateNested({ each: true }) @ToolParam({ type: { values: Contact } }) many!: Record<string, Contact>;
  }

  it('may be declared next to decorators for nested classes', () => {
    expect(JSON.stringify(schemaOf(Nested))).not.toContain('#nested');
  });
});

describe('Sets', () => {
  class Item {
    @IsBoolean() on!: boolean;
    @IsOptional() @ValidateNested() @Type(() => Item) next?: Item;
  }
  class Sets {
    @IsArray() @ArrayMinSize(1) @IsString({ each: true }) tags!: Set<string>;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Item) items?: Set<Item>;
  }

  it('may have the limits of an array, and many objects', async () => {
    expect(await parse(Sets, { tags: ['a'] })).toMatchObject({ tags: new Set(['a']) });
    await expect(parse(Sets, { tags: [] })).rejects.toThrow(/'tags' must NOT have fewer than 1 items/);
    expect((propertiesOf(Sets).items as JsonSchema).uniqueItems).toBeUndefined();
  });
});
