import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Expose } from 'class-transformer';
import { IsDate, IsEmail, IsInt, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../json/json-schema.js';
import { ToolParam } from '../declaration/tool-param.decorator.js';
import { DtoBinding } from './dto-binding.js';
import { plansOf, type PropertyPlan } from './property-plan.js';
import { NestedClass } from './property-schema.js';

class Guest {
  @IsEmail() mail!: string;
}

class Booking {
  @IsDate() arrival!: Date;
  @Expose({ name: 'room_code' }) @Matches(/^[A-Z]\d+$/) code!: string;
  @IsInt() nights = 1;
  @IsOptional() @IsString() note?: string;
  @ToolParam({ nullable: true, description: 'Who pays' }) @IsString() payer!: string | null;
  @ValidateNested() guest!: Guest;
  @ToolParam({ type: [Date] }) reminders!: Set<Date>;
  @ApiProperty({ default: 'web' }) @IsString() channel!: string;
}

function planOf(name: keyof Booking): PropertyPlan {
  const plan = plansOf(Booking).find((one) => one.name === name);
  if (!plan) throw new Error(`Booking has no property '${name}'`);
  return plan;
}

describe('the plan of a property', () => {
  it.each<[keyof Booking, shown: JsonSchema, checked: JsonSchema]>([
    ['arrival', { type: 'string', format: 'date-time' }, { type: 'string', format: 'tool-date' }],
    ['code', { type: 'string', pattern: String.raw`^[A-Z]\d+$` }, { type: 'string' }],
    ['nights', { type: 'integer' }, { type: 'integer' }],
    ['guest', { $ref: new NestedClass(Guest) }, { $ref: new NestedClass(Guest) }],
  ])('generates the schema of %s for the model, and the one for validation', (name, shown, checked) => {
    expect(planOf(name).write(false).schema).toEqual(shown);
    expect(planOf(name).write(true).schema).toEqual(checked);
  });

  it('names the property in JSON', () => {
    expect(planOf('code').jsonName).toBe('room_code');
    expect(planOf('nights').jsonName).toBe('nights');
  });

  it('requires properties that are not optional and have no default value', () => {
    const required = plansOf(Booking).filter((plan) => plan.required);
    expect(required.map(({ name }) => name)).toEqual(['arrival', 'code', 'payer', 'guest', 'reminders']);
  });

  it('adds null, the description and the default value to the schema', () => {
    expect(planOf('payer').present({ type: 'string' })).toEqual({ type: ['string', 'null'], description: 'Who pays' });
    expect(planOf('nights').present({ type: 'integer' })).toEqual({ type: 'integer', default: 1 });
    expect(planOf('channel').present({ type: 'string' })).toEqual({ type: 'string', default: 'web' });
  });

  it.each<[keyof Booking, json: unknown, value: unknown]>([
    ['arrival', '2030-01-31', new Date('2030-01-31')],
    ['reminders', ['2030-01-31'], new Set([new Date('2030-01-31')])],
    ['guest', { mail: 'a@b.io' }, Object.assign(new Guest(), { mail: 'a@b.io' })],
  ])('revives %s from JSON', (name, json, value) => {
    const binding = new DtoBinding();
    expect(planOf(name).revive?.(json, name, binding)).toStrictEqual(value);
    expect(binding.issues).toEqual([]);
  });

  it('does not convert values that JSON expresses', () => {
    expect(planOf('note').revive).toBeUndefined();
    expect(planOf('nights').revive).toBeUndefined();
  });

  it('reports a text that is not a date', () => {
    const binding = new DtoBinding();
    expect(planOf('arrival').revive?.('soon', 'arrival', binding)).toBe('soon');
    expect(binding.issues).toEqual([
      { path: 'arrival', message: "'arrival' must be a date and time in ISO-8601 format" },
    ]);
  });

  it('accepts missing values and null where the schema allows them', () => {
    expect(planOf('payer').admits(null)).toBe(true);
    expect(planOf('payer').admits(undefined)).toBe(false);
    expect(planOf('nights').admits(null)).toBe(false);
  });
});
