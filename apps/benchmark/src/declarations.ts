/* How long it takes to make tools of 1,000 `@Tool()` methods whose classes are loaded: microseconds a method. */
import 'reflect-metadata';
import { Tool, ToolCallbacks, ToolParam } from '@nestor-ai/core';
import { IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';

const CLASSES = 200;
const METHODS = 5;
const ROUNDS = 9;

/** A class with methods whose parameters are primitives; each call makes another one. */
function primitiveTools(): new () => object {
  class Tools {
    @Tool({ description: 'Get the weather of a city' })
    weather(@ToolParam({ description: 'The city' }) city: string, days: number) {
      return `${city} ${days}`;
    }
    @Tool({ description: 'Set an alarm' })
    alarm(time: string, volume = 5, loud = false) {
      return `${time} ${volume} ${loud}`;
    }
    @Tool({ description: 'Get the time' })
    time() {
      return new Date().toISOString();
    }
    @Tool({ description: 'Send a message' })
    async send(to: string, @ToolParam({ description: 'What to say', required: false }) text?: string) {
      return `${to} ${text}`;
    }
    @Tool({ description: 'Convert an amount' })
    convert(amount: number, from: string, to: string) {
      return `${amount} ${from} ${to}`;
    }
  }
  return Tools;
}

/** A class with methods that each take a class of their own. */
function dtoTools(): new () => object {
  const dto = (): new () => object => {
    class Booking {
      @ToolParam({ description: 'Where to go' }) @IsString() city!: string;
      @IsInt() @Min(1) nights!: number;
      @IsOptional() @IsString() note?: string;
      @IsBoolean() breakfast = true;
    }
    return Booking;
  };
  class Tools {}
  for (let index = 0; index < METHODS; index++) {
    const name = `book${index}`;
    Object.defineProperty(Tools.prototype, name, { value: (booking: unknown) => booking, configurable: true });
    const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name)!;
    Tool({ description: 'Book a hotel', inputType: dto() })(Tools.prototype, name, descriptor);
  }
  return Tools;
}

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const parameter = (name: string, schema: object, required = true) => ({ name, required, schema: { ...schema } });

/** The same methods as {@link primitiveTools}, as the compiler plugin writes them: from their types. */
function typedTools(): new () => object {
  class Tools {
    static [Symbol.for('nestor.ClassTypes')]() {
      return {
        version: 1,
        sources: { 'src/tools.ts': '0123456789ab' },
        methods: {
          weather: {
            description: 'Get the weather of a city',
            parameters: [parameter('city', { ...TEXT, description: 'The city' }), parameter('days', NUMBER)],
          },
          alarm: {
            description: 'Set an alarm',
            parameters: [
              parameter('time', TEXT),
              parameter('volume', { ...NUMBER, default: 5 }, false),
              parameter('loud', { type: 'boolean', default: false }, false),
            ],
          },
          time: { description: 'Get the time', parameters: [] },
          send: {
            description: 'Send a message',
            parameters: [parameter('to', TEXT), parameter('text', { ...TEXT, description: 'What to say' }, false)],
          },
          convert: {
            description: 'Convert an amount',
            parameters: [parameter('amount', NUMBER), parameter('from', TEXT), parameter('to', TEXT)],
          },
        },
      };
    }
    @Tool() weather(city: string, days: number) {
      return `${city} ${days}`;
    }
    @Tool() alarm(time: string, volume = 5, loud = false) {
      return `${time} ${volume} ${loud}`;
    }
    @Tool() time() {
      return new Date().toISOString();
    }
    @Tool() async send(to: string, text?: string) {
      return `${to} ${text}`;
    }
    @Tool() convert(amount: number, from: string, to: string) {
      return `${amount} ${from} ${to}`;
    }
  }
  return Tools;
}

/** A class with methods that each take an interface with the properties of {@link dtoTools}. */
function typedObjectTools(): new () => object {
  const booking = () => ({
    parameters: [
      parameter('booking', {
        type: 'object',
        properties: {
          city: { ...TEXT, description: 'Where to go' },
          nights: { type: 'integer', minimum: 1 },
          note: TEXT,
          breakfast: { type: 'boolean' },
        },
        required: ['city', 'nights', 'breakfast'],
        additionalProperties: false,
      }),
    ],
  });
  const names = Array.from({ length: METHODS }, (_, index) => `book${index}`);
  class Tools {
    static [Symbol.for('nestor.ClassTypes')]() {
      return { version: 1, sources: {}, methods: Object.fromEntries(names.map((name) => [name, booking()])) };
    }
  }
  for (const name of names) {
    Object.defineProperty(Tools.prototype, name, { value: (booking: unknown) => booking, configurable: true });
    const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name)!;
    Tool({ description: 'Book a hotel' })(Tools.prototype, name, descriptor);
  }
  return Tools;
}

function measure(make: () => new () => object): { first: number; median: number } {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const objects = Array.from({ length: CLASSES }, () => new (make())());
    globalThis.gc?.();
    const start = performance.now();
    for (const object of objects) ToolCallbacks.from(object);
    times.push(((performance.now() - start) * 1000) / (CLASSES * METHODS));
  }
  return { first: times[0]!, median: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]! };
}

const LIMITS = {
  'primitive parameters': 20,
  'primitive parameters, with the plugin': 20,
  'a class of its own': 100,
  'an interface of its own, with the plugin': 40,
};
const measured = {
  'primitive parameters': measure(primitiveTools),
  'primitive parameters, with the plugin': measure(typedTools),
  'a class of its own': measure(dtoTools),
  'an interface of its own, with the plugin': measure(typedObjectTools),
};

console.log(`Making tools of ${CLASSES * METHODS} methods, µs a method, Node ${process.version}, ${ROUNDS} rounds`);
for (const [kind, limit] of Object.entries(LIMITS)) {
  const { first, median } = measured[kind as keyof typeof measured];
  console.log(
    `  ${kind}: median ${median.toFixed(1)} (at most ${limit}), first round, in a cold process: ${first.toFixed(1)}`,
  );
  if (median > limit) process.exitCode = 1;
}
