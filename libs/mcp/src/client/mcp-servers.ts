import type { Prompt, RequestOptions, Resource } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import {
  AssistantMessage,
  asUntrusted,
  type Message,
  type ContentPart,
  type Media,
  UserMessage,
} from '@nestor-ai/core';
import { readContent, type ReadContent, readResourceContents } from '../content/read-content.js';
import { McpRequestException } from './mcp-request.exception.js';
import { failureText, neverRan, refusalOf } from './tools/call-failure.js';
import { type McpSession, McpSessions } from './connection/mcp-session.js';

/** For whom your code asks a server. */
export interface McpAccess {
  /** The caller's request, from which `McpCredentials` takes the user. Default: none. */
  readonly request?: unknown;
  /** Ends the request to the server. */
  readonly signal?: AbortSignal;
}

/** The contents of a resource: the text, and images and files. */
export interface McpReadResource {
  readonly text: string;
  readonly parts: readonly ContentPart[];
}

/**
 * Resources and prompts of MCP servers, for your own code. Everything that it returns is text of a
 * server: do not treat it as instructions.
 *
 * @example
 * const messages = await this.mcpServers.getPrompt('github', 'review', { number: '7' }, { request });
 * return this.chatClient.prompt().messages(messages).call().content();
 */
@Injectable()
export class McpServers {
  readonly #sessions: McpSessions;

  constructor(sessions: McpSessions) {
    this.#sessions = sessions;
  }

  /**
   * The resources that a server lists.
   *
   * @throws McpConnectionException if the server cannot be used now
   * @throws McpRequestException if it refuses the request, or does not answer
   */
  async listResources(server: string, access?: McpAccess): Promise<readonly Resource[]> {
    return this.#ask(server, access, async ({ client }, options) => {
      return (await client.listResources(undefined, options)).resources;
    });
  }

  /**
   * Reads a resource.
   *
   * @throws McpConnectionException if the server cannot be used now
   * @throws McpRequestException if it refuses the request, or does not answer
   */
  async readResource(server: string, uri: string, access?: McpAccess): Promise<McpReadResource> {
    return this.#ask(server, access, async ({ client }, options) => {
      return readResourceContents((await client.readResource({ uri }, options)).contents);
    });
  }

  /**
   * The prompts that a server lists.
   *
   * @throws McpConnectionException if the server cannot be used now
   * @throws McpRequestException if it refuses the request, or does not answer
   */
  async listPrompts(server: string, access?: McpAccess): Promise<readonly Prompt[]> {
    return this.#ask(server, access, async ({ client }, options) => {
      return (await client.listPrompts(undefined, options)).prompts;
    });
  }

  /**
   * The messages of a prompt, for `.messages(…)`. They are marked as untrusted.
   *
   * @throws McpConnectionException if the server cannot be used now
   * @throws McpRequestException if it refuses the request, or does not answer
   */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    access?: McpAccess,
  ): Promise<readonly Message[]> {
    return this.#ask(server, access, async ({ client }, options) => {
      const { messages } = await client.getPrompt({ name, arguments: { ...args } }, options);
      return messages.map(({ role, content }) => toMessage(role, readContent([content])));
    });
  }

  async #ask<T>(
    server: string,
    access: McpAccess = {},
    ask: (session: McpSession, options: RequestOptions) => Promise<T>,
    isRepeated = false,
  ): Promise<T> {
    const { request, signal } = access;
    const session = await this.#sessions.session(server, request, signal);
    const { timeout } = session.server;
    try {
      return await ask(session, { ...(timeout !== undefined && { timeout }), ...(signal && { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      if (neverRan(error) && !isRepeated) return this.#ask(server, access, ask, true);
      const refusal = refusalOf(error);
      if (!refusal) throw new McpRequestException(server, failureText(session.server, error));
      throw new McpRequestException(
        server,
        `The MCP server '${server}' refused the request (${refusal.code}). See serverMessage.`,
        refusal.message,
      );
    }
  }
}

function toMessage(role: 'user' | 'assistant', { text, parts }: ReadContent): Message {
  const media = parts.filter((part): part is ContentPart & Media => part.type !== 'text');
  const init = { text, ...(media.length > 0 && { media }) };
  return asUntrusted(role === 'user' ? new UserMessage(init) : new AssistantMessage(init));
}
