import { Injectable, NotFoundException } from '@nestjs/common';
import type { JsonSchema, ToolCallback, ToolRegistration } from '@nestor-ai/core';
import { HostApplication } from '../host-application.js';
import { tokensOf } from '../view/tool-tokens.js';

/** A tool in the list. */
export interface ToolRow {
  /** Identifies the tool: two classes may have a tool of one name. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Where the tool comes from, such as `WeatherTools.getTemperature() in AppModule`. */
  readonly origin: string;
  readonly tokens: number;
  readonly effect: string;
  /** For all arguments, or for some. */
  readonly needsApproval: boolean;
}

/** A tool on the page. */
export interface ToolView extends ToolRow {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Where the description and each parameter come from. */
  readonly sources?: unknown;
  /** What applies to its calls, in words. */
  readonly policies: readonly string[];
  /** Who may see it, in words. */
  readonly visibility: string;
}

const ROW_TEXT = 300;

/** A tool with where it comes from. */
interface KnownTool {
  readonly key: string;
  readonly callback: ToolCallback;
  readonly registration: ToolRegistration | undefined;
}

/** The tools of the application. */
@Injectable()
export class ToolViews {
  readonly #tokens = new WeakMap<ToolCallback, number>();

  constructor(private readonly application: HostApplication) {}

  /** @param request the request of the page: tools of providers may depend on its user */
  async list(request: unknown): Promise<readonly ToolRow[]> {
    return (await this.#all(request)).map((tool) => this.#row(tool));
  }

  async view(key: string, request: unknown): Promise<ToolView> {
    const tool = await this.#find(key, request);
    const { toolDefinition, toolMetadata } = tool.callback;
    const { inputSchema, outputSchema, description } = toolDefinition;
    const sources = tool.registration?.inputSources;
    return {
      ...this.#row(tool),
      description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(sources && { sources }),
      policies: policiesOf(toolMetadata),
      visibility: visibilityOf(toolMetadata),
    };
  }

  /** The tool to run. @throws NotFoundException if it does not exist */
  async callbackOf(key: string, request: unknown): Promise<ToolCallback> {
    return (await this.#find(key, request)).callback;
  }

  #tokensOf(callback: ToolCallback): number {
    let tokens = this.#tokens.get(callback);
    if (tokens === undefined) this.#tokens.set(callback, (tokens = tokensOf(callback.toolDefinition)));
    return tokens;
  }

  async #find(key: string, request: unknown): Promise<KnownTool> {
    const found = (await this.#all(request)).find((tool) => tool.key === key);
    if (found) return found;
    throw new NotFoundException('There is no such tool any more.');
  }

  async #all(request: unknown): Promise<KnownTool[]> {
    const registered = this.application.tools.list().map((registration): KnownTool => {
      const { callback, className, methodName = '', name } = registration;
      return { key: `${className}.${methodName}:${name}`, callback, registration };
    });
    const own = new Set(registered.map(({ callback }) => callback));
    const others = (await this.application.tools.allCallbacks(request)).filter((callback) => !own.has(callback));
    const provided = others.map((callback): KnownTool => ({
      key: `provided:${callback.toolDefinition.name}`,
      callback,
      registration: undefined,
    }));
    return [...registered, ...provided];
  }

  #row({ key, callback, registration }: KnownTool): ToolRow {
    const { toolDefinition, toolMetadata } = callback;
    const { name, description } = toolDefinition;
    return {
      key,
      name,
      description: description.length > ROW_TEXT ? `${description.slice(0, ROW_TEXT)}…` : description,
      origin: registration ? placeOf(registration) : providedBy(toolMetadata),
      tokens: this.#tokensOf(callback),
      effect: toolMetadata.effect ?? 'write',
      needsApproval: !!toolMetadata.needsApproval,
    };
  }
}

function placeOf({ className, methodName, moduleName }: ToolRegistration): string {
  return `${methodName === undefined ? className : `${className}.${methodName}()`} in ${moduleName}`;
}

type Metadata = ToolCallback['toolMetadata'];

function providedBy({ mcp, remote }: Metadata): string {
  const server = (mcp as { server?: unknown } | undefined)?.server;
  if (typeof server === 'string') return `MCP server ${server}`;
  const service = (remote as { service?: unknown } | undefined)?.service;
  return typeof service === 'string' ? `service ${service}` : 'a tool provider';
}

function policiesOf(metadata: Metadata): string[] {
  const { timeout, retry, rateLimit, cacheTtl, needsApproval, sequential, concurrencyKey, untrusted, job } = metadata;
  const retries = typeof retry === 'object' ? retry.retries : retry;
  return [
    ...(needsApproval ? [needsApproval === true ? 'needs approval' : 'needs approval for some arguments'] : []),
    ...(timeout === undefined ? [] : [`timeout ${timeout} ms`]),
    ...(retries ? [`${retries} retries`] : []),
    ...(rateLimit ? [`at most ${rateLimit.calls} calls in ${rateLimit.interval} ms`] : []),
    ...(cacheTtl === undefined ? [] : [`results are reused for ${cacheTtl} ms`]),
    ...(sequential ? ['never in parallel'] : []),
    ...(concurrencyKey === undefined ? [] : ['one call at a time for each key']),
    ...(untrusted ? ['results are untrusted'] : []),
    ...(job ? ['runs as a job'] : []),
    ...(metadata.returnDirect ? ['its result is the answer'] : []),
  ];
}

function visibilityOf({ visible, offeredByDefault }: Metadata): string {
  if (visible) return 'The option visible decides for each request.';
  return offeredByDefault === false
    ? 'Only requests that name it offer it to the model.'
    : 'Offered to the model by default.';
}
