import type { Client, Tool } from '@modelcontextprotocol/client';
import { DEFAULT_CONNECT_TIMEOUT, type McpServerConnection } from '../mcp-client.options.js';
import { MAX_ANSWER_SIZE } from './bounded-fetch.js';
import { codeOf, describeLoss } from './connection-failure.js';
import { hasValidHeaders } from './parameter-headers.js';
import { McpConnectionException } from './mcp-connection.exception.js';

/** How many tools a server may list. */
const MAX_TOOLS = 2000;

/** How many pages the list of a server may have. */
const MAX_PAGES = 64;

/** How long a list is used whose changes the server does not announce, in milliseconds. */
const UNANNOUNCED_AGE = 300_000;

/** The tools of a server, asked for once and then after each change. */
export class ToolList {
  #tools: readonly Tool[] | undefined;
  #pending: Promise<readonly Tool[]> | undefined;
  #listedAt = 0;
  /** Counts changes, so that a list from before a change is not kept. */
  #version = 0;

  constructor(
    private readonly server: McpServerConnection,
    private readonly client: Client,
  ) {}

  get(): Promise<readonly Tool[]> {
    const isOld = !this.#announcesChanges && performance.now() - this.#listedAt > UNANNOUNCED_AGE;
    if (this.#tools && !isOld) return Promise.resolve(this.#tools);
    return (this.#pending ??= this.#list());
  }

  forget(): void {
    this.#version++;
    this.#tools = undefined;
    // A caller from now on needs a list from after the change.
    this.#pending = undefined;
  }

  async #list(): Promise<readonly Tool[]> {
    const version = this.#version;
    try {
      const tools = Object.freeze((await this.#fetch()).map((tool) => Object.freeze(tool)));
      if (version === this.#version) {
        this.#tools = tools;
        this.#listedAt = performance.now();
      }
      return tools;
    } finally {
      if (version === this.#version) this.#pending = undefined;
    }
  }

  async #fetch(): Promise<readonly Tool[]> {
    const { name, connectTimeout } = this.server;
    // The SDK writes to the console if it is asked in spite of that.
    if (!this.client.getServerCapabilities()?.tools) return [];
    // For all pages together.
    const signal = AbortSignal.timeout(connectTimeout ?? DEFAULT_CONNECT_TIMEOUT);
    try {
      return await this.#fetchPages(signal);
    } catch (error) {
      if (error instanceof McpConnectionException) throw error;
      const code = signal.aborted ? 'ETIMEDOUT' : codeOf(error);
      throw (
        describeLoss(this.server, error) ?? new McpConnectionException(name, `did not list its tools (${code})`, code)
      );
    }
  }

  /**
   * Not with `listTools()` of the SDK: it first reads all pages, of any size, and writes names of
   * the server to the console.
   */
  async #fetchPages(signal: AbortSignal): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    let size = 0;
    let cursor: string | undefined;
    for (let pages = 1; pages <= MAX_PAGES; pages++) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.client.request({ method: 'tools/list', params }, { signal });
      size += JSON.stringify(page.tools).length;
      if (size > MAX_ANSWER_SIZE) throw this.#tooLong(`tools with more than ${MAX_ANSWER_SIZE} characters`);
      for (const tool of page.tools) if (this.#canBeCalled(tool)) tools.push(tool);
      if (tools.length > MAX_TOOLS) throw this.#tooLong(`more than ${MAX_TOOLS} tools`);
      // Some servers repeat the cursor of the last page.
      if (page.nextCursor === undefined || page.nextCursor === cursor) return tools;
      cursor = page.nextCursor;
    }
    throw this.#tooLong(`more than ${MAX_PAGES} pages of tools`);
  }

  #tooLong(what: string): McpConnectionException {
    const reason = `lists ${what}. Use a server with fewer tools, or switch it off`;
    return new McpConnectionException(this.server.name, reason, 'TOO_MANY_TOOLS');
  }

  #canBeCalled({ inputSchema }: Tool): boolean {
    const sendsHeaders = this.server.command === undefined && this.client.getProtocolEra() === 'modern';
    return !sendsHeaders || hasValidHeaders(inputSchema);
  }

  /** Over HTTP, servers of protocol 2025 may have no stream for announcements. */
  get #announcesChanges(): boolean {
    if (this.client.getServerCapabilities()?.tools?.listChanged !== true) return false;
    return (
      this.client.autoOpenedSubscription !== undefined ||
      (this.client.getProtocolEra() === 'legacy' && this.server.command !== undefined)
    );
  }
}
