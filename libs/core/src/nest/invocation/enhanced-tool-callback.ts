import { ToolCallback } from '../../model/tool-callback.js';
import { ToolContext } from '../../model/tool-context.js';
import type { ToolDefinition } from '../../model/tool-definition.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolResult } from '../../model/tool-result.js';

/** Calls a `ToolCallback` in a way that only the container knows. */
export type CallbackInvoker = (toolInput: string, context: ToolContext) => Promise<string | ToolResult>;

/** A `ToolCallback` that the container calls: behind guards, or with an instance made for the request. */
export class EnhancedToolCallback extends ToolCallback {
  override readonly toolDefinition: ToolDefinition;
  override readonly toolMetadata: ToolMetadata;
  override readonly origin: string;

  constructor(
    private readonly original: ToolCallback,
    private readonly invoke: CallbackInvoker,
  ) {
    super();
    this.toolDefinition = original.toolDefinition;
    this.toolMetadata = original.toolMetadata;
    this.origin = original.origin;
  }

  override call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    return this.invoke(toolInput, context);
  }

  override verify(): void {
    this.original.verify?.();
  }
}
