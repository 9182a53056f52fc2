import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import type { JsonSchema } from '../json/json-schema.js';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const propertiesOf = (type: ClassType) => new DtoInput(type).schema.properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

enum Level {
  Low,
  High,
}

describe('metadata from the compiler plugin of @nestjs/swagger', () => {
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

  it('supports numeric enums, arrays of them, objects and inheritance', () => {
    expect(propertiesOf(Leveled)).toEqual({
      id: { type: 'number' },
      level: { type: 'number', enum: [0, 1] },
      levels: { type: 'array', items: { type: 'number', enum: [0, 1] } },
      free: { type: 'object', additionalProperties: { type: 'number' } },
    });
  });
});

describe('limits of @ApiProperty on arrays', () => {
  class Limited {
    @ApiProperty({ type: Number, isArray: true, minimum: 1, minItems: 1 }) numbers!: number[];
    @ApiProperty({ type: [String], pattern: '^a+$' }) texts!: string[];
    @ApiProperty({ type: [Date] }) dates!: Date[];
  }

  it('apply to each value', async () => {
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
});
