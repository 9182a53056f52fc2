import { Injectable } from '@nestjs/common';
import { ToolCallbackResolver } from '../../execution/tool-callback-resolver.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import { ToolRegistry } from './tool.registry.js';

/** Finds the tools of the application by their names. */
@Injectable()
export class ProviderToolCallbackResolver extends ToolCallbackResolver {
  constructor(private readonly registry: ToolRegistry) {
    super();
  }

  resolve(toolName: string): ToolCallback | undefined {
    return this.registry.get(toolName)?.callback;
  }
}
