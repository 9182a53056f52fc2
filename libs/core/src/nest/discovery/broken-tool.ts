import { ToolCallback } from '../../model/tool-callback.js';
import { createToolDefinition, type ToolDefinition } from '../../model/tool-definition.js';

/**
 * Takes the place of a tool that could not be created, so that other checks find its name. The
 * bootstrap reports why, and the application does not start.
 */
export class BrokenTool extends ToolCallback {
  readonly toolDefinition: ToolDefinition;

  constructor(name: string) {
    super();
    this.toolDefinition = createToolDefinition({ name, inputSchema: { type: 'object' } });
  }

  call(): Promise<never> {
    return Promise.reject(new Error(`The tool '${this.toolDefinition.name}' could not be created.`));
  }
}
