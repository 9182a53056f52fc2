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

const LIMITS = { 'primitive parameters': 20, 'a class of its own': 100 };
const measured = { 'primitive parameters': measure(primitiveTools), 'a class of its own': measure(dtoTools) };

console.log(`Making tools of ${CLASSES * METHODS} methods, µs a method, Node ${process.version}, ${ROUNDS} rounds`);
for (const [kind, limit] of Object.entries(LIMITS)) {
  const { first, median } = measured[kind as keyof typeof measured];
  console.log(
    `  ${kind}: median ${median.toFixed(1)} (at most ${limit}), first round, in a cold process: ${first.toFixed(1)}`,
  );
  if (median > limit) process.exitCode = 1;
}
