import { describe, expect, it } from '@jest/globals';
import { readFinder, readMethod } from './read-source.fixture.js';

const CLASSES = `
  export class Dto { @IsString() name!: string }
  export class Account { name = ''; get euros() { return 1; } set euros(value: number) {} }`;

const parameters = (members: string, declarations?: string): readonly object[] =>
  readFinder(members, declarations).types.methods!['find']!.parameters;

const DTO = 'export class Dto { @IsString() city!: string }';

describe('MethodReader', () => {
  it('reads names, optional marks, default values and comments', () => {
    const { types } = readFinder(`
      /**
       * Finds offers
       * in a city.
       *
       * Only those of today.
       *
       * @param city - The city.
       * @minLength 2
       * @param unit The unit
       *   of the prices.
       * @example EUR
       * @returns the offers
       * @maximum 9
       */
      @Tool() find(city: string, unit?: string, limit = 5, /** The page. @internal */ page: number | undefined = -1, from = new Date()) {}`);
    expect(types.methods!['find']).toEqual({
      description: 'Finds offers in a city.\n\nOnly those of today.',
      parameters: [
        {
          name: 'city',
          required: true,
          description: 'The city.',
          schema: { type: 'string', minLength: 2, description: 'The city.' },
        },
        {
          name: 'unit',
          required: false,
          description: 'The unit of the prices.',
          schema: { type: 'string', examples: ['EUR'], description: 'The unit of the prices.' },
        },
        { name: 'limit', required: false, schema: { type: 'number', default: 5 } },
        {
          name: 'page',
          required: false,
          description: expect.stringContaining('The page.'),
          schema: { type: 'number', description: expect.stringContaining('The page.'), default: -1 },
        },
        { name: 'from', required: false, schema: { type: 'string', format: 'date-time' }, revive: 'date' },
      ],
    });
  });

  it('leaves tags about the method to the method', () => {
    const { types } = readFinder(`
      /**
       * Finds offers.
       *
       * @deprecated Use search().
       * @param city The city
       * @deprecated Cities have ids now.
       * @param limit How many
       * @maximum 5
       * @deprecated Use search().
       * @throws Error
       * @see search
       * @since 2
       * @example 3
       */
      @Tool() find(city: string, limit: number, /** @deprecated */ page: number) {}`);
    expect(types.methods!['find']!.parameters.map(({ schema }) => schema)).toEqual([
      { type: 'string', description: 'The city', deprecated: true },
      { type: 'number', description: 'How many', maximum: 5, examples: [3] },
      { type: 'number', deprecated: true },
    ]);
  });

  it('reads default values that are literals', () => {
    const { parameters } = readMethod(
      "list = [1, 2], options = { sort: 'asc', deep: { a: [true] } }, from = new Date(), mixed = [Date.now()]",
    );
    expect(parameters.map(({ schema }) => schema!['default'])).toEqual([
      [1, 2],
      { sort: 'asc', deep: { a: [true] } },
      undefined,
      undefined,
    ]);
  });

  it('leaves an input to a decorator of the application that declares it', () => {
    const own =
      'const Raw = () => Tool({ inputSchema: {} });\nconst Named = (description: string) => Tool({ description });';
    expect(readFinder('@Raw() find(value: () => void) {}', own).diagnostics).toEqual([]);
    expect(readFinder("@Named('x') find(value: string) {}", own).types.methods!['find']!.parameters).toHaveLength(1);
  });

  it('knows what the application passes', () => {
    expect(readMethod('this: Finder, signal: AbortSignal, context?: ToolContext').parameters).toEqual([
      { name: 'signal', required: true, isInjected: 'signal' },
      { name: 'context', required: false, isInjected: true },
    ]);
  });

  it('treats a parameter that may be undefined as optional', () => {
    expect(readMethod('city: string | undefined').parameters).toEqual([
      { name: 'city', required: false, schema: { type: 'string' } },
    ]);
  });

  it.each([
    ["@Tool() find(@ToolParam({ type: 'integer' }) value: () => void) {}"],
    ['@Tool() find(@ToolParam({ schema: {} }) value: () => void) {}'],
    ['@Tool({ inputSchema: {} }) find(value: () => void) {}'],
    ['@Tool({ inputType: Object }) find(value: () => void) {}'],
  ])('leaves what a decorator describes to the decorator: %s', (member) => {
    expect(parameters(member)).toEqual([{ name: 'value', required: true }]);
  });

  it.each([
    ['...values: string[]', "Parameter 'values' of Finder.find() is a rest parameter. Declare an array"],
    ['{ city }: { city: string }', 'Parameter number 1 of Finder.find() is destructured, so it has no name.'],
    ['{ city }: Dto, limit: number', 'Parameter number 1 of Finder.find() is destructured, so it has no name.'],
    ['request?: Request | null', "Parameter 'request' of Finder.find() is a request of HTTP, which no model can send."],
    ['request: { headers: object; method: string; url: URL; size: bigint }', "a property 'size' that is a bigint"],
    ['request: Request', "Parameter 'request' of Finder.find() is a request of HTTP, which no model can send."],
    ["@ToolParam({ description: 'x' }) { city }: Dto", 'Parameter number 1 of Finder.find() is destructured'],
  ])('refuses %s', (parameter, text) => {
    expect(readMethod(parameter, DTO).parameters[0]!.error).toContain(text);
  });

  it('reads a class with decorators that is destructured, if it is the whole input', () => {
    const [dto, context] = readMethod('{ city }: Dto, context: ToolContext', DTO).parameters;
    expect(dto).toEqual({ required: true, schema: { $ref: 'class:0' }, revive: { class: 0 } });
    expect(context).toMatchObject({ isInjected: true });
  });

  it('reads a generic method by the constraint of its type parameters', () => {
    const [known, unknown] = parameters("@Tool() find<T extends 'a' | 'b', U>(known: T, unknown: U) {}");
    expect(known).toMatchObject({ schema: { enum: ['a', 'b'] } });
    expect(unknown).toMatchObject({ error: expect.stringContaining('Write the type itself in place of') });
  });

  it.each<[string, object | undefined]>([
    ['{ a: Date; b?: bigint; run(): void }', { a: { type: 'string', format: 'date-time' }, b: { type: 'string' } }],
    ['Promise<{ a: string }>', { a: { type: 'string' } }],
    ['Observable<{ a: string }>', { a: { type: 'string' } }],
    ['AsyncGenerator<{ a: Set<string> }>', { a: { type: 'array', items: { type: 'string' } } }],
    ['{ a: { toJSON(): number } }', { a: { type: 'number' } }],
    ['string', undefined],
    ['string[]', undefined],
    ['void', undefined],
    ['Promise<ToolResult>', undefined],
    ['Promise<{ a: string } | undefined>', undefined],
    ['{ a: string } | void', undefined],
    ['Account', { name: { type: 'string' } }],
    ['Dto', undefined],
  ])('describes the result %s', (result, properties) => {
    const { output } = readMethod('', CLASSES, `: ${result}`);
    expect(output?.['properties']).toEqual(properties);
    expect(output?.['additionalProperties']).toBeUndefined();
  });

  it.each([
    [': () => void', true],
    [': Function', true],
    [': { run(): void }', undefined],
    [': Promise<string>', undefined],
  ])('knows whether a function is returned%s', (result, returnsFunction) => {
    expect(readMethod('', '', result).returnsFunction).toBe(returnsFunction);
  });

  it('uses the implementation of overloads', () => {
    const [value] = parameters(
      'find(value: string): void; find(value: number): void; @Tool() find(value: string | number) {}',
    );
    expect(value).toMatchObject({ schema: { anyOf: [{ type: 'string' }, { type: 'number' }] } });
  });

  it('uses the comment of the first overload, unless the implementation has one', () => {
    const { types } = readFinder(`
      /**
       * Finds offers.
       *
       * @param value The text
       */
      find(value: string): void;
      find(value: number): void;
      @Tool() find(value: string | number) {}
      /** Of the overload. */
      get(value: string): void;
      /** Of the implementation. */
      @Tool() get(value: string) {}`);
    const { find, get } = types.methods!;
    expect([find!.description, get!.description]).toEqual(['Finds offers.', 'Of the implementation.']);
    expect(find!.parameters[0]!.description).toBe('The text');
  });

  it('reads a type once for all methods of a class, and again after one that no schema describes', () => {
    const declarations = `
      interface Geo {
        /** @minLength 2 */
        latitude: number;
        next?: Geo;
      }
      interface Broken { geo: Geo; back?: Inner; run(): void }
      interface Inner { broken: Broken }`;
    const { types, diagnostics } = readFinder(
      `@Tool() near(geo: Geo) {} @Tool() far(from: Geo, to?: Geo) {} @Tool() bad(value: Broken) {} @Tool() worse(value: Inner) {}`,
      declarations,
    );
    const errors = diagnostics.map(({ messageText }) => String(messageText));
    expect(errors).toEqual([
      expect.stringContaining('@minLength is for texts'),
      expect.stringContaining("Parameter 'value' of Finder.bad() has a property 'run'"),
      expect.stringContaining("Parameter 'value' of Finder.worse() has a property 'broken.run'"),
    ]);
    const { near, far } = types.methods!;
    const { schema } = near!.parameters[0]!;
    expect(schema).toMatchObject({ $ref: '#/$defs/Geo', $defs: { Geo: { required: ['latitude'] } } });
    expect(far!.parameters.map((parameter) => parameter.schema)).toEqual([schema, schema]);
  });
});
