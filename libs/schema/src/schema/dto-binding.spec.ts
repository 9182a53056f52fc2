import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsEmail,
  IsObject,
  IsOptional,
  Matches,
  ValidateNested,
} from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const propertiesOf = (type: ClassType) => new DtoInput(type).schema.properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

class Contact {
  @IsEmail() mail!: string;
  @Matches(/^a+$/) code!: string;
}

describe('instances of nested classes are validated', () => {
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

  it('even if they are only declared as objects', () => {
    expect(propertiesOf(AnyObject)).toMatchObject({
      contact: { required: ['mail', 'code'] },
      list: { items: { required: ['mail', 'code'] } },
      free: { type: 'object' },
    });
  });
});
