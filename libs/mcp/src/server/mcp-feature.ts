import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import type { McpCaller } from './mcp-caller.js';

/** A part of the protocol that the server offers: tools, resources, prompts, completion. */
export abstract class McpFeature {
  /**
   * What the server announces. Undefined if the application has nothing of this kind. Read once, at
   * the first request.
   */
  abstract readonly capabilities: ServerCapabilities | undefined;

  /** Registers the handlers for the requests of a caller. Called for each HTTP request, so it must be cheap. */
  abstract serve(server: Server, caller: McpCaller): void;
}
