import { describe, expect, it } from '@jest/globals';
import { Allow, IsEmpty, IsString } from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';
import { describeClass } from './class-description.js';
import { presenceOf } from './property-presence.js';

const schemaOf = (type: ClassType): JsonSchema => new DtoInput(type).schema;
const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

describe('a property with @IsEmpty()', () => {
  class Emptied {
    @IsEmpty() none?: string;
    @IsString() text!: string;
  }

  it('may be left out, and is refused if present', async () => {
    expect(schemaOf(Emptied).required).toEqual(['text']);
    expect(await parse(Emptied, { text: 'x' })).toMatchObject({ text: 'x' });
    await expect(parse(Emptied, { text: 'x', none: 'y' })).rejects.toThrow(/none must be empty/);
  });
});

describe('a property with @Allow() alone', () => {
  class Free {
    @Allow() note?: string | null;
  }

  it('may be missing or null if its type says so, as class-validator does not check it', () => {
    const note = describeClass(Free).properties.get('note')!;
    const types = { isOptional: true, schema: { type: ['string', 'null'] as const } };
    expect(presenceOf(note, types as never)).toEqual({ isOptional: true, isNullable: true });
  });
});
