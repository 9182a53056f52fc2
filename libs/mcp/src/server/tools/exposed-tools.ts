import type { ListToolsResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { ToolCallback, ToolQuery, ToolRegistration, ToolRegistry } from '@nestor-ai/core';
import { remembered } from '@nestor-ai/core/internal';

/**
 * The tools of the application that MCP clients may use: those with `@Tool({ mcp: true })`, and
 * those that the module selects.
 */
export class ExposedTools {
  readonly callbacks: readonly ToolCallback[];
  readonly #byName: ReadonlyMap<string, ToolCallback>;
  /** The description of each tool. Made once: a list of tools is a list of these. */
  readonly #described: ReadonlyMap<ToolCallback, Tool>;

  /** @throws Error if two tools have the same name */
  constructor(registry: ToolRegistry, query: ToolQuery | undefined) {
    const marked = registry.list().filter(({ metadata }) => metadata.mcp === true);
    const selected = query ? registry.find(query.criteria) : [];
    const known = new Map<string, ToolRegistration>();
    for (const tool of [...marked, ...selected]) addTo(known, tool);
    this.callbacks = Object.freeze([...known.values()].map(({ callback }) => callback));
    this.#byName = new Map([...known].map(([name, { callback }]) => [name, callback]));
    this.#described = new Map(this.callbacks.map((callback) => [callback, describe(callback)]));
  }

  find(name: string): ToolCallback | undefined {
    return this.#byName.get(name);
  }

  /** The list of tools as clients receive it: the same object for the same list. */
  readonly listOf = remembered((callbacks: readonly ToolCallback[]): ListToolsResult => {
    return { tools: callbacks.map((callback) => this.#described.get(callback)!) };
  });
}

function addTo(known: Map<string, ToolRegistration>, tool: ToolRegistration): void {
  const other = known.get(tool.name);
  if (other && other.callback !== tool.callback) {
    throw new Error(
      `Two tools for MCP clients have the name '${tool.name}': ${placeOf(other)} and ${placeOf(tool)}. Give one of them ` +
        'another name with @Tool({ name }), or expose only one.',
    );
  }
  known.set(tool.name, tool);
}

function placeOf({ className, methodName, moduleName }: ToolRegistration): string {
  return `${className}${methodName === undefined ? '' : `.${methodName}()`} in ${moduleName}`;
}

function describe({ toolDefinition, toolMetadata }: ToolCallback): Tool {
  const { name, description, inputSchema, outputSchema } = toolDefinition;
  const annotations = annotationsOf(toolMetadata.effect);
  return {
    name,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema && { outputSchema: outputSchema }),
    ...(annotations && { annotations }),
  };
}

/** What the label `effect` of a tool means to MCP clients. */
function annotationsOf(effect: ToolCallback['toolMetadata']['effect']): ToolAnnotations | undefined {
  if (effect === undefined) return undefined;
  if (effect === 'read') return { readOnlyHint: true };
  return { readOnlyHint: false, destructiveHint: effect === 'irreversible' };
}
