import type { Client, Tool } from '@modelcontextprotocol/client';
import type { McpServerConnection } from '../mcp-client.options.js';
import { describeLoss, notConnected } from './connection-failure.js';
import { Elicitations } from './elicitations.js';
import type { ElicitationHandler, McpSession } from './mcp-session.js';
import { ToolList } from './tool-list.js';

/** What happens to an open session. */
export interface SessionEvents {
  /** The connection is of no use any more. */
  onLost(session: ConnectedSession): void;
  /** The server has ended the stream that announces changes. It may still be there. */
  onUnsubscribed(session: ConnectedSession): void;
  /** Is called when the tools were listed, or could not be. */
  onListed(session: ConnectedSession, error?: unknown): void;
}

/** A session whose connection is open. */
export class ConnectedSession implements McpSession {
  readonly elicitations = new Elicitations();
  readonly #tools: ToolList;

  constructor(
    readonly server: McpServerConnection,
    readonly client: Client,
    private readonly events: SessionEvents,
    /** Ends the connection. Running calls are cancelled. */
    readonly close: () => Promise<void>,
  ) {
    this.#tools = new ToolList(server, client);
  }

  async tools(): Promise<readonly Tool[]> {
    try {
      const tools = await this.#tools.get();
      this.events.onListed(this);
      return tools;
    } catch (error) {
      this.events.onListed(this, error);
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

  /** Ends the connection after the calls that run. */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.elicitations.onIdle(() => resolve(this.close()));
    });
  }
}
