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

  async resolve(toolName: string): Promise<ToolCallback | undefined> {
    const registered = this.registry.get(toolName)?.callback;
    if (registered) return registered;
    const current = await this.registry.allCallbacks();
    return current.find(({ toolDefinition }) => toolDefinition.name === toolName);
  }
}
