import { describe, expect, it } from '@jest/globals';
import { Expose, Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { DtoInput } from '../input/dto-input.js';
import type { UnknownArguments } from '../input/tool-input.js';
import type { Type as ClassType } from '../type.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const propertiesOf = (type: ClassType) => new DtoInput(type).schema.properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown, unknownArguments?: UnknownArguments): Promise<T> =>
  new DtoInput(type, unknownArguments).parse(json) as Promise<T>;

class Contact {
  @IsEmail() mail!: string;
  @Matches(/^a+$/) code!: string;
}

describe('inherited validators', () => {
  class Base {
    @IsEmail() mail!: string;
    @IsOptional() @IsString() some?: unknown;
  }
  class Derived extends Base {
    @MaxLength(50) override mail = '';
    @IsInt() override some = 0;
  }

  it('are replaced as in class-validator, also in the schema', async () => {
    expect(propertiesOf(Derived)).toEqual({
      mail: { type: 'string', maxLength: 50, default: '' },
      some: { type: 'integer', default: 0 },
    });
    expect(await parse(Derived, { mail: 'any', some: 1 })).toEqual({ mail: 'any', some: 1 });
  });
});

describe('the names of properties', () => {
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
  class Inherited {
    @IsString() valueOf!: () => string;
  }
  class Chosen {
    @ValidateNested() @Type((options) => (options?.object.kind === 'x' ? Contact : Renamed)) some!: object;
  }
  class Grouped {
    @IsString() open!: string;
    @Expose({ groups: ['admin'] }) @IsOptional() @IsString() secret?: string;
  }

  it('on the instance cannot be used to bypass the validation of JSON names', async () => {
    await expect(parse(Renamed, { user_id: 1, userId: { $ne: null } }, 'allow')).rejects.toThrow(
      /'userId' is not an argument of this tool/,
    );
    expect(await parse(Renamed, { user_id: 1, other: 2 }, 'allow')).toMatchObject({ userId: 1, other: 2 });
  });

  it.each<[ClassType, RegExp]>([
    [Clashing, /Property 'b' of Clashing has the JSON name 'b', which another property uses too/],
    [Inherited, /Property 'valueOf' of Inherited has the JSON name 'valueOf', which every object has\. Rename it/],
    [Named, /Property 'text' of Named is named with @ToolParam\(\{ name \}\)\. Use @Expose\(\{ name: 'other' \}\)/],
    [Chosen, /Property 'some' of Chosen has a @Type\(\) that chooses the class by the value/],
  ])('that contradict each other are refused: %p', (type, message) => {
    expect(() => schemaOf(type)).toThrow(message);
  });

  it('of a group are not part of the input', () => {
    expect(Object.keys(propertiesOf(Grouped))).toEqual(['open']);
  });
});
