/* Ways to declare what a tool takes with classes and schemas. See `declarations.ts`. */
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
import { receive, Unit } from './declarations.js';

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
//+ interface Shirt {
//+   size: 'small' | 'large';
//+ }
//+ @Tool() order(shirt: Shirt)
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
//+ interface Part {
//+   name: string;
//+   parts: Part[];
//+ }
//+ @Tool() assemble(part: Part)
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
//+ interface Settings {
//+   unit: Unit;
//+   days: Date[];
//+   levels: Map<string, number>;
//+ }
//+ @Tool() configure(settings: Settings)
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
//+ type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number };
//+ @Tool() draw(shape: Shape)
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
