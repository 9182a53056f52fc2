import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpServerConnection } from '../mcp-client.options.js';
import { boundedFetch } from './bounded-fetch.js';
import type { ClientSdk } from './client-sdk.js';
import { CONNECTION_ENDED, type ConnectionTrace } from './connection-failure.js';
import { quietOAuthError } from './quiet-oauth-error.js';
import type { McpAuthProvider } from '../credentials/mcp-credentials.js';

/** The error code of JSON-RPC for a connection that ended. */
const CONNECTION_CLOSED = -32_000;

/** The shortest and the longest time before the rest of a broken stream is asked for, in milliseconds. */
const MIN_RECONNECT = 500;
const MAX_RECONNECT = 60_000;

/** How many answers may be on their way to a server that asks: it may send any number of questions. */
const MAX_ANSWERS = 100;

/** Creates the transport of a server over HTTP. */
export function createHttpTransport(
  sdk: ClientSdk,
  { url, headers, fetch }: McpServerConnection,
  authProvider: McpAuthProvider | undefined,
  trace?: ConnectionTrace,
): StreamableHTTPClientTransport {
  const address = new URL(url!);
  const send = boundedFetch(fetch);
  return new sdk.StreamableHTTPClientTransport(address, {
    ...(authProvider && { authProvider }),
    // The server chooses the delay.
    reconnectionScheduler: (reconnect, delay) => {
      const timer = setTimeout(reconnect, Math.min(Math.max(delay, MIN_RECONNECT), MAX_RECONNECT));
      return () => clearTimeout(timer);
    },
    fetch: async (target, init) => {
      const to = new URL(target);
      if (to.origin !== address.origin) return quietOAuthError(await send(to, init));
      // Authorization servers elsewhere must not get the headers.
      const request = { ...init, headers: withDefaults(init?.headers, headers) };
      if (trace) trace.isServerSilent = true;
      try {
        const response = await send(to, request);
        return to.pathname === address.pathname ? response : await quietOAuthError(response);
      } catch (error) {
        if (init?.signal?.aborted !== true) trace?.networkErrors.add(error as object);
        throw error;
      } finally {
        if (trace) trace.isServerSilent = init?.signal?.aborted === true;
      }
    },
  });
}

/** Adds headers that are not there yet: the token of a user replaces that of the configuration. */
function withDefaults(given: RequestInit['headers'], defaults: McpServerConnection['headers'] = {}): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
  return headers;
}

/** What becomes of errors of an open connection. */
export interface HttpWatch {
  /** The server cannot be reached any more, or has forgotten the session. */
  onLost(): void;
  /** The error for the caller. Errors of the SDK and of token sources may have secrets or texts of the server. */
  describe(error: unknown): Error;
}

/**
 * Makes calls fail as soon as the connection breaks. The SDK lets a call wait for its timeout if
 * the stream of its answer ends early.
 *
 * @returns starts to watch the answers, once the SDK has connected
 */
export function watchHttpTransport(
  transport: StreamableHTTPClientTransport,
  trace: ConnectionTrace,
  watch: HttpWatch,
): () => void {
  const unanswered = new Set<unknown>();
  let isOpen = false;
  let answers = 0;
  const send = transport.send.bind(transport);
  const failUnanswered = (id: unknown): void => {
    if (!unanswered.delete(id)) return;
    watch.onLost();
    const error = { code: CONNECTION_CLOSED, message: 'Connection closed', data: CONNECTION_ENDED };
    transport.onmessage?.({ jsonrpc: '2.0', id: id as number, error });
  };
  transport.send = async (message: JSONRPCMessage | JSONRPCMessage[], options) => {
    const id = 'id' in message && 'method' in message ? message.id : undefined;
    const isAnswer = !('method' in message);
    if (isAnswer && answers >= MAX_ANSWERS) return;
    answers += Number(isAnswer);
    const isCall = id !== undefined && options?.onRequestStreamEnd === undefined;
    if (isCall) unanswered.add(id);
    // A cancelled call needs no answer. Its stream may end.
    unanswered.delete(cancelledId(message));
    options?.requestSignal?.addEventListener('abort', () => unanswered.delete(id), { once: true });
    try {
      await send(message, isCall ? { ...options, onRequestStreamEnd: () => failUnanswered(id) } : options);
    } catch (error) {
      unanswered.delete(id);
      trace.sendError = error;
      if (options?.requestSignal?.aborted === true) throw error;
      const isLost = trace.networkErrors.has(error as object) || isForgotten(error, transport, 404);
      // Servers made after older examples of the SDK answer 400.
      if (isLost || isForgotten(error, transport, 400)) watch.onLost();
      // The SDK recognizes errors of the handshake by their class.
      throw isOpen && !isLost ? watch.describe(error) : error;
    } finally {
      answers -= Number(isAnswer);
    }
  };
  return () => {
    isOpen = true;
    // The handshake is answered. Its streams may end later.
    unanswered.clear();
    const receive = transport.onmessage;
    // eslint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    transport.onmessage = (message) => {
      if ('id' in message && !('method' in message)) unanswered.delete(message.id);
      receive?.(message);
    };
  };
}

/** The id of the call that a message cancels. */
function cancelledId(message: JSONRPCMessage | JSONRPCMessage[]): unknown {
  return 'method' in message && message.method === 'notifications/cancelled'
    ? message.params?.['requestId']
    : undefined;
}

function isForgotten(error: unknown, { sessionId }: StreamableHTTPClientTransport, status: number): boolean {
  return sessionId !== undefined && (error as { status?: unknown }).status === status;
}
