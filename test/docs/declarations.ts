/*
 * Ways to declare what a tool takes, as real code. `declarations.e2e-spec.ts` reads this file, runs the
 * tools, and writes the table of docs/reference/declarations.md. A section starts with its title; the
 * line after the title is what the model sends.
 */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';
import { type } from 'arktype';
import { Exclude, Expose, Type } from 'class-transformer';
import {
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';

/** The arguments of the last method call, for the table. */
export const received: unknown[] = [];
export const receive = (...values: unknown[]): void => void received.splice(0, received.length, ...values);

export enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

//# Primitive types; a default value makes a parameter optional
//> {"city":"Rome","days":"3"}
export class PrimitivesHost {
  @Tool() forecast(city: string, days: number, hourly = false) {
    return receive(city, days, hourly);
  }
}

//# A name, a description, a whole number, an optional parameter
//> {"q":"tea"}
export class DescribedHost {
  @Tool() search(
    @ToolParam({ name: 'q', description: 'What to look for' }) query: string,
    @ToolParam({ type: 'integer', required: false }) limit?: number,
  ) {
    return receive(query, limit);
  }
}

//# A value or `null`
//> {"title":null}
export class NullableHost {
  @Tool() rename(@ToolParam({ type: String, nullable: true }) title: string | null) {
    return receive(title);
  }
}

//# Dates
//> {"at":"2030-01-01T08:00:00Z"}
export class DateHost {
  @Tool() remind(at: Date) {
    return receive(at);
  }
}

//# An enum
//> {"unit":"c"}
export class EnumHost {
  @Tool() convert(@ToolParam({ type: Unit }) unit: Unit) {
    return receive(unit);
  }
}

//# A union of literals: list the values, because TypeScript leaves only `String`
//> {"shade":"dark"}
export class LiteralsHost {
  @Tool() paint(@ToolParam({ schema: { enum: ['light', 'dark'] } }) shade: 'light' | 'dark') {
    return receive(shade);
  }
}

//# Arrays and Sets
//> {"names":["ada"],"tags":["a","b"]}
export class ListHost {
  @Tool() label(@ToolParam({ type: [String] }) names: string[], @ToolParam({ type: [String] }) tags: Set<string>) {
    return receive(names, tags);
  }
}

//# Objects and Maps with values of one type
//> {"prices":{"tea":"2.5"},"stock":{"tea":7}}
export class MapHost {
  @Tool() order(
    @ToolParam({ type: { values: Number } }) prices: Record<string, number>,
    @ToolParam({ type: { values: 'integer' } }) stock: Map<string, number>,
  ) {
    return receive(prices, stock);
  }
}

//# A union of types, as a JSON Schema
//> {"id":7}
export class UnionHost {
  @Tool() find(@ToolParam({ schema: { type: ['string', 'integer'] } }) id: string | number) {
    return receive(id);
  }
}

//# Parameters that Nestor fills in
//> {"text":"hi"}
export class ContextHost {
  @Tool() send(text: string, context: ToolContext, signal: AbortSignal) {
    return receive(text, context, signal);
  }
}

//# One parameter that is a class: its properties become the arguments
//> {"city":"Rome","nights":"2"}
export class Booking {
  @ToolParam({ description: 'Where to' }) @Length(1, 50) city!: string;
  @IsInt() @Min(1) @Max(30) nights = 1;
  @IsOptional() @IsEmail() mail?: string;
}
export class BookingHost {
  @Tool() book(booking: Booking) {
    return receive(booking);
  }
}

//# A union of literals in a class
//> {"size":"small"}
export class Shirt {
  @IsIn(['small', 'large']) size!: 'small' | 'large';
}
export class ShirtHost {
  @Tool() order(shirt: Shirt) {
    return receive(shirt);
  }
}

//# Nested classes, lists of classes, a class that contains itself
//> {"name":"root","parts":[{"name":"leaf","parts":[]}]}
export class Part {
  @IsString() name!: string;
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
}
export class PartHost {
  @Tool() assemble(part: Part) {
    return receive(part);
  }
}

//# Enums, arrays and Maps in a class
//> {"unit":"f","days":["2030-01-01"],"levels":{"a":"1"}}
export class Settings {
  @IsEnum(Unit) unit!: Unit;
  @IsDate({ each: true }) days!: Date[];
  @IsNumber({}, { each: true }) @Type(() => Number) levels!: Map<string, number>;
}
export class SettingsHost {
  @Tool() configure(settings: Settings) {
    return receive(settings);
  }
}

//# Properties with another name in JSON, with `null`, or hidden from the model
//> {"full_name":"Ada","title":null}
export class Person {
  @Expose({ name: 'full_name' }) @IsString() name!: string;
  @ValidateIf((_, value) => value !== null) @IsString() title!: string | null;
  @Exclude() role = 'guest';
}
export class PersonHost {
  @Tool() greet(person: Person) {
    return receive(person);
  }
}

//# One of several classes
//> {"shape":{"kind":"circle","radius":2}}
export class Circle {
  @IsNumber() radius!: number;
}
export class Square {
  @IsNumber() side!: number;
}
export class Drawing {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'circle', value: Circle },
        { name: 'square', value: Square },
      ],
    },
  })
  shape!: Circle | Square;
}
export class DrawingHost {
  @Tool() draw(drawing: Drawing) {
    return receive(drawing);
  }
}

//# Decorators of @nestjs/swagger
//> {"name":"Ada"}
export class Guest {
  @ApiProperty({ description: 'Of the guest', minLength: 2 }) name!: string;
  @ApiPropertyOptional({ enum: Unit }) unit?: Unit;
}
export class GuestHost {
  @Tool() invite(guest: Guest) {
    return receive(guest);
  }
}

//# A class among other parameters
//> {"place":{"city":"Rome","nights":1},"loud":true}
export class AmongHost {
  @Tool() announce(place: Booking, loud: boolean) {
    return receive(place, loud);
  }
}

//# A class given with `inputType`
//> {"city":"Rome"}
export class NamedHost {
  @Tool({ inputType: Booking }) book(booking: unknown, context: ToolContext) {
    return receive(booking, context);
  }
}

//# A single value given with `inputType`
//> {"input":"hello"}
export class SingleHost {
  @Tool({ inputType: String }) say(text: string) {
    return receive(text);
  }
}

//# Zod
//> {"city":"rome"}
export const zodQuery = z.object({ city: z.string().toUpperCase(), max: z.number().positive().default(10) });
export class ZodHost {
  @Tool({ inputSchema: zodQuery }) search(query: z.infer<typeof zodQuery>) {
    return receive(query);
  }
}

//# ArkType
//> {"city":"Rome"}
export const arkQuery = type({ city: 'string > 0', 'max?': 'number.integer' });
export class ArkHost {
  @Tool({ inputSchema: arkQuery }) search(query: typeof arkQuery.infer) {
    return receive(query);
  }
}

//# Valibot
//> {"city":"Rome"}
export const valibotQuery = toStandardJsonSchema(v.object({ city: v.string(), max: v.optional(v.number(), 10) }));
export class ValibotHost {
  @Tool({ inputSchema: valibotQuery }) search(query: { city: string; max: number }) {
    return receive(query);
  }
}

//# JSON Schema
//> {"n":4}
export class JsonSchemaHost {
  @Tool({ inputSchema: { type: 'object', properties: { n: { type: 'integer', multipleOf: 2 } }, required: ['n'] } })
  half(input: { n: number }) {
    return receive(input);
  }
}
//# end
