/* How long it takes to make tools of 5,000 `@Tool()` methods whose classes are loaded: microseconds a method. */
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { Tool, ToolCallbacks, ToolParam } from '@nestor-ai/core';
import { IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { median } from './measure.js';

const CLASSES = 1000;
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

/** Microseconds a method. */
interface Times {
  /** In a process that has made no tools before, as a bootstrap does. */
  readonly first: number;
  /** When the code is compiled. */
  readonly median: number;
}

function measure(make: () => new () => object): Times {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const objects = Array.from({ length: CLASSES }, () => new (make())());
    globalThis.gc?.();
    const start = performance.now();
    for (const object of objects) ToolCallbacks.from(object);
    times.push(((performance.now() - start) * 1000) / (CLASSES * METHODS));
  }
  return { first: times[0]!, median: median(times) };
}

const KINDS = {
  'primitive parameters': { make: primitiveTools, limit: 20 },
  'primitive parameters, with the plugin': { make: typedTools, limit: 20 },
  'a class of its own': { make: dtoTools, limit: 100 },
  'an interface of its own, with the plugin': { make: typedObjectTools, limit: 40 },
};
type Kind = keyof typeof KINDS;

/** How many times faster a bootstrap makes tools with types of the compiler plugin. */
const FACTOR = 2;
const PAIRS: readonly (readonly [without: Kind, withPlugin: Kind])[] = [
  ['primitive parameters', 'primitive parameters, with the plugin'],
  ['a class of its own', 'an interface of its own, with the plugin'],
];

const [, script = '', chosen] = process.argv;
if (chosen) console.log(JSON.stringify(measure(KINDS[chosen as Kind].make)));
else compare();

/** Measures each kind in processes of its own, which take turns. */
function compare(): void {
  const times = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, [] as Times[]])) as Record<Kind, Times[]>;
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of Object.keys(KINDS) as Kind[]) times[kind].push(measureInProcess(kind));
  console.log(`Making tools of ${CLASSES * METHODS} methods, µs a method, Node ${process.version}, ${ROUNDS} rounds`);
  for (const [kind, { limit }] of Object.entries(KINDS)) {
    const taken = median(times[kind as Kind].map((one) => one.median));
    const first = median(times[kind as Kind].map((one) => one.first));
    const verdict = taken > limit ? 'NOT MET' : 'met';
    console.log(`  ${kind}: ${taken.toFixed(1)}, in a bootstrap ${first.toFixed(1)} (at most ${limit}: ${verdict})`);
    if (taken > limit) process.exitCode = 1;
  }
  for (const [without, withPlugin] of PAIRS) {
    const factor = median(times[without].map(({ first }, round) => first / times[withPlugin][round]!.first));
    const verdict = factor >= FACTOR ? 'met' : 'NOT MET';
    console.log(`  with the plugin, ${without}: ${factor.toFixed(2)}x as fast (target ${FACTOR}x: ${verdict})`);
  }
}

function measureInProcess(kind: Kind): Times {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', script, kind], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Times;
}
