import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { IsAlpha, IsBooleanString, IsEnum, IsHexadecimal, IsIn, IsString, NotEquals, validate } from 'class-validator';
import { DtoInput } from '../input/dto-input.js';
import type { JsonSchema } from '../json/json-schema.js';
import type { Type as ClassType } from '../type.js';

const propertiesOf = (type: ClassType): Record<string, JsonSchema> =>
  new DtoInput(type).schema.properties as Record<string, JsonSchema>;

const Level = { Default: 1, Low: 1, High: 2 } as const;

enum Mixed {
  A = 0,
  B = 'b',
}

describe('the schema of a class', () => {
  it('has each value of an enum once, and those whose key begins with a digit', () => {
    const Size = { small: 'sm', '2xl': '2xl' } as const;
    class Shirt {
      @IsEnum(Level) level!: number;
      @IsEnum(Size) size!: string;
      @IsIn(['x', 'x']) mark!: string;
    }
    const { level, size, mark } = propertiesOf(Shirt);
    expect([level?.enum, size?.enum, mark?.enum]).toEqual([[1, 2], ['sm', '2xl'], ['x']]);
  });

  it('has both kinds of values of a list with a mixed enum', async () => {
    class Marks {
      @ApiProperty({ enum: Mixed, isArray: true }) marks!: Mixed[];
    }
    expect(await new DtoInput(Marks).parse({ marks: [0, 'b'] })).toEqual({ marks: [0, 'b'] });
  });

  it('leaves out getters that have no setter', async () => {
    class Named {
      @IsString() name!: string;
      @ApiProperty() get loud(): string {
        return this.name.toUpperCase();
      }
    }
    expect(Object.keys(propertiesOf(Named))).toEqual(['name']);
    expect(await new DtoInput(Named).parse({ name: 'ada' })).toMatchObject({ loud: 'ADA' });
  });

  it('accepts what the validators accept', async () => {
    class Texts {
      @IsAlpha('de-DE') name!: string;
      @IsHexadecimal() color!: string;
      @IsBooleanString() isOpen!: string;
    }
    const texts = { name: 'Jürgen', color: '0xff', isOpen: '1' };
    expect(await validate(Object.assign(new Texts(), texts))).toEqual([]);
    expect(await new DtoInput(Texts).parse(texts)).toEqual(texts);
    expect(propertiesOf(Texts)['name']).toEqual({ type: 'string' });
  });

  it('does not take @NotEquals() for a type: the start names what is missing', () => {
    class Unknown {
      @NotEquals('root') name!: string | null;
    }
    expect(() => propertiesOf(Unknown)).toThrow(/Property 'name' of Unknown/);
  });
});
