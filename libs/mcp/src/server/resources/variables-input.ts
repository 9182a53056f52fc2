import 'reflect-metadata';
import { findParameterParam, type JsonSchema, type ToolOptions } from '@nestor-ai/core';
import type { DecoratedPlace } from '../calls/side-method.js';
import type { McpResourceOptions } from './mcp-resource.decorator.js';
import { ResourceUriTemplate } from './uri-template.js';

type VariablesInput = Pick<ToolOptions, 'inputType' | 'inputSchema'>;

/**
 * How a method takes the variables of its template: as it declares, or as one object of text if its
 * first parameter is an object of no class. Otherwise each parameter is a variable.
 */
export function variablesInput(place: DecoratedPlace, options: McpResourceOptions): VariablesInput {
  if (options.uriTemplate === undefined) return {};
  const { inputType, inputSchema, uriTemplate } = options;
  if (inputType) return { inputType };
  if (inputSchema) return { inputSchema };
  return takesObject(place) ? { inputSchema: schemaOf(uriTemplate) } : {};
}

function takesObject({ target, methodName }: DecoratedPlace): boolean {
  const types = Reflect.getMetadata('design:paramtypes', target, methodName) as readonly unknown[] | undefined;
  return types?.[0] === Object && !findParameterParam(target, methodName, 0);
}

function schemaOf(text: string): JsonSchema {
  const { variables, query } = readTemplate(text);
  return {
    type: 'object',
    properties: Object.fromEntries(variables.map((name) => [name, { type: 'string' }])),
    required: variables.filter((name) => !query.includes(name)),
    additionalProperties: false,
  };
}

/** A wrong template is a problem of the bootstrap, not of the module that is loaded. */
function readTemplate(text: string): Pick<ResourceUriTemplate, 'variables' | 'query'> {
  try {
    return new ResourceUriTemplate(text);
  } catch {
    return { variables: [], query: [] };
  }
}
