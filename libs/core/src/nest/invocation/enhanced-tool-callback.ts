import { STANDS_FOR, ToolCallback } from '../../model/tool-callback.js';
import { RUNS_WITH_RUNNER, ToolContext } from '../../model/tool-context.js';
import type { ToolDefinition } from '../../model/tool-definition.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolResult } from '../../model/tool-result.js';

/** Calls a `ToolCallback` in a way that only the container knows. */
export type CallbackInvoker = (toolInput: string, context: ToolContext) => Promise<string | ToolResult>;

/** A `ToolCallback` that the container calls, behind guards. */
export class EnhancedToolCallback extends ToolCallback {
  declare readonly toolDefinition: ToolDefinition;
  declare readonly toolMetadata: ToolMetadata;
  declare readonly origin: string;

  /** @param standsFor the tool whose policies hold, where it is another one than the original */
  constructor(
    private readonly original: ToolCallback,
    private readonly invoke: CallbackInvoker,
    private readonly standsFor?: ToolCallback,
  ) {
    super();
    // Read when they are needed: the original may make them anew.
    Object.defineProperties(this, {
      toolDefinition: { get: () => original.toolDefinition, enumerable: true },
      toolMetadata: { get: () => original.toolMetadata, enumerable: true },
      origin: { get: () => original.origin, enumerable: true },
    });
  }

  get [RUNS_WITH_RUNNER](): unknown {
    return EnhancedToolCallback.prototype.call;
  }

  get [STANDS_FOR](): ToolCallback | undefined {
    return this.standsFor;
  }

  override call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    return this.invoke(toolInput, context);
  }

  override verify(): void {
    this.original.verify?.();
  }
}
