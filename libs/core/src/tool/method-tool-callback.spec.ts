import { describe, expect, it } from '@jest/globals';
import {
  IsBoolean,
  IsDate,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  validate,
  ValidateNested,
} from 'class-validator';
import { FunctionToolCallback } from './function-tool-callback.js';
import { Type } from 'class-transformer';
import { ToolContext } from '../model/tool-context.js';
import { ToolResult } from '../model/tool-result.js';
import { of, throwError } from 'rxjs';
import { z } from 'zod';
import { Tool } from './declaration/tool.decorator.js';
import { ToolParam, type Type as ClassType } from '@nestor-ai/schema';
import { MethodToolCallback } from './method-tool-callback.js';
import { ToolCallbacks } from './tool-callbacks.js';
import { ToolDefinitions } from './tool-definitions.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { ToolExecutionException } from './tool-execution.exception.js';

const toolOf = (source: object, name?: string): ToolCallback => {
  const tools = ToolCallbacks.from(source);
  return name ? tools.find(({ toolDefinition }) => toolDefinition.name === name)! : tools[0]!;
};

const recursive = { type: 'object', properties: { next: { $ref: '#' } } };

class Demanding {
  @IsString() a: string;
  constructor(init: { a: string }) {
    this.a = init.a;
  }
}

class Place {
  @IsString() city!: string;
  @IsOptional() @IsInt() @Min(0) @Max(99999) zip?: number;
}

class Unnamed {
  @ValidateNested({ each: true }) steps!: Place[];
}

class Trip {
  @ToolParam({ description: 'Where to go' })
  @ValidateNested()
  @Type(() => Place)
  to!: Place;

  @IsInt() @Min(1) days!: number;
  @IsDate() start!: Date;
  @IsBoolean() cheap = true;
}

describe('the input of a tool method', () => {
  it('is described by its parameters, their decorators and the names in the source', () => {
    class Tools {
      @Tool({ description: 'Finds a flight' })
      find(@ToolParam({ description: 'Where to' }) to: string, seats: number, direct = false, _context?: ToolContext) {
        return { to, seats, direct };
      }
    }
    expect(toolOf(new Tools()).toolDefinition).toEqual({
      name: 'find',
      description: 'Finds a flight',
      inputSchema: {
        type: 'object',
        properties: {
          to: { type: 'string', description: 'Where to' },
          seats: { type: 'number' },
          direct: { type: 'boolean', default: false },
        },
        required: ['to', 'seats'],
        additionalProperties: false,
      },
    });
  });

  it('is one frozen object, the same each time', () => {
    class Tools {
      @Tool() one(a: string) {
        return a;
      }
    }
    const { toolDefinition } = toolOf(new Tools());
    expect(Object.isFrozen(toolDefinition.inputSchema)).toBe(true);
    expect(Object.isFrozen(toolDefinition.inputSchema.properties)).toBe(true);
  });

  it('is described by a class with class-validator decorators, nested ones included', () => {
    class Tools {
      @Tool() book(trip: Trip) {
        return trip;
      }
    }
    expect(toolOf(new Tools()).toolDefinition.inputSchema).toEqual({
      type: 'object',
      properties: {
        to: {
          type: 'object',
          description: 'Where to go',
          properties: { city: { type: 'string' }, zip: { type: 'integer', minimum: 0, maximum: 99999 } },
          required: ['city'],
          additionalProperties: false,
        },
        days: { type: 'integer', minimum: 1 },
        start: { type: 'string', format: 'date-time' },
        cheap: { type: 'boolean', default: true },
      },
      required: ['to', 'days', 'start'],
      additionalProperties: false,
    });
  });

  it('is converted to an instance of the class, with dates, nested instances and defaults', async () => {
    let received: Trip | undefined;
    class Tools {
      @Tool() book(trip: Trip) {
        received = trip;
      }
    }
    await toolOf(new Tools()).call('{"to":{"city":"Rome","zip":"100"},"days":"3","start":"2030-01-02T00:00:00Z"}');
    expect(received).toBeInstanceOf(Trip);
    expect(received?.to).toBeInstanceOf(Place);
    expect(received).toEqual(
      expect.objectContaining({ to: { city: 'Rome', zip: 100 }, days: 3, start: new Date('2030-01-02'), cheap: true }),
    );
  });

  it('may be a Standard Schema; the method receives its output, then the context', async () => {
    class Tools {
      @Tool({ inputSchema: z.object({ city: z.string().transform((city) => city.toUpperCase()) }) })
      weather({ city }: { city: string }, context: ToolContext) {
        return `${city} for ${context.get<string>('tenant')}`;
      }
    }
    const tool = toolOf(new Tools());
    expect(tool.toolDefinition.inputSchema).toMatchObject({ properties: { city: { type: 'string' } } });
    expect(await tool.call('{"city":"rome"}', new ToolContext({ tenant: 'acme' }))).toBe('ROME for acme');
  });

  it('may be a JSON Schema, sent unchanged and enforced', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 2 } }, required: ['n'] };
    class Tools {
      @Tool({ inputSchema }) half(input: { n: number }) {
        return input.n / 2;
      }
    }
    const tool = toolOf(new Tools());
    expect(tool.toolDefinition.inputSchema).toEqual(inputSchema);
    expect(await tool.call('{"n":"8"}')).toBe('4');
    await expect(tool.call('{"n":1}')).rejects.toThrow("'n' must be >= 2");
  });

  it('does not include the context and the signal, which are injected at any position', async () => {
    class Tools {
      @Tool() run(signal: AbortSignal, text: string, context: ToolContext) {
        return [signal.aborted, text, context.toolCall.id];
      }
    }
    const tool = toolOf(new Tools());
    expect(Object.keys(tool.toolDefinition.inputSchema.properties as object)).toEqual(['text']);
    const context = new ToolContext({}, { toolCall: { id: '7', name: 'run' } });
    expect(await tool.call('{"text":"x"}', context)).toBe('[false,"x","7"]');
  });

  it('may mix parameters of every kind', async () => {
    class Tools {
      @Tool() mix(
        place: Place,
        @ToolParam({ type: [String] }) tags: string[],
        @ToolParam({ type: 'integer', required: false }) count: number | undefined,
        at: Date,
        @ToolParam({ schema: { enum: ['a', 1] } }) choice: 'a' | 1,
      ) {
        return [place instanceof Place, tags, count === undefined, at instanceof Date, choice];
      }
    }
    const tool = toolOf(new Tools());
    expect(tool.toolDefinition.inputSchema.required).toEqual(['place', 'tags', 'at', 'choice']);
    const input = { place: { city: 'Rome' }, tags: ['x'], at: '2030-01-01', choice: 1 };
    await expect(tool.call(JSON.stringify(input))).rejects.toThrow(/'at' must match format "date-time"/);
    expect(await tool.call(JSON.stringify({ ...input, at: '2030-01-01T00:00:00Z' }))).toBe('[true,["x"],true,true,1]');
  });
});

describe('invalid arguments', () => {
  class Tools {
    calls = 0;
    @Tool() add(a: number, b: number, @ToolParam({ required: false }) note?: string) {
      this.calls++;
      return `${a + b}${note ?? ''}`;
    }
    @Tool() book(_trip: Trip) {
      this.calls++;
    }
  }

  it.each([
    ['{"a":1', /not valid JSON/],
    ['[1,2]', /must be a JSON object/],
    ['null', /must be a JSON object/],
    ['"text"', /must be a JSON object/],
    ['{"a":"x","b":2}', /'a' must be number/],
    ['{"a":1}', /'b' is required/],
    ['', /'a' is required; 'b' is required/],
    ['{"a":1,"b":2,"note":5}', /'note' must be string/],
    ['{"a":1e999,"b":2}', /'a' must be number/],
    ['{"a":1,"b":2,"c":3}', /'c' is not an argument of this tool/],
    ['{"a":1,"b":2,"constructor":3}', /'constructor' is not an argument/],
    ['{"a":{"valueOf":1},"b":[]}', /'a' must be number; 'b' must be number/],
  ])('%s is refused before the method runs', async (input, message) => {
    const tools = new Tools();
    await expect(toolOf(tools, 'add').call(input)).rejects.toThrow(message);
    await expect(toolOf(tools, 'add').call(input)).rejects.toThrow(ToolExecutionException);
    expect(tools.calls).toBe(0);
  });

  it('are all listed, with their paths', async () => {
    const call = toolOf(new Tools(), 'book').call('{"to":{"city":5,"zip":-1},"days":0,"start":"soon","extra":1}');
    await expect(call).rejects.toThrow(/to\.zip: zip must not be less than 0/);
    await expect(call).rejects.toThrow(/days must not be less than 1/);
    await expect(call).rejects.toThrow(/'start' must be a date, or a date and time, in ISO-8601 format/);
    await expect(call).rejects.toThrow(/'extra' is not an argument of this tool/);
    await expect(call).rejects.toThrow(/to\.city: city must be a string/);
  });

  it.each([
    ['{"a":"1","b":" 2.5 "}', '3.5'],
    ['{"a":1,"b":2,"note":null}', '3'],
    ['{"a":1,"a":10,"b":2}', '12'],
    ['{"a":1,"b":2,"__proto__":{"polluted":true}}', '3'],
    ['{"a":1,"b":2,"\\u005f_proto__":{"polluted":true}}', '3'],
  ])('%s is accepted, because the intent is clear', async (input, result) => {
    expect(await toolOf(new Tools(), 'add').call(input)).toBe(result);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('cannot change the prototype of an instance', async () => {
    let received: object | undefined;
    class Own {
      @Tool() take(place: Place) {
        received = place;
      }
    }
    await toolOf(new Own()).call('{"city":"Rome","__proto__":{"city":"Evil","admin":true}}');
    expect(received).toBeInstanceOf(Place);
    expect((received as { admin?: boolean }).admin).toBeUndefined();
  });
});

enum Level {
  Low,
  High,
}

class Step {
  @ToolParam() label!: string;
  @IsDate() at!: Date;
}

class Plan {
  @IsNotEmpty() @IsNumber() quantity!: number;
  @IsEnum(Level) level!: Level;
  @ValidateNested({ each: true }) @Type(() => Step) steps!: Step[];
  @ValidateNested() first!: Step;
  @IsOptional() @IsDate({ each: true }) dates?: Date[];
  @ToolParam({ type: [Step], required: false }) more?: Step[];
  @IsOptional() @Matches(/^[a-z]+-\d+$/i) code?: string;
}

class Tree {
  @IsString() name!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
}

describe('a class as the input', () => {
  const step = { label: 'go', at: '2030-01-01' };
  const plan = { quantity: '2', level: 1, steps: [step], first: step };
  class Tools {
    received: unknown[] = [];
    @Tool() run(given: Plan) {
      this.received = [given];
    }
    @Tool() grow(tree: Tree, @ToolParam({ schema: recursive }) other: unknown) {
      this.received = [tree, other];
    }
    @Tool() plant(tree: Tree) {
      this.received = [tree];
    }
  }

  it('may contain numbers with @IsNotEmpty(), numeric enums, and nested classes of every kind', async () => {
    const tools = new Tools();
    await toolOf(tools, 'run').call(JSON.stringify({ ...plan, more: [step], code: 'A-1', dates: ['2030-01-01'] }));
    const [given] = tools.received as [Plan];
    expect(given).toMatchObject({ quantity: 2, level: Level.High, code: 'A-1', dates: [new Date('2030-01-01')] });
    for (const made of [given.steps[0], given.first, given.more![0]]) {
      expect(made).toBeInstanceOf(Step);
      expect(made?.at).toBeInstanceOf(Date);
    }
  });

  it.each([
    [{ steps: undefined }, /steps/],
    [{ steps: { label: 'x' } }, /'steps' must be array/],
    [{ steps: [{ ...step, at: 'soon' }] }, /'steps\[0\]\.at' must be a date, or/],
    [{ steps: [{ ...step, extra: 1 }] }, /'steps\[0\]\.extra' is not an argument/],
    [{ level: 'High' }, /level/],
    [{ level: 7 }, /level/],
    [{ quantity: '1e999' }, /quantity/],
    [{ more: [{ label: 5, at: '2030-01-01' }] }, /'more\[0\]\.label' must be string/],
    [{ code: '1-a' }, /code must match/],
  ])('is validated against the schema that the model received: %j', async (change, message) => {
    const call = toolOf(new Tools(), 'run').call(JSON.stringify({ ...plan, ...change }));
    await expect(call).rejects.toThrow(message);
  });

  it('may contain itself, also as one of several parameters', async () => {
    const tools = new Tools();
    const tree = { name: 'a', children: [{ name: 'b', children: [] }] };
    await toolOf(tools, 'plant').call(JSON.stringify(tree));
    expect((tools.received[0] as Tree).children![0]).toBeInstanceOf(Tree);
    await toolOf(tools, 'grow').call(JSON.stringify({ tree, other: { next: { next: {} } } }));
    expect((tools.received[0] as Tree).children![0]).toBeInstanceOf(Tree);
    const wrong = toolOf(tools, 'grow').call(
      JSON.stringify({ tree: { name: 'a', children: [{ name: 1 }] }, other: {} }),
    );
    await expect(wrong).rejects.toThrow(
      /'tree\.children\[0\]\.name' must be string|tree\.children\[0\]\.name: name must be a string/,
    );
    const alsoWrong = toolOf(tools, 'grow').call(JSON.stringify({ tree, other: { next: { next: 5 } } }));
    await expect(alsoWrong).rejects.toThrow(/'other\.next\.next' must be object/);
  });

  it('does not affect HTTP validation of the class', async () => {
    ToolCallbacks.from(new Tools());
    const errors = await validate(Object.assign(new Step(), { label: 'x', at: new Date() }), {
      whitelist: true,
      forbidNonWhitelisted: true,
    });
    expect(errors.map(({ property }) => property)).toEqual(['label']);
  });

  it.each([
    ['that cannot be made without arguments', Demanding, /Demanding cannot be the input.*without arguments/],
    ['whose nested class is not named', Unnamed, /Property 'steps' of Unnamed.*@Type/],
  ])('is refused at once: a class %s', (_name, inputType, message) => {
    const tool = new FunctionToolCallback({ name: 'x', inputType: inputType as ClassType, toolFunction: () => 1 });
    expect(() => tool.verify()).toThrow(message);
  });
});

describe('parameters with their own schemas', () => {
  class Tools {
    @Tool() list(
      @ToolParam({ schema: z.number().int().default(7) }) limit: number,
      @ToolParam({ schema: z.string().optional() }) q?: string,
    ) {
      return [limit, q ?? null];
    }
    @Tool() bad(@ToolParam({ schema: { type: 'strin' } }) _q: string) {}
    @Tool() point(@ToolParam({ schema: z.object({ x: z.number() }) }) at: { x: number }) {
      return at;
    }
  }

  it('may be optional, or have a default', async () => {
    const tool = toolOf(new Tools(), 'list');
    expect(tool.toolDefinition.inputSchema.required).toEqual([]);
    expect(await tool.call('{}')).toBe('[7,null]');
    expect(await tool.call('{"limit":"3","q":null}')).toBe('[3,null]');
  });

  it('are refused before they are offered if the schema is invalid', () => {
    expect(() => toolOf(new Tools(), 'bad').verify()).toThrow(/schema is invalid/);
  });

  it('name the parameter in their errors', async () => {
    await expect(toolOf(new Tools(), 'point').call('{"at":{"x":"far"}}')).rejects.toThrow(/'at\.x'/);
  });
});

describe('the result of a tool', () => {
  const resultOf = (value: unknown): Promise<string | ToolResult> => {
    class Tools {
      @Tool() give(): unknown {
        if (value instanceof Error) throw value;
        return value;
      }
    }
    return toolOf(new Tools()).call('{}');
  };

  const cyclic: Record<string, unknown> = { name: 'a' };
  cyclic.self = cyclic;

  it.each([
    ['a string verbatim', 'It is "sunny"', 'It is "sunny"'],
    ['nothing, of a method that declares a value', undefined, 'Nothing was found: the tool returned no value.'],
    ['null', null, 'null'],
    ['an object as JSON', { a: [1, { b: true }] }, '{"a":[1,{"b":true}]}'],
    ['a promise by its value', Promise.resolve(5), '5'],
    ['a BigInt as decimal text', { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
    ['a Map as an object', new Map([['a', new Set([1, 2n])]]), '{"a":[1,"2"]}'],
    ['a date as ISO text', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a cycle, cut', cyclic, '{"name":"a","self":"[Circular]"}'],
    ['bytes as base64', { data: new Uint8Array([1, 2, 3]) }, '{"data":"AQID"}'],
    ['the last of an Observable', of(1, 2, 3), '3'],
  ])('is converted to text: %s', async (_name, value, text) => {
    expect(await resultOf(value)).toBe(text);
  });

  it.each([
    ['done', 'Done'],
    ['unsaid', 'Done'],
    ['later', 'Done. Nothing was returned.'],
    ['text', 'Nothing was found: the tool returned no value.'],
    ['list', 'Nothing was found: the tool returned no value.'],
    ['perhaps', 'Nothing was found: the tool returned no value.'],
  ])('describes a missing value according to the declared return type: %s', async (name, text) => {
    class Tools {
      @Tool() done(): void {}
      @Tool() unsaid() {}
      @Tool() async later(): Promise<number | undefined> {
        return undefined;
      }
      @Tool() text(): string {
        return undefined as never;
      }
      @Tool() list(): string[] {
        return undefined as never;
      }
      @Tool() perhaps(): Date | undefined {
        return undefined;
      }
    }
    expect(await toolOf(new Tools(), name).call('{}')).toBe(text);
  });

  it.each([
    ['a function (later)', function later() {}],
    ['a function (Date)', Date],
    ['a symbol', Symbol('secret')],
  ])('is an error if it cannot be converted to text: %s', async (what, value) => {
    await expect(resultOf(value)).rejects.toThrow(`The tool returned ${what}, which a model cannot read.`);
  });

  it('repeats an object that occurs twice without being a cycle', async () => {
    const shared = { x: { y: 1 } };
    expect(await resultOf({ a: shared, b: shared })).toBe('{"a":{"x":{"y":1}},"b":{"x":{"y":1}}}');
  });

  it('may be a ToolResult, which stays unchanged', async () => {
    const result = new ToolResult({
      text: 'A chart',
      content: [{ type: 'image', mimeType: 'image/png', data: 'AA==' }],
    });
    expect(await resultOf(result)).toBe(result);
  });

  it('of a generator is the last item', async () => {
    class Worker {
      @Tool() *work() {
        yield 'halfway';
        yield { done: true };
      }
    }
    expect(await ToolCallbacks.from(new Worker())[0]!.call('{}')).toBe('{"done":true}');
  });

  it('of an async generator is the last item; the earlier ones are progress', async () => {
    const progress: unknown[] = [];
    class Tools {
      @Tool() async *work() {
        yield 10;
        yield 90;
        yield 'ready';
      }
    }
    const context = new ToolContext({}, { onProgress: (value) => progress.push(value) });
    expect(await toolOf(new Tools()).call('{}', context)).toBe('ready');
    expect(progress).toEqual([10, 90]);
  });

  it.each([
    ['an error', () => new Error('No seat left'), 'No seat left'],
    ['a failing Observable', () => throwError(() => new Error('down')), 'down'],
    ['a rejected promise', () => Promise.reject(new Error('late')), 'late'],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('secret');
        },
      }),
      'secret',
    ],
  ])('is a ToolExecutionException with the message of %s', async (_name, give, message) => {
    const call = resultOf(give());
    await expect(call).rejects.toBeInstanceOf(ToolExecutionException);
    await expect(call).rejects.toThrow(message);
  });

  it('can be converted by the tool itself', async () => {
    class Tools {
      @Tool({ resultConverter: { convert: (value) => `<${String(value)}>` } }) give() {
        return 1;
      }
    }
    expect(await toolOf(new Tools()).call('{}')).toBe('<1>');
  });
});

describe('the methods of a tool object', () => {
  class Base {
    @Tool({ description: 'base' }) inherited() {
      return 'base';
    }
    @Tool({ description: 'base' }) overridden() {
      return 'base';
    }
  }
  class Derived extends Base {
    @Tool({ description: 'derived' }) override overridden() {
      return 'derived';
    }
    plain() {
      return 'no tool';
    }
    @Tool() static shared() {
      return 'static';
    }
  }

  it('include inherited ones, and overridden ones once', () => {
    const tools = ToolCallbacks.from(new Derived());
    expect(tools.map(({ toolDefinition: { name, description } }) => ({ name, description }))).toEqual([
      { name: 'overridden', description: 'derived' },
      { name: 'inherited', description: 'base' },
    ]);
  });

  it('have the parameters that an override adds, or name those whose type nobody knows', async () => {
    class Finder {
      @Tool() find(id: string): string {
        return id;
      }
    }
    class Limited extends Finder {
      override find(id: string, limit = 5): string {
        return `${id} ${limit}`;
      }
    }
    class OfTenant extends Finder {
      override find(id: string, context?: ToolContext): string {
        return `${id} of ${String(context?.get('tenant'))}`;
      }
    }
    expect(await ToolCallbacks.from(new Limited())[0]!.call('{"id":"a","limit":2}')).toBe('a 2');
    expect(() => ToolCallbacks.from(new OfTenant())).toThrow(/'context'/);
  });

  it('name the parameter whose schema cannot be expressed', () => {
    class Dates {
      @Tool() find(@ToolParam({ schema: z.string() }) city: string, @ToolParam({ schema: z.date() }) until: Date) {
        return [city, until];
      }
    }
    expect(() => ToolCallbacks.from(new Dates())).toThrow(/Parameter 'until' \(number 2\) of Dates\.find\(\)/);
  });

  it('have no parameter with the name of the prototype, which no argument gets', () => {
    class Tools {
      @Tool() find(@ToolParam({ name: '__proto__' }) city: string) {
        return city;
      }
    }
    expect(() => ToolCallbacks.from(new Tools())).toThrow(
      /Tools\.find\(\) has a parameter named __proto__\. Rename it/,
    );
  });

  it('are the static ones when a class is given', async () => {
    const [tool] = ToolCallbacks.from(Derived);
    expect(await tool?.call('{}')).toBe('static');
  });

  it('are named after the method and described by its words by default', () => {
    class Tools {
      @Tool() currentDateTime() {}
    }
    expect(toolOf(new Tools()).toolDefinition).toMatchObject({
      name: 'currentDateTime',
      description: 'current date time',
    });
  });

  it('remain tools when another decorator replaces the function', async () => {
    const Loud = (): MethodDecorator => (_target, _key, descriptor) => {
      const original = descriptor.value as unknown as (...args: unknown[]) => string;
      descriptor.value = function (this: unknown, ...args: unknown[]) {
        return `${original.apply(this, args)}!`;
      } as never;
    };
    class Tools {
      @Loud()
      @Tool({ inputSchema: z.object({ text: z.string() }) })
      say({ text }: { text: string }) {
        return text;
      }
    }
    expect(await toolOf(new Tools()).call('{"text":"hey"}')).toBe('hey!');
  });

  it('are refused when there are none, when names clash, or when only the container could run their guards', () => {
    class None {}
    class Guarded {
      @Tool() danger() {}
    }
    Reflect.defineMetadata('__guards__', [class {}], Guarded.prototype.danger);
    class Twice {
      @Tool({ name: 'same' }) a() {}
      @Tool({ name: 'same' }) b() {}
    }
    expect(() => ToolCallbacks.from(new None())).toThrow(/No @Tool\(\) methods found in None\. Did you mean/);
    expect(() => ToolCallbacks.from(Twice)).toThrow(
      /The @Tool\(\) methods of Twice need an instance\. In Nest, provide/,
    );
    expect(() => ToolCallbacks.from(new Twice())).toThrow(
      /same name \(same\) found in sources: 'same' is Twice\.a\(\) and Twice\.b\(\)/,
    );
    expect(() => ToolCallbacks.from(new Guarded())).toThrow(/Guarded\.danger\(\) has guards, which would not run/);
  });
});

class NotADto {
  city!: string;
}

class WithArray {
  @IsOptional() tags?: string[];
}

interface Filter {
  text: string;
}

class TakesInterface {
  @Tool() find(_filter: Filter) {}
}
class TakesArray {
  @Tool() find(_names: string[]) {}
}
class TakesUnion {
  @Tool() find(_id: string | number) {}
}
class Decimal {
  toJSON() {
    return '1';
  }
}
class TakesDecimal {
  @Tool() find(_price: Decimal) {}
}
class TakesPlainClass {
  @Tool() find(_place: NotADto) {}
}
class TakesDestructured {
  @Tool() find({ length }: string) {
    return length;
  }
}
class TakesRest {
  @Tool() find(@ToolParam({ type: [String] }) ..._names: string[]) {}
}
class TakesUntypedProperty {
  @Tool() find(_input: WithArray) {}
}

describe('a method whose input cannot be determined', () => {
  it.each([
    ['an interface', TakesInterface, /TakesInterface\.find.*Parameter '_filter' \(number 1\).*interface.*@ToolParam/s],
    ['an array without item type', TakesArray, /'_names'.*is an array.*@ToolParam\(\{ type: \[String\] \}\)/s],
    ['a union', TakesUnion, /'_id'.*union/s],
    [
      'a class with a form of its own in JSON',
      TakesDecimal,
      /is of type Decimal.*such as a string, and make the Decimal/,
    ],
    ['a class without decorators', TakesPlainClass, /is of type NotADto, which does not describe its properties/],
    ['a destructured parameter', TakesDestructured, /name of parameter number 1.*destructured.*@ToolParam\(\{ name/s],
    ['a rest parameter', TakesRest, /rest parameter/],
    ['an array property without item type', TakesUntypedProperty, /Property 'tags' of WithArray is an array/],
  ])('is refused with the remedy: %s', (_name, type, message) => {
    expect(() => ToolCallbacks.from(new type())).toThrow(message);
  });
});

describe('MethodToolCallback', () => {
  class Plain {
    greet(@ToolParam({ description: 'Whom' }) name: string) {
      return `Hello ${name}`;
    }
  }

  it('turns a method without @Tool into a tool', async () => {
    const tool = MethodToolCallback.builder()
      .toolDefinition(ToolDefinitions.builder(Plain, 'greet').description('Greets').build())
      .toolMethod('greet')
      .toolObject(new Plain())
      .build();
    expect(tool.toolDefinition).toMatchObject({ name: 'greet', description: 'Greets' });
    expect(await tool.call('{"name":"Ada"}')).toBe('Hello Ada');
  });

  it('names the class and the missing method', () => {
    const toolDefinition = ToolDefinitions.from(Plain, 'greet');
    expect(() => new MethodToolCallback({ toolDefinition, toolMethod: 'nope', toolObject: new Plain() })).toThrow(
      /Plain has no method 'nope'/,
    );
  });
});

describe('a method with a custom definition', () => {
  class Alarm {
    @Tool()
    setAlarm(time: string): string {
      return `set to ${time}`;
    }
  }
  const inputSchema = {
    type: 'object',
    properties: { time: { type: 'string', pattern: '^\\d\\d:\\d\\d$' } },
    required: ['time'],
  };

  it('validates arguments against the schema that the model received', async () => {
    const toolDefinition = ToolDefinitions.builder(Alarm, 'setAlarm').inputSchema(inputSchema).build();
    const tool = new MethodToolCallback({ toolDefinition, toolMethod: 'setAlarm', toolObject: new Alarm() });
    await expect(tool.call('{"time":"noon"}')).rejects.toThrow(/time/);
    expect(await tool.call('{"time":"12:00"}')).toBe('set to 12:00');
  });

  it('keeps the labels of the method, unless the given ones are more cautious', () => {
    class Mail {
      @Tool({ untrusted: true, effect: 'write' }) read() {}
    }
    const labelsWith = (toolMetadata: ToolMetadata) => {
      const toolDefinition = ToolDefinitions.from(Mail, 'read');
      const tool = new MethodToolCallback({ toolDefinition, toolMetadata, toolMethod: 'read', toolObject: new Mail() });
      return tool.toolMetadata;
    };
    expect(labelsWith({ returnDirect: true, untrusted: false, effect: 'read' })).toEqual({
      returnDirect: true,
      untrusted: true,
      effect: 'write',
    });
    expect(labelsWith({ returnDirect: false, effect: 'irreversible' })).toMatchObject({ effect: 'irreversible' });
  });

  it('names the remedy if it has neither an object nor a class', () => {
    const toolDefinition = ToolDefinitions.from(Alarm, 'setAlarm');
    expect(() => new MethodToolCallback({ toolDefinition, toolMethod: 'setAlarm' })).toThrow(
      "The tool method 'setAlarm' needs a toolObject, or a toolClass if it is static.",
    );
  });
});
