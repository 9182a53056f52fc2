import { type ToolContext, type ToolOptions, ToolResult } from '@nestor-ai/core';
import { Handler } from '@nestor-ai/core/internal';
import type { McpMethodPolicies } from '../calls/method-policies.js';
import { declareSideMethod } from '../calls/side-method.js';
import { declareCompletions, type McpCompletions } from '../completion/completions.js';
import { toContents } from './resource-contents.js';
import { variablesInput } from './variables-input.js';

/** The kinds of the methods, for `ToolRegistry.handlers()`. */
export const RESOURCE_KIND = 'MCP resource';
export const RESOURCE_LIST_KIND = 'MCP resource list';
export const RESOURCE_SUBSCRIPTION_KIND = 'MCP resource subscription';

/** The key of the declaration in the metadata of the method. */
export const RESOURCE_DECLARATION = 'mcpResource';

/** For whom a resource is, how important it is, and when it changed. */
export interface McpResourceAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0, optional, to 1, required. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** How long clients may keep a result. Clients of protocol 2025 do not see it. */
export interface McpCache {
  /** In milliseconds. */
  readonly ttl: number;
  /** `public`: shared between users, for example by a proxy. Default: `private`. */
  readonly scope?: 'public' | 'private';
}

/** A resource that a template lists. */
export interface McpListedResource {
  readonly uri: string;
  /** Default: the URI. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Default: that of the template. */
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

interface ResourceOptions extends McpMethodPolicies {
  /** The name that programs use. Default: the method's name. */
  readonly name?: string;
  /** The name that people see. */
  readonly title?: string;
  /** What the resource contains. */
  readonly description?: string;
  /** Default: `text/plain`, `application/json` or `application/octet-stream`, by the returned value. */
  readonly mimeType?: string;
  readonly cache?: McpCache;
  readonly annotations?: McpResourceAnnotations;
}

/** A single resource. */
export interface McpFixedResourceOptions extends ResourceOptions {
  /** The URI, compared character by character: `config://app`. */
  readonly uri: string;
  /** In bytes, if known. */
  readonly size?: number;
  readonly uriTemplate?: never;
}

/** Resources whose URIs have variables. */
export interface McpResourceTemplateOptions extends ResourceOptions, Pick<ToolOptions, 'inputType' | 'inputSchema'> {
  /**
   * A template of RFC 6570: `users://{id}/profile`. `{name}` stands for one segment without slashes,
   * `{+path}` also for slashes, and a final `{?a,b}` for a query whose parts are optional. The
   * values are decoded. Values that could leave a folder, such as `..` and `/etc`, are refused.
   */
  readonly uriTemplate: string;
  readonly uri?: never;
  /**
   * Lists resources of the template that exist, for `resources/list`: a method of the class, by
   * name, or a function. It receives the `ToolContext`. Default: none are listed.
   */
  readonly list?: string | ((context: ToolContext) => unknown);
  /** Completes values of variables. */
  readonly complete?: McpCompletions;
}

/** The options of {@link McpResource}. */
export type McpResourceOptions = McpFixedResourceOptions | McpResourceTemplateOptions;

/**
 * Offers the result of a method to MCP clients as a resource. Models of the application never see
 * it. Guards, interceptors, pipes, filters and `REQUEST` scope work as for `@Tool()`.
 *
 * The variables of a template are arguments by name, converted and validated like those of a tool:
 * as parameters, or as properties of a class with class-validator decorators. A first parameter of
 * another object type, as in `profile({ id }: { id: string })`, receives all variables as text. A
 * parameter of the type `ToolContext` receives the context; `context.get('uri')` is the URI.
 *
 * Return a string, bytes, a Blob, `{ text | blob, mimeType }` or a list of these. Anything else is
 * sent as JSON. If you return undefined or null, or throw a `NotFoundException`, there is no such
 * resource.
 *
 * @example
 * \@McpResource({ uriTemplate: 'users://{id}/profile', complete: { id: 'findIds' } })
 * profile(id: number): Promise<User | null> { return this.users.find(id); }
 * @throws TypeError if `list` or `complete` name a method that the class does not have
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const place = { target, methodName: String(key), descriptor };
    const { name = place.methodName, title, description, mimeType } = options;
    const { list, complete } = options as Partial<McpResourceTemplateOptions>;
    const metadata = { ...options.metadata, [RESOURCE_DECLARATION]: { ...options, name } };
    Handler({
      ...options,
      ...variablesInput(place, options),
      kind: RESOURCE_KIND,
      name: `resource:${name}`,
      description: description ?? title ?? name,
      effect: 'read',
      resultConverter: { convert: (returned) => toContents(returned, mimeType) },
      metadata,
    })(target, key, descriptor);
    // It runs the guards of the resource, and nothing else.
    declareSideMethod(place, () => true, 'subscription', {
      kind: RESOURCE_SUBSCRIPTION_KIND,
      name: `resource:${name}:subscription`,
      inputSchema: { type: 'object' },
      effect: 'read',
      metadata,
    });
    if (list !== undefined) {
      declareSideMethod(place, list, 'list', {
        kind: RESOURCE_LIST_KIND,
        name: `resource:${name}:list`,
        effect: 'read',
        resultConverter: { convert: toListed },
        metadata,
      });
    }
    if (complete) declareCompletions(place, complete, { type: 'resource', name, metadata: options.metadata });
  };
}

function toListed(returned: unknown): ToolResult {
  const isList =
    Array.isArray(returned) &&
    returned.every((item: unknown) => typeof (item as Partial<McpListedResource> | null)?.uri === 'string');
  if (!isList) throw new TypeError('The list of a resource template has to be an array of { uri, name? }.');
  return new ToolResult({ text: `${returned.length} resources`, value: returned });
}
