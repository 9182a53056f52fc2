import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsDate, IsDateString, IsOptional, MinDate } from 'class-validator';
import { DtoInput } from '../input/dto-input.js';
import type { Type as ClassType } from '../type.js';

const parse = <T>(type: ClassType<T>, json: unknown): Promise<T> => new DtoInput(type).parse(json) as Promise<T>;

describe('texts that are converted to dates', () => {
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

  it('a property that is validated as date text remains text', async () => {
    expect(await parse(Dated, { at: '2030-01-01', text: '2030-01-01' })).toMatchObject({ text: '2030-01-01' });
  });
});
