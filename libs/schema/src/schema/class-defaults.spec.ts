import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const propertiesOf = (type: ClassType) => new DtoInput(type).schema.properties as Record<string, JsonSchema>;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

describe('the default values of a class', () => {
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

  it('are those of a new instance, and only constant ones are part of the schema', async () => {
    const parsed = await parse(Defaults, { none: 1 });
    expect(parsed).toMatchObject({ map: new Map([['a', 1]]), inner: { n: 1 }, limit: 7 });
    const told = Object.entries(propertiesOf(Defaults)).filter(([, schema]) => 'default' in schema);
    expect(told.map(([name, schema]) => [name, schema.default])).toEqual([['limit', 7]]);
    expect(schemaOf(Defaults).required).toEqual([]);
  });
});
