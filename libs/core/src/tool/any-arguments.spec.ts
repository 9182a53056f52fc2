import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { instanceToPlain, Type } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import { z } from 'zod';
import { type JsonSchema, ToolParam } from '@nestor-ai/schema';
import type { ToolCallback } from '../model/tool-callback.js';
import { Tool } from './declaration/tool.decorator.js';
import { FunctionToolCallback } from './function-tool-callback.js';
import { ToolCallbacks } from './tool-callbacks.js';
import { ToolExecutionException } from './tool-execution.exception.js';
import { toJsonText } from './result/to-json-text.js';

enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

class Place {
  @IsString() @Length(1, 20) city!: string;
  @IsOptional() @IsInt() @Min(0) @Max(99999) zip?: number;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Place) near?: Place[];
}

class Trip {
  @ValidateNested() @Type(() => Place) to!: Place;
  @IsDate() start!: Date;
  @IsEnum(Unit) unit = Unit.Celsius;
  @IsBoolean() cheap = true;
  @IsOptional() @IsEmail() mail?: string;
  @ToolParam({ nullable: true }) @IsInt() seats!: number | null;
  @IsString({ each: true }) tags!: Set<string>;
  @ToolParam({ type: { values: Number }, required: false }) prices?: Map<string, number>;
}

let received: unknown;
/** The number of runs of a tool. */
let accepted = 0;

class Tools {
  @Tool() primitives(
    text: string,
    count: number,
    flag = false,
    @ToolParam({ type: 'integer', required: false }) n?: number,
  ) {
    received = { text, count, flag, ...(n !== undefined && { n }) };
  }
  @Tool() dto(trip: Trip) {
    received = { ...instanceToPlain(trip), tags: trip.tags, ...(trip.prices && { prices: trip.prices }) };
  }
  @Tool() mixed(
    place: Place,
    at: Date,
    @ToolParam({ type: [Place] }) places: Place[],
    @ToolParam({ type: { values: [Unit] } }) units: Map<string, Unit[]>,
    @ToolParam({ schema: { anyOf: [{ type: 'string' }, { type: 'number' }] } }) id: string | number,
  ) {
    received = { place, at, places, units, id };
  }
  @Tool({
    inputSchema: z.object({
      a: z.union([z.string(), z.number()]),
      b: z.array(z.object({ c: z.boolean().optional() })).default([]),
      d: z.enum(['x', 'y']).nullable(),
    }),
  })
  standard(input: unknown) {
    received = input;
  }
}

const tools = ToolCallbacks.from(new Tools());
const word = fc.constantFrom(
  'text',
  'count',
  'flag',
  'n',
  'to',
  'city',
  'zip',
  'near',
  'start',
  'unit',
  'cheap',
  'mail',
  'seats',
);
const more = fc.constantFrom(
  'tags',
  'prices',
  'place',
  'at',
  'places',
  'units',
  'id',
  'a',
  'b',
  'c',
  'd',
  '__proto__',
  'constructor',
);
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(
    null,
    '5',
    '1.5',
    'true',
    'c',
    'x',
    '2030-01-01T00:00:00Z',
    'a@b.io',
    '[1]',
    '{"city":"Rome"}',
    '',
    '1e999',
  ),
);
/** Values that resemble the arguments of the tools and are mostly invalid. */
const { value: anyValue } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(word, more, fc.string({ maxLength: 3 })), tie('value'), { maxKeys: 5 }),
}));
const mostly = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: anyValue });
const place = fc.record(
  { city: mostly(fc.string({ minLength: 1, maxLength: 21 })), zip: mostly(fc.integer({ min: 0, max: 9 })) },
  { requiredKeys: ['city'] },
);
const date = fc.constantFrom('2030-01-01T00:00:00Z', '2030-01-01T10:30:00+02:00', '2030-02-30T00:00:00Z', 'soon');
const tags = fc.uniqueArray(fc.string());
/** Values that are nearly valid, and sometimes valid. */
const near = fc.oneof(
  fc.record(
    { text: mostly(fc.string()), count: mostly(fc.integer()), flag: leaf, n: leaf },
    { requiredKeys: ['text', 'count'] },
  ),
  fc.record(
    {
      to: mostly(place),
      start: date,
      unit: mostly(fc.constantFrom('c', 'f')),
      cheap: mostly(fc.constantFrom(true, 'false')),
      mail: mostly(fc.constant('a@b.io')),
      seats: mostly(fc.constantFrom(1, '2', null)),
      tags: mostly(
        fc.oneof(
          tags,
          tags.map((list) => JSON.stringify(list)),
        ),
      ),
      prices: fc.dictionary(fc.string(), mostly(fc.integer())),
    },
    { requiredKeys: ['to', 'start', 'seats', 'tags'] },
  ),
  fc.record({
    place: mostly(place),
    at: date,
    places: fc.array(place, { maxLength: 2 }),
    units: fc.dictionary(fc.string(), fc.array(mostly(fc.constant('c')), { maxLength: 2 })),
    id: mostly(fc.string()),
  }),
  fc.record({
    a: mostly(fc.string()),
    b: fc.array(fc.record({ c: mostly(fc.boolean()) }), { maxLength: 2 }),
    d: mostly(fc.constantFrom('x', null)),
  }),
);

const ajv = new Ajv2020({ strict: false, ownProperties: true });
addFormats.default(ajv);

/**
 * The tested property: the code runs with arguments that match the schema, or the model gets a
 * readable error, and nothing else happens.
 */
async function check(tool: ToolCallback, input: string, fits: (value: unknown) => boolean): Promise<void> {
  received = undefined;
  let error: unknown;
  try {
    await tool.call(input);
  } catch (thrown) {
    error = thrown;
  }
  if (error !== undefined) {
    expect(error).toBeInstanceOf(ToolExecutionException);
    expect((error as Error).message).toMatch(/^Invalid arguments: .+Correct the arguments and call the tool again\.$/s);
    expect(received).toBeUndefined();
  } else {
    accepted++;
    // Includes the value in the failure message.
    expect({ value: received, fits: fits(JSON.parse(toJsonText(received))) }).toEqual({ value: received, fits: true });
  }
}

describe.each(tools.map((tool) => [tool.toolDefinition.name, tool] as const))(
  'whatever a model sends: %s',
  (_name, tool) => {
    const validate = ajv.compile(tool.toolDefinition.inputSchema);
    const fits = (value: unknown): boolean => validate(value);

    it('the method gets a valid value, or the model a readable error: any JSON', async () => {
      await fc.assert(
        fc.asyncProperty(anyValue, (value) => check(tool, JSON.stringify(value), fits)),
        { numRuns: 300 },
      );
    });

    it('the same for nearly valid arguments, some of which are valid', async () => {
      accepted = 0;
      await fc.assert(
        fc.asyncProperty(near, (value) => check(tool, JSON.stringify(value), fits)),
        { numRuns: 500 },
      );
      expect(accepted).toBeGreaterThan(0);
    });

    it('the same for any text', async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.string(), fc.json()), (text) => check(tool, text, fits)),
        { numRuns: 200 },
      );
    });
  },
);

describe('with any schema of a tool', () => {
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null');
  const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ type }),
      fc.record({ type: fc.uniqueArray(type, { minLength: 1 }) }),
      fc.record({ enum: fc.uniqueArray(leaf, { minLength: 1, comparator: 'SameValueZero' }) }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ $ref: fc.constant('#') }),
      tie('object'),
    ),
    object: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(word, tie('schema'), { maxKeys: 4 }),
        required: fc.uniqueArray(word, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  }));
  const root = fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(word, schema, { maxKeys: 4 }),
    required: fc.uniqueArray(word, { maxLength: 2 }),
  });

  it('the function gets a valid value, or the model a readable error', async () => {
    const property = fc.asyncProperty(root, fc.array(anyValue, { maxLength: 5 }), async (inputSchema, values) => {
      const tool = new FunctionToolCallback({
        name: 'any',
        inputSchema,
        toolFunction: (input) => {
          received = input;
        },
      });
      tool.verify();
      const validate = ajv.compile(inputSchema);
      for (const value of values) await check(tool, JSON.stringify(value), (given) => validate(given));
      ajv.removeSchema(inputSchema);
    });
    await fc.assert(property, { numRuns: 200 });
  }, 30_000);
});
