import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { errorTypeOf } from '@nestor-ai/core';
import { McpMethods } from '../calls/mcp-methods.js';
import type { McpCaller } from '../mcp-caller.js';
import { MCP_EVENT_BUS } from '../mcp-event-bus.js';
import { McpResourceCatalog } from './resource-catalog.js';

/** Tells callers of events, but of updates only if they may read the resource. */
@Injectable()
export class McpResourceSubscriptions {
  readonly #logger = new Logger('McpServer');

  constructor(
    @Inject(MCP_EVENT_BUS) private readonly bus: ServerEventBus,
    private readonly catalog: McpResourceCatalog,
    private readonly methods: McpMethods,
  ) {}

  /**
   * Subscribes a caller to all events.
   *
   * @param watched the resources that the caller watches. Undefined if the listener decides.
   * @returns a function that ends the subscription
   */
  subscribe(caller: McpCaller, listener: (event: ServerEvent) => void, watched?: ReadonlySet<unknown>): () => void {
    return this.bus.subscribe((event) => {
      if (event.kind !== 'resource_updated') return listener(event);
      if (watched && !watched.has(event.uri)) return;
      this.#mayRead(event.uri, caller)
        .then((mayRead) => mayRead && listener(event))
        .catch((error: unknown) => this.#logger.debug(`An MCP client was not notified: ${errorTypeOf(error)}.`));
    });
  }

  /** A resource that no decorator declares is served by a feature of the application, which decides itself. */
  async #mayRead(uri: string, caller: McpCaller): Promise<boolean> {
    try {
      const found = this.catalog.find(uri);
      if (!found) return true;
      const { resource, values } = found;
      if (!(await this.methods.isVisible(resource, caller))) return false;
      await this.methods.call(this.catalog.subscriptionOf(resource), { arguments: values }, caller);
      return true;
    } catch {
      // `McpMethods` has logged what is neither a refusal nor a wrong URI.
      return false;
    }
  }
}
