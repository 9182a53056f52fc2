import { Injectable } from '@nestjs/common';
import type { GetPromptResult, Server, ServerCapabilities } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR, INVALID_PARAMS, McpProtocolException, refuseCursor } from '../protocol-error.js';
import { ClientInput } from '../input/client-input.js';
import { McpMethods } from '../calls/mcp-methods.js';
import type { McpCaller } from '../mcp-caller.js';
import { McpFeature } from '../mcp-feature.js';
import { McpPromptCatalog } from './prompt-catalog.js';
import type { McpPromptResult } from './prompt-messages.js';

/** Serves the `@McpPrompt()` methods of the application. */
@Injectable()
export class McpPromptsFeature extends McpFeature {
  constructor(
    private readonly catalog: McpPromptCatalog,
    private readonly methods: McpMethods,
    private readonly input: ClientInput,
  ) {
    super();
  }

  get capabilities(): ServerCapabilities | undefined {
    return this.catalog.all.methods.length > 0 ? { prompts: {} } : undefined;
  }

  serve(server: Server, caller: McpCaller): void {
    server.setRequestHandler('prompts/list', async ({ params }) => {
      refuseCursor(params);
      const prompts = await this.methods.visible(this.catalog.all, caller);
      return { prompts: prompts.map(({ listing }) => listing) };
    });
    server.setRequestHandler('prompts/get', async ({ params }, context) => {
      const { name, arguments: given = {} } = params;
      const prompt = this.catalog.all.byName.get(name);
      if (!prompt || !(await this.methods.isVisible(prompt, caller))) {
        throw new McpProtocolException(INVALID_PARAMS, 'There is no such prompt.');
      }
      const { signal } = context.mcpReq;
      const { request } = caller;
      return this.input.serve({ target: `prompt ${name}`, arguments: given, request }, context, async (toolContext) => {
        const call = { arguments: given, signal, toolContext };
        const result = (await this.methods.call(prompt, call, caller)) as McpPromptResult | null | undefined;
        if (!result) throw new McpProtocolException(INTERNAL_ERROR, 'The prompt has no messages.');
        const { description } = prompt.listing;
        return { ...(description !== undefined && { description }), ...result } as GetPromptResult;
      });
    });
  }
}
