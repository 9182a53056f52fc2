import { ToolCallback } from '../../model/tool-callback.js';
import { RUNS_WITH_RUNNER, ToolContext } from '../../model/tool-context.js';
import type { ToolDefinition } from '../../model/tool-definition.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolResult } from '../../model/tool-result.js';

/** Calls a `ToolCallback` in a way that only the container knows. */
export type CallbackInvoker = (toolInput: string, context: ToolContext) => Promise<string | ToolResult>;

/** A `ToolCallback` that the container calls, behind guards. */
export class EnhancedToolCallback extends ToolCallback {
  readonly [RUNS_WITH_RUNNER] = true;
  declare readonly toolDefinition: ToolDefinition;
  declare readonly toolMetadata: ToolMetadata;
  declare readonly origin: string;

  constructor(
    private readonly original: ToolCallback,
    private readonly invoke: CallbackInvoker,
  ) {
    super();
    // Read when they are needed: the original may make them anew.
    Object.defineProperties(this, {
      toolDefinition: { get: () => original.toolDefinition, enumerable: true },
      toolMetadata: { get: () => original.toolMetadata, enumerable: true },
      origin: { get: () => original.origin, enumerable: true },
    });
  }

  override call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    return this.invoke(toolInput, context);
  }

  override verify(): void {
    this.original.verify?.();
  }
}
