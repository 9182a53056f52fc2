import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type JsonSchema, ToolParam } from '@nestor-ai/schema';
import { ToolContext } from '../model/tool-context.js';
import { Tool } from './declaration/tool.decorator.js';
import { JsonSchemaGenerator, ToolDefinitions } from './tool-definitions.js';

enum Unit {
  Celsius = 'c',
  Fahrenheit = 'f',
}

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
    expect(() => ToolDefinitions.from(Plain, 'undecorated')).toThrow(/the types of decorated methods/);
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

  it('distinguish classes with the same name, and put definitions before references', () => {
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

  it('describe classes', () => {
    expect(JsonSchemaGenerator.generateForType(Filter)).toMatchObject({ type: 'object', required: ['limit'] });
    expect(JsonSchemaGenerator.generateForType([Filter])).toMatchObject({
      $defs: { Filter: {} },
      items: { $ref: '#/$defs/Filter' },
    });
    expect(JSON.stringify(JsonSchemaGenerator.generateForType(Filter, { additionalProperties: true }))).not.toContain(
      'false',
    );
    expect(() => JsonSchemaGenerator.generateForType(Plain)).toThrow(
      /declared as Plain, which does not describe an input/,
    );
  });
});
