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

  async resolve(toolName: string, request?: unknown): Promise<ToolCallback | undefined> {
    const registered = this.registry.get(toolName)?.callback;
    if (registered) return registered;
    const isMeant = ({ toolDefinition }: ToolCallback): boolean => toolDefinition.name === toolName;
    // Offered tools come first. Other tools can still be selected by name.
    return (
      (await this.registry.currentCallbacks(request)).find(isMeant) ??
      (await this.registry.allCallbacks(request)).find(isMeant)
    );
  }
}
