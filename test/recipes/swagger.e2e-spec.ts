import { beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Injectable, Patch, Post, ValidationPipe } from '@nestjs/common';
import {
  ApiProperty,
  ApiPropertyOptional,
  DocumentBuilder,
  getSchemaPath,
  type OpenAPIObject,
  PartialType,
  PickType,
  SwaggerModule,
} from '@nestjs/swagger';
import { ChatClient, Tool, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Exclude, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { bootstrapError } from '../nest/application.js';
import { serve } from './http-application.js';

enum Room {
  Single = 'single',
  Double = 'double',
}

class Guest {
  @ApiProperty({ description: 'Full name' })
  @IsString()
  name!: string;

  @ApiPropertyOptional({ format: 'email' })
  @IsOptional()
  @IsEmail()
  email?: string;
}

class Booking {
  @ApiProperty({ description: 'Where to go', example: 'Rome' })
  @IsString()
  city!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 30, default: 1 })
  @IsInt()
  @Min(1)
  @Max(30)
  nights: number = 1;

  @ApiProperty({ enum: Room, enumName: 'Room' })
  @IsEnum(Room)
  room!: Room;

  @ApiProperty({ type: [Guest] })
  @ValidateNested({ each: true })
  @ArrayNotEmpty()
  @Type(() => Guest)
  guests!: Guest[];

  @Exclude()
  @IsOptional()
  @IsString()
  bookedBy?: string;
}

class Change extends PartialType(PickType(Booking, ['nights', 'room'] as const)) {}

@Injectable()
class Bookings {
  @Tool({ description: 'Book a hotel' })
  book(booking: Booking) {
    const { city, nights, guests, bookedBy = 'nobody' } = booking;
    const isMade = booking instanceof Booking && guests.every((guest) => guest instanceof Guest);
    return { city, nights, guests: guests.map(({ name }) => name), bookedBy, isMade };
  }

  @Tool({ description: 'Change the last booking' })
  change(change: Change) {
    return change;
  }
}

@Controller('bookings')
class BookingController {
  constructor(private readonly bookings: Bookings) {}

  @Post()
  book(@Body() booking: Booking) {
    return this.bookings.book(booking);
  }

  @Patch()
  change(@Body() change: Change) {
    return this.bookings.change(change);
  }
}

const good = { city: 'Rome', room: 'single', guests: [{ name: 'Ada' }] };
const bad = { city: 'Rome', nights: 0, room: 'suite', guests: [{ name: 5 }], pool: true };

let url: string;
let document: OpenAPIObject;
let schemaOf: (tool: string) => unknown;
/** Asks again: what the tool says to the next call. */
let useTool: () => Promise<string>;

beforeAll(async () => {
  const model = new ScriptedChatModel(
    [good, bad, { ...good, bookedBy: 'eve' }].flatMap((input) => [
      { toolCalls: [toolCall('book', input)] },
      'Done',
    ]),
  );
  const scene = await serve(
    model,
    { controllers: [BookingController], providers: [Bookings] },
    {
      configure: (app) => {
        app.useGlobalPipes(
          new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
        );
        document = SwaggerModule.createDocument(
          app,
          new DocumentBuilder().setTitle('Bookings').build(),
        );
        SwaggerModule.setup('api', app, document);
      },
    },
  );
  ({ url } = scene);
  schemaOf = (tool) => scene.app.get(ToolRegistry).get(tool)!.callback.toolDefinition.inputSchema;
  useTool = async () => {
    await scene.app.get(ChatClient).prompt('Book').call().content();
    return model.toolResponses[0]!;
  };
});

const post = async (body: object) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/bookings`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

describe('one class as the body of an endpoint and the input of a tool', () => {
  it('is described in the OpenAPI document, which knows of the endpoint and not of the tool', async () => {
    const served = (await (await fetch(`${url}/api-json`)).json()) as OpenAPIObject;
    expect(served.components).toEqual(document.components);
    expect(Object.keys(served.paths)).toEqual(['/bookings']);
    expect(served.components?.schemas?.Booking).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where to go', example: 'Rome' },
        nights: { type: 'integer', minimum: 1, maximum: 30, default: 1 },
        room: { allOf: [{ $ref: '#/components/schemas/Room' }] },
        guests: { type: 'array', items: { $ref: '#/components/schemas/Guest' } },
      },
      required: ['city', 'room', 'guests'],
    });
  });

  it('is described to the model with the same words, in one piece', () => {
    expect(schemaOf('book')).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where to go', examples: ['Rome'] },
        nights: { type: 'integer', minimum: 1, maximum: 30, default: 1 },
        room: { type: 'string', enum: ['single', 'double'] },
        guests: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', description: 'Full name' },
              email: { type: 'string', format: 'email' },
            },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['city', 'room', 'guests'],
      additionalProperties: false,
    });
  });

  it('may be made of another by the mapped types of @nestjs/swagger', () => {
    const { Booking: whole, Change: part } = document.components!.schemas as Record<
      string,
      { properties: object }
    >;
    expect(part).toEqual({
      type: 'object',
      properties: expect.objectContaining({
        nights: (whole!.properties as { nights: object }).nights,
      }),
    });
    const { properties } = schemaOf('book') as { properties: { nights: object; room: object } };
    const { nights, room } = properties;
    expect(schemaOf('change')).toMatchObject({ properties: { nights, room }, required: [] });
  });

  it('gives both an instance, with its defaults', async () => {
    const booked = { city: 'Rome', nights: 1, guests: ['Ada'], bookedBy: 'nobody', isMade: true };
    expect(await post(good)).toEqual({ status: 201, body: booked });
    expect(JSON.parse(await useTool())).toEqual(booked);
  });

  it('is checked for both', async () => {
    const wrong = [
      'nights must not be less than 1',
      'room must be one of the following values: single, double',
    ];
    const { status, body } = await post(bad);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: expect.arrayContaining(wrong) });
    const told = await useTool();
    for (const text of [...wrong, 'name must be a string', "'pool' is not an argument"])
      expect(told).toContain(text);
  });

  it('does not take from either what has @Exclude()', async () => {
    expect(await post({ ...good, bookedBy: 'eve' })).toMatchObject({
      status: 201,
      body: { bookedBy: 'nobody' },
    });
    expect(await useTool()).toContain("'bookedBy' is not an argument of this tool");
  });
});

describe('a property that needs the OpenAPI document around it', () => {
  it('stops the bootstrap: a model has no such document', async () => {
    class Pets {
      @ApiProperty({ type: 'array', items: { oneOf: [{ $ref: getSchemaPath(Guest) }] } })
      @IsArray()
      list!: unknown[];
    }
    @Injectable()
    class Tools {
      @Tool() adopt(_pets: Pets) {
        return 1;
      }
    }
    const { message } = await bootstrapError({ providers: [Tools] });
    expect(message).toMatch(/list.*of Pets is an array, but the type of its items is unknown/);
  });
});
