import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.js';
import { MCP_EVENT_BUS } from '../mcp-event-bus.js';
import { McpResourceSubscriptions } from '../resources/resource-subscriptions.js';

/** A request that the SDK serves. */
interface ServedRequest {
  readonly caller: McpCaller;
  readonly watched: ReadonlySet<unknown> | undefined;
}

/** The bus of the SDK's handler, which does not tell the bus for whom it subscribes. */
@Injectable()
export class CallerEventBus implements ServerEventBus {
  readonly #served = new AsyncLocalStorage<ServedRequest>();

  constructor(
    @Inject(MCP_EVENT_BUS) private readonly bus: ServerEventBus,
    private readonly subscriptions: McpResourceSubscriptions,
  ) {}

  publish(event: ServerEvent): void {
    this.bus.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const { caller, watched } = this.#served.getStore()!;
    return this.subscriptions.subscribe(caller, listener, watched);
  }

  /**
   * Serves a request of a caller.
   *
   * @param message the body of the request, if the application has parsed it
   */
  serve<T>(caller: McpCaller, message: object | undefined, run: () => T): T {
    return this.#served.run({ caller, watched: message && watchedBy(message) }, run);
  }
}

/** The URIs of a request that subscribes. The SDK refuses it if they are no texts. */
function watchedBy(message: object): ReadonlySet<unknown> {
  const { params } = message as { readonly params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return new Set(Array.isArray(uris) ? (uris as unknown[]) : []);
}
