import { Injectable, Logger } from '@nestjs/common';
import type {
  Resource,
  ResourceTemplateType,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import { McpForbiddenException, McpMissingException } from '../calls/answer-error.js';
import { INVALID_PARAMS, McpProtocolException, refuseCursor } from '../protocol-error.js';
import { McpMethods } from '../calls/mcp-methods.js';
import { ClientInput, type ClientInputContext } from '../input/client-input.js';
import type { McpCaller } from '../mcp-caller.js';
import { McpFeature } from '../mcp-feature.js';
import type { McpListedResource } from './mcp-resource.decorator.js';
import { type FoundResource, McpResourceCatalog, type ResourceLister } from './resource-catalog.js';
import type { McpResourceContent } from './resource-contents.js';
import { MAX_URI_LENGTH, RefusedUriException } from './uri-template.js';

/** Serves the `@McpResource()` methods of the application. */
@Injectable()
export class McpResourcesFeature extends McpFeature {
  readonly #logger = new Logger('McpServer');

  constructor(
    private readonly catalog: McpResourceCatalog,
    private readonly methods: McpMethods,
    private readonly input: ClientInput,
  ) {
    super();
  }

  get capabilities(): ServerCapabilities | undefined {
    if (this.catalog.isEmpty) return undefined;
    return { resources: { listChanged: true } };
  }

  serve(server: Server, caller: McpCaller): void {
    // Clients of 2025 have no session over HTTP in which they could hear of a change.
    if (caller.era === 'modern') server.registerCapabilities({ resources: { subscribe: true } });
    server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) => {
      refuseCursor(params);
      const fixed = await this.methods.visible(this.catalog.all.fixed, caller);
      const listed = await this.#listedByTemplates(caller, mcpReq.signal);
      return { resources: [...fixed.map(({ listing }) => listing as Resource), ...listed] };
    });
    server.setRequestHandler('resources/templates/list', async ({ params }) => {
      refuseCursor(params);
      const templates = await this.methods.visible(this.catalog.all.templates, caller);
      return { resourceTemplates: templates.map(({ listing }) => listing as ResourceTemplateType) };
    });
    server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
      this.input.serve({ target: uri, arguments: {}, request: caller.request }, context, (toolContext) =>
        this.#read(uri, caller, context, toolContext),
      ),
    );
  }

  async #read(uri: string, caller: McpCaller, { mcpReq }: ServerContext, input: ClientInputContext) {
    const { resource, values } = this.#find(uri);
    if (!(await this.methods.isVisible(resource, caller))) throw notFound(uri);
    const call = { arguments: values, toolContext: { ...input, uri }, signal: mcpReq.signal };
    const contents = await this.methods.call(resource, call, caller).catch((error: unknown) => {
      throw error instanceof McpMissingException ? notFound(uri, error.message) : error;
    });
    if (contents === undefined || contents === null) throw notFound(uri);
    const { cache } = resource;
    const hints = cache && caller.era === 'modern' && { ttlMs: cache.ttl, cacheScope: cache.scope ?? 'private' };
    return {
      contents: (contents as readonly McpResourceContent[]).map((content) => ({ uri, ...content })) as never,
      ...hints,
    };
  }

  #find(uri: string): FoundResource {
    if (uri.length > MAX_URI_LENGTH) {
      throw new McpProtocolException(INVALID_PARAMS, `The URI is longer than ${MAX_URI_LENGTH} characters.`);
    }
    try {
      const found = this.catalog.find(uri);
      if (found) return found;
    } catch (error) {
      if (!(error instanceof RefusedUriException)) throw error;
      throw new McpProtocolException(INVALID_PARAMS, error.message);
    }
    throw notFound(uri);
  }

  /** A template whose list fails does not keep the client from the other resources. */
  async #listedByTemplates(caller: McpCaller, signal: AbortSignal): Promise<Resource[]> {
    const { listers, templates } = this.catalog.all;
    if (listers.length === 0) return [];
    const visible = new Set(await this.methods.visible(templates, caller));
    const asked = listers.filter(({ template }) => visible.has(template));
    const lists = await Promise.all(asked.map((lister) => this.#listedBy(lister, caller, signal)));
    return lists.flat();
  }

  async #listedBy(lister: ResourceLister, caller: McpCaller, signal: AbortSignal): Promise<Resource[]> {
    const { mimeType, annotations } = lister.template.listing;
    try {
      const listed = (await this.methods.call(lister, { arguments: {}, signal }, caller)) as McpListedResource[];
      const shared = { ...(mimeType !== undefined && { mimeType }), ...(annotations && { annotations }) };
      return listed.map((resource) => ({ name: resource.uri, ...shared, ...resource }));
    } catch (error) {
      if (!(error instanceof McpForbiddenException)) {
        this.#logger.warn(
          `The list of the MCP resources of ${lister.template.origin} has failed, so none of them are listed.`,
        );
      }
      return [];
    }
  }
}

/** The data is how clients recognize this error. */
function notFound(uri: string, message = 'There is no such resource.'): McpProtocolException {
  return new McpProtocolException(INVALID_PARAMS, message, { uri });
}
