import { Injectable } from '@nestjs/common';
import type { CompleteRequestParams, Server, ServerCapabilities } from '@modelcontextprotocol/server';
import { ApplicationTools } from '../application-tools.js';
import { INVALID_PARAMS, McpProtocolException } from '../protocol-error.js';
import { type McpMethod, McpMethods } from '../calls/mcp-methods.js';
import type { McpCaller } from '../mcp-caller.js';
import { McpFeature } from '../mcp-feature.js';
import { McpPromptCatalog } from '../prompts/prompt-catalog.js';
import { McpResourceCatalog } from '../resources/resource-catalog.js';
import {
  COMPLETION_DECLARATION,
  COMPLETION_KIND,
  type CompletionDeclaration,
  type CompletionValues,
} from './completions.js';

/** The resource or prompt that a client refers to. */
interface Referred {
  readonly type: CompletionDeclaration['type'];
  readonly name: string;
  readonly method: McpMethod;
}

/** Serves the completions that `@McpResource()` and `@McpPrompt()` declare. */
@Injectable()
export class McpCompletionFeature extends McpFeature {
  #completions: ReadonlyMap<string, McpMethod> | undefined;

  constructor(
    private readonly application: ApplicationTools,
    private readonly resources: McpResourceCatalog,
    private readonly prompts: McpPromptCatalog,
    private readonly methods: McpMethods,
  ) {
    super();
  }

  get capabilities(): ServerCapabilities | undefined {
    return this.#all.size > 0 ? { completions: {} } : undefined;
  }

  serve(server: Server, caller: McpCaller): void {
    server.setRequestHandler('completion/complete', async ({ params }, { mcpReq }) => {
      const { type, name } = await this.#find(params.ref, caller);
      const { argument } = params;
      const completion = this.#all.get(keyOf({ type, name, argument: argument.name }));
      if (!completion) return { completion: { values: [], total: 0, hasMore: false } };
      const call = {
        arguments: { input: argument.value },
        toolContext: { arguments: params.context?.arguments ?? {} },
        signal: mcpReq.signal,
      };
      const found = (await this.methods.call(completion, call, caller)) as CompletionValues;
      return { completion: { ...found, values: [...found.values] } };
    });
  }

  /** @throws McpProtocolException if there is no such thing for the caller */
  async #find(ref: CompleteRequestParams['ref'], caller: McpCaller): Promise<Referred> {
    const found = ref.type === 'ref/prompt' ? this.#promptOf(ref.name) : this.#resourceOf(ref.uri);
    if (found && (await this.methods.isVisible(found.method, caller))) return found;
    const what = ref.type === 'ref/prompt' ? 'prompt' : 'resource template';
    throw new McpProtocolException(INVALID_PARAMS, `There is no such ${what}.`);
  }

  #promptOf(name: string): Referred | undefined {
    const method = this.prompts.all.byName.get(name);
    return method && { type: 'prompt', name, method };
  }

  #resourceOf(uri: string): Referred | undefined {
    const method = this.resources.templateOf(uri) ?? this.resources.fixedOf(uri);
    return method && { type: 'resource', name: method.name, method };
  }

  get #all(): ReadonlyMap<string, McpMethod> {
    return (this.#completions ??= new Map(
      this.application.registry
        .handlers(COMPLETION_KIND)
        .map(({ metadata, callback }) => [
          keyOf(metadata[COMPLETION_DECLARATION] as CompletionDeclaration),
          { tool: callback },
        ]),
    ));
  }
}

function keyOf({ type, name, argument }: CompletionDeclaration): string {
  return JSON.stringify([type, name, argument]);
}
