import type { ToolRegistration } from '@nestor-ai/core';
import type { McpMethod } from '../calls/mcp-methods.js';
import { MAX_URI_LENGTH, ResourceUriTemplate } from './uri-template.js';
import {
  type McpCache,
  type McpFixedResourceOptions,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  RESOURCE_DECLARATION,
} from './mcp-resource.decorator.js';

/** A resource as clients see it in lists. */
export interface ResourceListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: object;
}

/** A resource or template of the application. */
export interface DeclaredResource extends McpMethod {
  readonly name: string;
  /** The class and method, for messages. */
  readonly origin: string;
  /** Frozen. */
  readonly listing: ResourceListing;
  readonly cache: McpCache | undefined;
}

/** A single resource. */
export interface FixedResource extends DeclaredResource {
  readonly uri: string;
}

/** Resources whose URIs have variables. */
export interface TemplateResource extends DeclaredResource {
  readonly template: ResourceUriTemplate;
}

/** The options of the decorator, with the name. */
export function declarationOf({ metadata }: ToolRegistration): McpResourceOptions & { readonly name: string } {
  return metadata[RESOURCE_DECLARATION] as McpResourceOptions & { readonly name: string };
}

/** @throws Error that names class and method, if the declaration is wrong */
export function readResource(found: ToolRegistration): FixedResource | TemplateResource {
  const { uri, uriTemplate, cache, name, ...options } = declarationOf(found);
  const origin = `${found.className}.${found.methodName}()`;
  const refuse = (problem: string): never => {
    throw new Error(`The MCP resource of ${origin} cannot be offered: ${problem}.`);
  };
  if ((uri === undefined) === (uriTemplate === undefined)) refuse('it needs either uri or uriTemplate');
  if (cache && !(Number.isSafeInteger(cache.ttl) && cache.ttl >= 0)) {
    refuse(`cache.ttl has to be a whole number of milliseconds, but is ${cache.ttl}`);
  }
  const { title, description, mimeType, annotations } = options;
  const base = { tool: found.callback, name, origin, cache };
  const common: ResourceListing = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
  };
  if (uri !== undefined) {
    const { size } = options as McpFixedResourceOptions;
    if (!isUri(uri))
      refuse(`'${String(uri)}' is not a URI, such as config://app, of at most ${MAX_URI_LENGTH} characters`);
    const needed = argumentsOf(found).required;
    if (needed.length > 0) refuse(`its uri gives no value for ${quoted(needed)}. Set uriTemplate with these variables`);
    return { ...base, uri, listing: Object.freeze({ uri, ...common, ...(size !== undefined && { size }) }) };
  }
  const template = readTemplate(uriTemplate, refuse);
  checkVariables(template, found, options as McpResourceTemplateOptions, refuse);
  return { ...base, template, listing: Object.freeze({ uriTemplate: template.text, ...common }) };
}

type Refuse = (problem: string) => never;

function readTemplate(text: string, refuse: Refuse): ResourceUriTemplate {
  try {
    return new ResourceUriTemplate(text);
  } catch (error) {
    return refuse(`the template '${text}' is not usable, since ${(error as Error).message}`);
  }
}

function checkVariables(
  template: ResourceUriTemplate,
  found: ToolRegistration,
  { complete }: McpResourceTemplateOptions,
  refuse: Refuse,
): void {
  const { variables, query } = template;
  const { names, required, isOpen } = argumentsOf(found);
  const unused = isOpen ? [] : variables.filter((variable) => !names.includes(variable));
  if (unused.length > 0) refuse(`the method has no parameter for the variable ${quoted(unused)}`);
  const missing = required.filter((name) => !variables.includes(name));
  if (missing.length > 0) refuse(`the template has no variable for the parameter ${quoted(missing)}`);
  const optional = required.filter((name) => query.includes(name));
  if (optional.length > 0) {
    refuse(
      `the parameter ${quoted(optional)} has to be optional, like all variables of a query. Give it a default value, or @ToolParam({ required: false })`,
    );
  }
  const unknown = Object.keys(complete ?? {}).filter((name) => !variables.includes(name));
  if (unknown.length > 0) refuse(`complete names ${quoted(unknown)}, but the template has no such variable`);
}

/** The arguments that the method describes. */
function argumentsOf({ callback }: ToolRegistration) {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = callback.toolDefinition.inputSchema as {
    readonly properties?: object;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  return { names: Object.keys(properties), required, isOpen: additionalProperties !== false };
}

function isUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && /^[a-z][a-z0-9+.-]*:\S+$/i.test(uri);
}

function quoted(names: readonly string[]): string {
  return `'${names.join("', '")}'`;
}
