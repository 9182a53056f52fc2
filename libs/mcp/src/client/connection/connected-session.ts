import type { Client, Tool } from '@modelcontextprotocol/client';
import type { McpServerConnection } from '../mcp-client.options.js';
import { describeLoss, notConnected } from './connection-failure.js';
import { Elicitations } from './elicitations.js';
import type { ElicitationHandler, McpSession } from './mcp-session.js';
import { ToolList } from './tool-list.js';

/** What a session needs of its connection. */
export interface SessionHooks {
  /** Ends the connection. */
  close(): Promise<void>;
  /** Is called when the tools were listed, or could not be. */
  onListed(error?: unknown): void;
}

/** A session whose connection is open. */
export class ConnectedSession implements McpSession {
  readonly elicitations = new Elicitations();
  readonly #tools: ToolList;

  constructor(
    readonly server: McpServerConnection,
    readonly client: Client,
    private readonly hooks: SessionHooks,
  ) {
    this.#tools = new ToolList(server, client);
  }

  async tools(): Promise<readonly Tool[]> {
    try {
      const tools = await this.#tools.get();
      this.hooks.onListed();
      return tools;
    } catch (error) {
      this.hooks.onListed(error);
      throw error;
    }
  }

  async withElicitation<T>(handler: ElicitationHandler, call: () => Promise<T>): Promise<T> {
    // The error of the SDK has no code.
    if (!this.client.transport) throw notConnected(this.server.name);
    try {
      return await this.elicitations.run(handler, call);
    } catch (error) {
      throw describeLoss(this.server, error) ?? error;
    }
  }

  /** The server says that its tools have changed. */
  forgetTools(): void {
    this.#tools.forget();
  }

  /** Ends the connection. Running calls are cancelled. */
  close(): Promise<void> {
    return this.hooks.close();
  }

  /** Ends the connection after the calls that run. */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.elicitations.onIdle(() => resolve(this.close()));
    });
  }
}
