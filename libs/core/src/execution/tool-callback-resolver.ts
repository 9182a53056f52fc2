import type { ToolCallback } from '../model/tool-callback.js';

/** Finds a tool by its name: for `tools('name')`, `toolNames` and the resolution fallback. */
export abstract class ToolCallbackResolver {
  /**
   * The tool with this name. Undefined if there is none.
   *
   * @param request the caller's request, on which the tools of a `ToolCallbackProvider` may depend
   */
  abstract resolve(toolName: string, request?: unknown): ToolCallback | undefined | Promise<ToolCallback | undefined>;
}

/** Finds tools in a fixed list. If two tools have the same name, the last one wins. */
export class StaticToolCallbackResolver extends ToolCallbackResolver {
  readonly #callbacks: ReadonlyMap<string, ToolCallback>;

  constructor(callbacks: readonly ToolCallback[]) {
    super();
    this.#callbacks = new Map(callbacks.map((callback) => [callback.toolDefinition.name, callback]));
  }

  resolve(toolName: string): ToolCallback | undefined {
    requireName(toolName);
    return this.#callbacks.get(toolName);
  }
}

/** Asks several resolvers in turn. */
export class DelegatingToolCallbackResolver extends ToolCallbackResolver {
  constructor(private readonly resolvers: readonly ToolCallbackResolver[]) {
    super();
  }

  async resolve(toolName: string, request?: unknown): Promise<ToolCallback | undefined> {
    requireName(toolName);
    for (const resolver of this.resolvers) {
      const found = await resolver.resolve(toolName, request);
      if (found) return found;
    }
    return undefined;
  }
}

function requireName(toolName: string): void {
  if (typeof toolName !== 'string' || toolName.trim() === '') {
    throw new TypeError('toolName cannot be null or empty');
  }
}
