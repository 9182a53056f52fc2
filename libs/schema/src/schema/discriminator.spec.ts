import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsIn, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

describe('a discriminator', () => {
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

  it('may select a class without properties, and may be kept', async () => {
    expect(await parse(Keeping, { shape: { kind: 'k' } })).toEqual({ shape: { kind: 'k' } });
    expect((await parse(Keeping, { shape: { kind: 'ping' } })).shape).toBeInstanceOf(Ping);
  });

  it('is refused where class-transformer would not instantiate the classes', () => {
    expect(() => schemaOf(Removing)).toThrow(/Kinded declares and validates it\. Add keepDiscriminatorProperty: true/);
    expect(() => schemaOf(Mapped)).toThrow(/'shapes' is a Map with a discriminator/);
  });
});
