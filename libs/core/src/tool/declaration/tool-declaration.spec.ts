import { describe, expect, it, jest } from '@jest/globals';
import { applyDecorators, Logger, SetMetadata } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../../model/json-schema.js';
import { ToolContext } from '../../model/tool-context.js';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { MethodToolCallbackProvider } from '../method-tool-callback-provider.js';
import { StaticToolCallbackProvider } from '../static-tool-callback-provider.js';
import { ToolCallbacks } from '../tool-callbacks.js';
import { JsonSchemaGenerator, ToolDefinitions } from '../tool-definitions.js';
import { ToolParam } from './tool-param.decorator.js';
import { Tool } from './tool.decorator.js';

const toolOf = (object: object, name?: string) =>
  ToolCallbacks.from(object).find(({ toolDefinition }) => name === undefined || toolDefinition.name === name)!;

enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

describe('a method as a tool', () => {
  const ReadOnlyTool = (description: string) =>
    applyDecorators(Tool({ description, metadata: { readOnly: true } }), SetMetadata('kind', 'read'));

  class Base {
    @Tool({ description: 'of the base' }) describe(_text: string): string {
      return 'base';
    }
  }
  class Tools extends Base {
    @ReadOnlyTool('Reads the clock') clock() {
      return this.now();
    }
    // @ts-expect-error only tools use it
    @Tool() private hidden() {
      return 'found';
    }
    @Tool() static version() {
      return '1.0';
    }
    override describe(text: string) {
      return `derived ${text}`;
    }
    private now() {
      return 'noon';
    }
  }

  it('may be declared with a decorator of your own', async () => {
    const tool = toolOf(new Tools(), 'clock');
    expect(tool.toolDefinition.description).toBe('Reads the clock');
    expect(tool.toolMetadata).toEqual({ returnDirect: false, readOnly: true });
    expect(await tool.call('{}')).toBe('noon');
  });

  it('may be private, static, inherited, or override one that is a tool', async () => {
    expect(await toolOf(new Tools(), 'hidden').call('{}')).toBe('found');
    expect(await toolOf(Tools, 'version').call('{}')).toBe('1.0');
    const described = ToolCallbacks.from(new Tools()).filter(
      ({ toolDefinition }) => toolDefinition.name === 'describe',
    );
    expect(described).toHaveLength(1);
    expect(described[0]!.toolDefinition.description).toBe('of the base');
    expect(await described[0]!.call('{"text":"x"}')).toBe('derived x');
  });

  it('is left out with a warning when it returns a function', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    class Mixed {
      @Tool() later(): () => string {
        return () => 'x';
      }
      @Tool() fine(): unknown {
        return 1;
      }
    }
    class Only {
      @Tool() later(): () => string {
        return () => 'x';
      }
    }
    expect(ToolCallbacks.from(new Mixed()).map(({ toolDefinition }) => toolDefinition.name)).toEqual(['fine']);
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/^Mixed\.later\(\) returns a function and is therefore no tool/),
    );
    expect(() => ToolCallbacks.from(new Only())).toThrow(/No @Tool\(\) methods found in Only/);
    warn.mockRestore();
  });

  it('cannot be a property, an accessor or a symbol', () => {
    const declare = (descriptor: PropertyDescriptor | undefined, key: string | symbol = 'x') =>
      Tool()(class Host {}.prototype, key, descriptor as never);
    expect(() => declare(undefined)).toThrow(/@Tool\(\) needs a method, but Host\.x is a property or an accessor/);
    expect(() => declare({ get: () => 1 })).toThrow(/Host\.x is a property or an accessor/);
    expect(() => declare({ value: () => 1 }, Symbol('s'))).toThrow(/a method with a name/);
  });
});

describe('the parameters of a method', () => {
  let received: unknown[];
  class Tools {
    @Tool() containers(
      @ToolParam({ type: [String] }) tags: Set<string>,
      @ToolParam({ type: { values: 'integer' } }) counts: Map<string, number>,
      @ToolParam({ type: { values: [Date] } }) days: Record<string, Date[]>,
      @ToolParam({ schema: { type: 'string', format: 'date' } }) day: Date,
    ) {
      received = [tags, counts, days, day];
    }
    @Tool() nullable(
      @ToolParam({ nullable: true, type: Date }) at: Date | null,
      @ToolParam({ nullable: true, type: Unit, required: false }) unit?: Unit | null,
    ) {
      received = [at, unit];
    }
    @Tool({ unknownArguments: 'strip' }) stripping(a: string) {
      received = [a];
    }
    @Tool({ unknownArguments: 'allow' }) allowing(a: string) {
      received = [a];
    }
  }
  const tools = new Tools();
  const properties = (name: string) => toolOf(tools, name).toolDefinition.inputSchema.properties;

  it('may be Sets, Maps, objects with values of one type, and dates of any format', async () => {
    const date = { type: 'string', format: 'date-time' };
    expect(properties('containers')).toEqual({
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      days: { type: 'object', additionalProperties: { type: 'array', items: date } },
      day: { type: 'string', format: 'date' },
    });
    const [first, second] = ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'];
    const input = { tags: ['a'], counts: { x: '1' }, days: { x: [first, second] }, day: '2030-01-01' };
    await toolOf(tools, 'containers').call(JSON.stringify(input));
    expect(received).toEqual([
      new Set(['a']),
      new Map([['x', 1]]),
      { x: [new Date(first!), new Date(second!)] },
      new Date('2030-01-01'),
    ]);
  });

  it('may be null where null is a value', async () => {
    expect(properties('nullable')).toEqual({
      at: { type: ['string', 'null'], format: 'date-time' },
      unit: { enum: ['c', 'f', null] },
    });
    await toolOf(tools, 'nullable').call('{"at":null,"unit":null}');
    expect(received).toEqual([null, null]);
    await toolOf(tools, 'nullable').call('{"at":"2030-01-01T00:00:00Z"}');
    expect(received).toEqual([new Date('2030-01-01T00:00:00Z'), undefined]);
  });

  it('are all there is, unless others are stripped or allowed', async () => {
    const schema = (name: string) => toolOf(tools, name).toolDefinition.inputSchema.additionalProperties;
    expect(schema('stripping')).toBe(false);
    expect(schema('allowing')).toBeUndefined();
    for (const name of ['stripping', 'allowing']) {
      await toolOf(tools, name).call('{"a":"x","b":1}');
      expect(received).toEqual(['x']);
    }
  });
});

describe('a single value as the input', () => {
  it.each([
    [String, '{"input":"hello"}', 'hello'],
    [String, '"hello"', 'hello'],
    [String, '""', ''],
    [Number, '{"input":"5"}', 5],
    [Number, '5', 5],
    [Boolean, '{"input":"true"}', true],
    [Date, '"2030-01-01T00:00:00Z"', new Date('2030-01-01T00:00:00Z')],
  ])('is an object for the model, and the value for the code: %p of %s', async (inputType, input, value) => {
    let received: unknown;
    const tool = new FunctionToolCallback({
      name: 'take',
      inputType: inputType as never,
      toolFunction: (given) => {
        received = given;
      },
    });
    expect(tool.toolDefinition.inputSchema).toMatchObject({ type: 'object', required: ['input'] });
    expect(await tool.call(input)).toBe('Done');
    expect(received).toEqual(value);
  });

  it('is refused when it is another', async () => {
    const tool = new FunctionToolCallback({ name: 'take', inputType: Number, toolFunction: (n) => n });
    await expect(tool.call('{"input":"x"}')).rejects.toThrow(/'input' must be number/);
    await expect(tool.call('{"n":1}')).rejects.toThrow(/'input' is required/);
  });
});

describe('ToolDefinitions and JsonSchemaGenerator', () => {
  class Plain {
    findByName(@ToolParam() _name: string, _context: ToolContext) {}
    undecorated(_name: string) {}
    @Tool({ name: 'valid_tool-name.v1', description: 'Text' }) named() {}
    static make(@ToolParam() _n: number) {}
  }

  it('describe any method', () => {
    expect(ToolDefinitions.from(Plain, 'findByName')).toMatchObject({
      name: 'findByName',
      description: 'find by name',
      inputSchema: { properties: { _name: { type: 'string' } }, required: ['_name'] },
    });
    expect(ToolDefinitions.from(Plain, 'named')).toMatchObject({ name: 'valid_tool-name.v1', description: 'Text' });
    expect(ToolDefinitions.from(Plain, 'make').inputSchema.required).toEqual(['_n']);
    expect(() => ToolDefinitions.from(Plain, 'undecorated')).toThrow(/the types of decorated methods only/);
    expect(() => ToolDefinitions.from(Plain, 'nope')).toThrow(/Plain has no method 'nope'/);
  });

  const Filter = (() => {
    class Filter {
      @IsInt() limit!: number;
      @IsOptional() @ValidateNested() @Type(() => Filter) next?: Filter;
    }
    return Filter;
  })();
  const OtherFilter = (() => {
    class Filter {
      @IsString() text!: string;
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Filter) any?: Filter[];
    }
    return Filter;
  })();
  class Searching {
    search(_a: InstanceType<typeof Filter>, _b: InstanceType<typeof OtherFilter>) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Filter, OtherFilter], Searching.prototype, 'search');

  it('keep classes of the same name apart, and put definitions before what refers to them', () => {
    const schema = JsonSchemaGenerator.generateForMethodInput(Searching, 'search');
    expect(Object.keys(schema)).toEqual(['type', '$defs', 'properties', 'required', 'additionalProperties']);
    expect(schema).toMatchObject({
      $defs: {
        Filter: {
          properties: { limit: { type: 'integer' }, next: { $ref: '#/$defs/Filter' } },
          additionalProperties: false,
        },
        Filter_2: { properties: { text: { type: 'string' }, any: { items: { $ref: '#/$defs/Filter_2' } } } },
      },
      properties: { _a: { $ref: '#/$defs/Filter' }, _b: { $ref: '#/$defs/Filter_2' } },
    });
    const allowing = JsonSchemaGenerator.generateForMethodInput(Searching, 'search', { additionalProperties: true });
    expect(JSON.stringify(allowing)).not.toContain('additionalProperties');
  });

  it.each<[unknown, JsonSchema]>([
    [String, { type: 'string' }],
    ['integer', { type: 'integer' }],
    [Unit, { type: 'string', enum: ['c', 'f'] }],
    [[Date], { type: 'array', items: { type: 'string', format: 'date-time' } }],
    [{ values: Boolean }, { type: 'object', additionalProperties: { type: 'boolean' } }],
  ])('describe any type', (type, schema) => {
    expect(JsonSchemaGenerator.generateForType(type as never)).toEqual(schema);
  });

  it('describe classes, and ask for a type', () => {
    expect(JsonSchemaGenerator.generateForType(Filter)).toMatchObject({ type: 'object', required: ['limit'] });
    expect(JsonSchemaGenerator.generateForType([Filter])).toMatchObject({
      $defs: { Filter: {} },
      items: { $ref: '#/$defs/Filter' },
    });
    expect(JSON.stringify(JsonSchemaGenerator.generateForType(Filter, { additionalProperties: true }))).not.toContain(
      'false',
    );
    expect(() => JsonSchemaGenerator.generateForType(null as never)).toThrow('type cannot be null');
    expect(() => JsonSchemaGenerator.generateForType(Plain)).toThrow(
      /declared to be Plain, which is no class that describes/,
    );
  });
});

describe('providers of tools', () => {
  class Tools {
    @Tool() one() {
      return 1;
    }
  }

  it('give the methods of objects', () => {
    const provider = MethodToolCallbackProvider.builder().toolObjects([new Tools()]).build();
    const callbacks = provider.getToolCallbacks();
    expect(callbacks.map(({ toolDefinition }) => toolDefinition.name)).toEqual(['one']);
    expect(provider.getToolCallbacks()[0]).toBe(callbacks[0]);
  });

  it('say what is missing, and what is there twice', () => {
    const provide = (...toolObjects: unknown[]) =>
      new MethodToolCallbackProvider({ toolObjects: toolObjects as object[] });
    expect(() => provide()).toThrow('toolObjects cannot be null or empty');
    expect(() => provide(new Tools(), null)).toThrow('toolObjects cannot contain null elements');
    expect(() => provide(class None {}).getToolCallbacks()).toThrow(
      /No @Tool\(\) methods found in None\. Did you mean/,
    );
    expect(() => provide(new Tools(), new Tools()).getToolCallbacks()).toThrow(
      /Multiple tools with the same name \(one\) found in sources/,
    );
    expect(() => new StaticToolCallbackProvider(null as never)).toThrow('toolCallbacks cannot contain null elements');
  });
});

describe('the context of a tool', () => {
  it('gives its values with their types, and says which one is missing', () => {
    const context = new ToolContext<{ tenant: string; level?: number }>({ tenant: 'acme' });
    const tenant: string | undefined = context.get('tenant');
    expect(tenant).toBe('acme');
    expect(context.get('level')).toBeUndefined();
    expect(context.get<string>('other')).toBeUndefined();
    const required: string = context.require('tenant');
    expect(required).toBe('acme');
    expect(() => context.require('level')).toThrow(
      /The tool context has no 'level'\. Give it with toolContext\(\{ level/,
    );
    expect(context.get('constructor')).toBeUndefined();
  });
});
