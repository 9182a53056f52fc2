import type { Readable, Writable } from 'node:stream';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { AuthInfo, McpRequestContext, Server, ServerEvent } from '@modelcontextprotocol/server';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { errorTypeOf } from '@nestor-ai/core';
import type { McpCaller } from '../mcp-caller.js';
import { McpServerFactory } from '../mcp-server.factory.js';
import { McpResourceSubscriptions } from '../resources/resource-subscriptions.js';
import { ClaimedStdout } from './claimed-stdout.js';

/** The options of `serveMcpStdio()`. */
export interface McpStdioOptions {
  /**
   * Who calls the server. Guards and request-scoped providers see a request with this property
   * `auth` only. Default: undefined, since the client has started this program.
   */
  readonly auth?: AuthInfo;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Where the messages of the protocol come from and go to. */
interface StdioStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Serves one MCP client over the standard input and output of the process. */
@Injectable()
export class McpStdioServer implements BeforeApplicationShutdown {
  private readonly logger = new Logger('McpServerModule');
  #handle: StdioServerHandle | undefined;

  constructor(
    private readonly servers: McpServerFactory,
    private readonly subscriptions: McpResourceSubscriptions,
  ) {}

  /**
   * Serves the client until it closes the standard input, or until the application closes.
   * Meanwhile, everything that the process prints goes to the standard error.
   */
  async serve(options: McpStdioOptions = {}): Promise<void> {
    const stdout = new ClaimedStdout();
    try {
      await this.serveStreams({ stdin: process.stdin, stdout }, options);
    } finally {
      stdout.release();
    }
  }

  /** Like {@link serve}, over other streams. */
  async serveStreams({ stdin, stdout }: StdioStreams, { auth }: McpStdioOptions = {}): Promise<void> {
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
    const request = { auth };
    const transport = new StdioServerTransport(stdin, stdout);
    this.#handle = serveStdio(({ era }) => this.#createServer(era, request), {
      transport,
      // The message may repeat what the client has sent.
      onerror: (error) => this.logger.debug(`An MCP message was not served: ${errorTypeOf(error)}.`),
    });
    const { onclose } = transport;
    await new Promise<void>((resolve) => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
    });
  }

  /** Closes the connection, after `AiModule` has let running turns finish. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#handle?.close();
  }

  #createServer(era: McpRequestContext['era'], request: { readonly auth: AuthInfo | undefined }): Server {
    const { auth } = request;
    const caller: McpCaller = { request, era, ...(auth && { auth }) };
    const server = this.servers.create(caller);
    const unsubscribe = this.subscriptions.subscribe(
      caller,
      (event) => this.#notify(server, event),
      // Clients of 2025 subscribe with a request to the server, which knows who watches what.
      era === 'modern' ? undefined : NOTHING,
    );
    const { onclose } = server;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
    server.onclose = () => {
      unsubscribe();
      onclose?.();
    };
    return server;
  }

  /** The SDK sends modern clients what they have subscribed to. */
  #notify(server: Server, event: ServerEvent): void {
    const { tools, prompts, resources } = server.getCapabilities();
    const send = (isOffered: unknown, notify: () => Promise<void>): void => {
      if (!isOffered) return;
      notify().catch((error: unknown) => this.logger.debug(`An MCP client was not notified: ${errorTypeOf(error)}.`));
    };
    switch (event.kind) {
      case 'tools_list_changed':
        return send(tools?.listChanged, () => server.sendToolListChanged());
      case 'prompts_list_changed':
        return send(prompts?.listChanged, () => server.sendPromptListChanged());
      case 'resources_list_changed':
        return send(resources?.listChanged, () => server.sendResourceListChanged());
      case 'resource_updated':
        return send(resources?.subscribe, () => server.sendResourceUpdated({ uri: event.uri }));
    }
  }
}
