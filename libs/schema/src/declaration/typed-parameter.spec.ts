import { describe, expect, it, jest } from '@jest/globals';
import { Tool, ToolCallbacks, ToolContext } from '@nestor-ai/core';
import { CLASS_TYPES, type ClassTypesFactory, type MethodTypes, type ParameterTypes } from '../typed/class-types.js';
import { IsInt, IsString } from 'class-validator';
import { ToolParam } from './tool-param.decorator.js';

const toolOf = (object: object, name?: string) =>
  ToolCallbacks.from(object).find(({ toolDefinition }) => name === undefined || toolDefinition.name === name)!;
const schemaOf = (object: object, name?: string) => toolOf(object, name).toolDefinition.inputSchema;

class Booking {
  @IsString() city!: string;
  @IsInt() nights!: number;
}

const UNIT = { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'The unit', default: 'celsius' };
const DATE = { type: 'string', format: 'date-time' };

/** A class with a method `run` that has types. */
function typed(
  method: (...args: never[]) => unknown,
  types: MethodTypes,
  classes?: ReturnType<ClassTypesFactory>['classes'],
) {
  class Tools {
    static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
      return { version: 1, methods: { run: types }, sources: {}, ...(classes && { classes }) };
    }
  }
  Object.defineProperty(Tools.prototype, 'run', { value: method, configurable: true, writable: true });
  Tool()(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run')!);
  return new Tools();
}

const parameters = (...list: ParameterTypes[]): MethodTypes => ({ parameters: list });

describe('parameters with types', () => {
  it('have the names, schemas, comments and default values of the types', async () => {
    const run = jest.fn();
    const tools = typed(
      {
        run(a: string, b = 'celsius') {
          run(a, b);
        },
      }.run,
      parameters(
        { name: 'city', required: true, description: 'The city', schema: { type: 'string', description: 'The city' } },
        { name: 'unit', required: false, schema: UNIT },
      ),
    );
    expect(schemaOf(tools)).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'The city' }, unit: UNIT },
      required: ['city'],
      additionalProperties: false,
    });
    await toolOf(tools).call('{"city":"Rome"}');
    expect(run).toHaveBeenCalledWith('Rome', 'celsius');
    await expect(toolOf(tools).call('{"city":"Rome","unit":"kelvin"}')).rejects.toThrow(/unit/);
  });

  it('give way to each option of @ToolParam', () => {
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const value = {
          name: 'typed',
          required: true,
          description: 'typed',
          schema: { type: 'string', description: 'typed' },
        };
        return { version: 1, sources: {}, methods: { run: parameters(value, value, value, value, value) } };
      }
      @Tool() run(
        @ToolParam({ name: 'a', required: false }) _a: unknown,
        @ToolParam({ name: 'b', description: 'mine' }) _b: unknown,
        @ToolParam({ name: 'c', type: [Number] }) _c: unknown,
        @ToolParam({ name: 'd', schema: { const: 1 } }) _d: unknown,
        @ToolParam({ name: 'e', nullable: true }) _e: unknown,
      ) {}
    }
    expect(schemaOf(new Tools())).toMatchObject({
      required: ['b', 'c', 'd', 'e'],
      properties: {
        a: { type: 'string', description: 'typed' },
        b: { type: 'string', description: 'mine' },
        c: { type: 'array', items: { type: 'number' }, description: 'typed' },
        d: { const: 1, description: 'typed' },
        e: { type: ['string', 'null'], description: 'typed' },
      },
    });
  });

  it('may be null as the types say, unless @ToolParam says otherwise', () => {
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const value = (name: string, schema: object) => ({ name, required: true, schema: { ...schema } });
        const types = parameters(
          value('a', { type: ['string', 'null'] }),
          value('b', { type: ['string', 'null'] }),
          value('c', { anyOf: [{ type: 'object' }, { type: 'null' }], description: 'c' }),
          value('d', { enum: ['x', null] }),
        );
        return { version: 1, sources: {}, methods: { run: types } };
      }
      @Tool() run(
        @ToolParam({ nullable: true }) _a: unknown,
        @ToolParam({ nullable: false }) _b: unknown,
        @ToolParam({ nullable: false }) _c: unknown,
        @ToolParam({ nullable: false }) _d: unknown,
      ) {}
    }
    expect(schemaOf(new Tools()).properties).toEqual({
      a: { type: ['string', 'null'] },
      b: { type: 'string' },
      c: { type: 'object', description: 'c' },
      d: { type: 'string', enum: ['x'] },
    });
  });

  it('are read as before where the types do not know them', () => {
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const types = parameters({ name: 'city', required: true }, { name: 'limit', required: false });
        return { version: 1, sources: {}, methods: { run: types } };
      }
      @Tool() run(_city: string, _limit = 10) {}
    }
    expect(schemaOf(new Tools())).toMatchObject({
      properties: { city: { type: 'string' }, limit: { type: 'number', default: 10 } },
      required: ['city'],
    });
  });

  it('stop the bootstrap with the error of the types, unless @ToolParam describes the value', () => {
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const types = parameters({ name: 'a', required: true, error: 'src/a.ts:3: a symbol has no schema.' });
        return { version: 1, sources: {}, methods: { run: types, described: types } };
      }
      @Tool() run(_a: symbol) {}
      @Tool() described(@ToolParam({ type: String }) _a: unknown) {}
    }
    expect(() => ToolCallbacks.from(new Tools())).toThrow(/'run'.*src\/a\.ts:3: a symbol has no schema/);
  });

  it('may be a class with decorators, by its reference', async () => {
    const run = jest.fn();
    const reference = { name: 'booking', required: true, schema: { $ref: 'class:0' }, revive: { class: 0 } } as const;
    const one = typed((booking: unknown) => run(booking), parameters(reference), [() => Booking]);
    expect(schemaOf(one)).toMatchObject({ properties: { city: { type: 'string' } }, required: ['city', 'nights'] });
    await toolOf(one).call('{"city":"Rome","nights":2}');
    expect(run.mock.calls[0]![0]).toBeInstanceOf(Booking);

    const list = { type: 'array', items: { $ref: 'class:0', description: 'A stay' } };
    const bookings = { name: 'bookings', required: true, schema: list, revive: { array: { class: 0 } } };
    const many = typed((all: unknown) => run(all), parameters(bookings), [() => Booking]);
    expect(schemaOf(many)).toMatchObject({
      properties: { bookings: { items: { type: 'object', description: 'A stay', required: ['city', 'nights'] } } },
    });
    await toolOf(many).call('{"bookings":[{"city":"Rome","nights":2}]}');
    expect((run.mock.calls[1]![0] as unknown[])[0]).toBeInstanceOf(Booking);
    await expect(toolOf(many).call('{"bookings":[{"city":"Rome","nights":"two"}]}')).rejects.toThrow(
      /bookings\[0\]\.nights/,
    );
  });

  it('refuse a class that is missing, or has lost its decorators', () => {
    const method = (_a: unknown, _b: unknown) => {};
    const reference = { name: 'a', required: true, schema: { type: 'array', items: { $ref: 'class:0' } } };
    const other = { name: 'b', required: true, schema: { type: 'string' } };
    const make = (named: () => never) => () => ToolCallbacks.from(typed(method, parameters(reference, other), [named]));
    expect(make(() => undefined as never)).toThrow(/Tools refer to a class that is not there.*Build again/);
    const early = () => {
      throw new ReferenceError('Booking is not initialized');
    };
    expect(make(early)).toThrow(/not initialized.*import each other/);
    expect(make(() => class Bare {} as never)).toThrow(
      /Bare does not describe its properties.*Decorate them.*Build again/,
    );
  });

  it('are the whole input if their class is imported as a type', async () => {
    class Place {
      @IsString() city!: string;
    }
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const place = { name: 'place', required: true, schema: { $ref: 'class:0' }, revive: { class: 0 } };
        return { version: 1, sources: {}, methods: { find: { parameters: [place] } }, classes: [() => Place] };
      }
      @Tool() @Reflect.metadata('design:paramtypes', [Function]) find(place: Place) {
        return String(place instanceof Place);
      }
    }
    expect(Object.keys(schemaOf(new Tools()).properties as object)).toEqual(['city']);
    expect(await toolOf(new Tools()).call('{"city":"Rome"}')).toBe('true');
  });

  it('receive the context and the signal even without an emitted type', async () => {
    const run = jest.fn();
    const tools = typed(
      (...all: never[]) => run(...all),
      parameters(
        { name: 'context', required: true, isInjected: true },
        { name: 'city', required: true, schema: { type: 'string' } },
        { name: 'signal', required: true, isInjected: 'signal' },
      ),
    );
    expect(Object.keys(schemaOf(tools).properties as object)).toEqual(['city']);
    const context = new ToolContext({ tenant: 1 });
    await toolOf(tools).call('{"city":"Rome"}', context);
    const [given, city, signal] = run.mock.calls[0]!;
    expect(given).toBeInstanceOf(ToolContext);
    expect(city).toBe('Rome');
    expect(signal).toBeInstanceOf(AbortSignal);
  });

  it('come from the model if they have an interface named as a class that the application passes', async () => {
    const run = jest.fn();
    const schema = { type: 'object', properties: { level: { type: 'string' } } };
    const tools = typed((...all: never[]) => run(...all), parameters({ name: 'signal', required: true, schema }));
    Reflect.defineMetadata('design:paramtypes', [AbortSignal], Object.getPrototypeOf(tools) as object, 'run');
    await toolOf(tools).call('{"signal":{"level":"red"}}');
    expect(run).toHaveBeenCalledWith({ level: 'red' });
  });

  it('share equal definitions, and keep different ones apart', async () => {
    const tree = {
      type: 'object',
      properties: { sub: { $ref: '#/$defs/Tree' }, at: DATE },
      additionalProperties: false,
    };
    const value = (name: string, Tree: object): ParameterTypes => ({
      name,
      required: true,
      schema: { $ref: '#/$defs/Tree', $defs: { Tree } },
      revive: { ref: 'Tree' },
      revives: { Tree: { object: { sub: { ref: 'Tree' }, at: 'date' } } },
    });
    const run = jest.fn();
    const tools = typed(
      (...all: never[]) => run(...all),
      parameters(value('a', tree), value('b', { ...tree }), value('c', { ...tree, required: ['at'] })),
    );
    expect(schemaOf(tools)).toMatchObject({
      $defs: { Tree: tree, 'c.Tree': { required: ['at'], properties: { sub: { $ref: '#/$defs/c.Tree' } } } },
      properties: { a: { $ref: '#/$defs/Tree' }, b: { $ref: '#/$defs/Tree' }, c: { $ref: '#/$defs/c.Tree' } },
    });
    const deep = { at: '2030-01-01', sub: { at: '2030-01-02T00:00:00Z' } };
    await toolOf(tools).call(JSON.stringify({ a: deep, b: {}, c: deep }));
    const dates = { at: new Date('2030-01-01'), sub: { at: new Date('2030-01-02') } };
    expect(run).toHaveBeenCalledWith(dates, {}, dates);
    await expect(toolOf(tools).call('{"a":{},"b":{"sub":{"x":1}},"c":{"at":"2030-01-01"}}')).rejects.toThrow(/x/);
  });

  it('keep definitions of types and recursive classes of the same name apart', () => {
    class Node {
      @IsString() name!: string;
      @ToolParam({ type: [Node], required: false }) children?: unknown;
    }
    const type = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    const own: ParameterTypes = {
      name: 'own',
      required: true,
      schema: { $ref: '#/$defs/Node', $defs: { Node: type } },
    };
    const ofClass: ParameterTypes = {
      name: 'ofClass',
      required: true,
      schema: { $ref: 'class:0' },
      revive: { class: 0 },
    };
    for (const [first, second] of [
      [own, ofClass],
      [ofClass, own],
    ] as const) {
      const tools = typed((_a: unknown, _b: unknown) => {}, parameters(first, second), [() => Node]);
      const { $defs } = schemaOf(tools) as { $defs: object };
      expect(Object.keys($defs)).toHaveLength(2);
      expect(Object.values($defs)).toContainEqual(
        expect.objectContaining({ properties: { next: { $ref: expect.stringMatching(/Node$/) } } }),
      );
    }
  });

  it('check a parameter that is a Date like an emitted one', async () => {
    const run = jest.fn();
    class Emitted {
      @Tool() run(at: Date) {
        run(at);
      }
    }
    const date = { name: 'at', required: true, schema: DATE, revive: 'date' } as const;
    const tools = typed((at: unknown) => run(at), parameters(date));
    expect(schemaOf(tools)).toEqual(schemaOf(new Emitted()));
    for (const text of ['2030-01-01T00:00:00Z', '2030-01-01', 'soon', 5, null]) {
      const [one, other] = await Promise.all(
        [tools, new Emitted()].map((object) =>
          Promise.resolve(toolOf(object).call(JSON.stringify({ at: text }))).catch((error: Error) => error.message),
        ),
      );
      expect(one).toEqual(other);
    }
    expect(run).toHaveBeenCalledWith(new Date('2030-01-01T00:00:00Z'));
  });

  it('are known if the whole input is declared', async () => {
    const run = jest.fn();
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        const types = parameters(
          { name: 'signal', required: true, isInjected: 'signal' },
          { name: 'input', required: true, error: 'not used' },
        );
        return { version: 1, sources: {}, methods: { run: types } };
      }
      run(...all: unknown[]) {
        run(...all);
      }
    }
    Tool({ inputSchema: { type: 'object', properties: { a: { type: 'number' } } } })(
      Tools.prototype,
      'run',
      Object.getOwnPropertyDescriptor(Tools.prototype, 'run')!,
    );
    await toolOf(new Tools()).call('{"a":1}');
    expect(run).toHaveBeenCalledWith(expect.any(AbortSignal), { a: 1 });
  });
});

describe('types that do not fit the code', () => {
  const two = parameters(
    { name: 'a', required: true, schema: { type: 'string' } },
    { name: 'b', required: false, schema: { type: 'string' } },
  );
  it.each<[string, (...args: never[]) => unknown]>([
    ['fewer parameters', { run(_a: string) {} }.run],
    ['more parameters', { run(_a: string, _b: string, _c: string) {} }.run],
    ['more, with default values', { run(_a: string, _b = '', _c = '') {} }.run],
  ])('stop the bootstrap: %s', (_what, method) => {
    expect(() => ToolCallbacks.from(typed(method, two))).toThrow(
      /Tools\.run\(\) has \d parameters?, but its types have 2.*Build again/,
    );
  });

  it.each<[string, (...args: never[]) => unknown]>([
    ['a default value', { run(_a: string, _b = '') {} }.run],
    ['a function that replaced the method', (...all: unknown[]) => all],
    ['a bound function', { run(this: object, _a: string) {} }.run.bind({})],
    [
      'a function expression',
      function (...all: unknown[]) {
        return all;
      },
    ],
    ['a mock', jest.fn()],
  ])('are not suspected for %s', (_what, method) => {
    expect(schemaOf(typed(method, two)).properties).toHaveProperty('b');
  });

  it('stop the bootstrap if the class lacks a method', () => {
    class Tools {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        return { version: 1, sources: {}, methods: { gone: two } };
      }
      @Tool() run() {}
    }
    expect(() => ToolCallbacks.from(new Tools())).toThrow(/types for Tools\.gone\(\), but no such method.*Build again/);
  });
});
