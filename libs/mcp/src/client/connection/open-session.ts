import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';
import { untilAborted } from '@nestor-ai/core';
import { inTime, settledWithin } from '@nestor-ai/core/internal';
import type { McpAuthProvider } from '../credentials/mcp-credentials.js';
import { DEFAULT_CONNECT_TIMEOUT, type McpServerConnection } from '../mcp-client.options.js';
import { type ClientSdk, loadClientSdk } from './client-sdk.js';
import { ConnectedSession, type SessionEvents } from './connected-session.js';
import { type ConnectionFailure, type ConnectionTrace, describeFailure } from './connection-failure.js';
import { createHttpTransport, watchHttpTransport } from './http-transport.js';

const CLIENT_INFO = { name: 'nestor', version: '0.1.0' };

/** How long the end of a session of protocol 2025 may take, in milliseconds. */
const TERMINATION_TIMEOUT = 1000;

/** A session, or why there is none. */
export type Opening = { readonly session: ConnectedSession } | { readonly failure: ConnectionFailure };

/** Connects to a server: over HTTP or by starting its program, with protocol 2026-07-28 or 2025. */
export async function openSession(
  server: McpServerConnection,
  authProvider: McpAuthProvider | undefined,
  events: SessionEvents,
  signal: AbortSignal,
): Promise<Opening> {
  const trace: ConnectionTrace = { networkErrors: new WeakSet(), isServerSilent: false, hasTimedOut: false };
  const sdk = await loadClientSdk();
  const timeout = server.connectTimeout ?? DEFAULT_CONNECT_TIMEOUT;
  const client: Client = createClient(sdk, server, timeout, () => session.forgetTools());
  const http = server.command === undefined ? createHttpTransport(sdk, server, authProvider, trace) : undefined;
  const transport = http ?? (await createStdioTransport(server));
  const describe = (error: unknown): ConnectionFailure =>
    describeFailure({ ...server, connectTimeout: timeout }, error, trace, authProvider !== undefined);
  const lost = (): void => events.onLost(session);
  const watchAnswers =
    http && watchHttpTransport(http, trace, { onLost: lost, describe: (error) => describe(error).error });
  const session = new ConnectedSession(server, client, events, () => closeClient(client, http));
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    session.elicitations.answer(params, mcpReq.signal),
  );
  try {
    await connectInTime(client, transport, timeout, trace, signal);
    watchAnswers?.();
    // eslint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    client.onclose = lost;
    void client.autoOpenedSubscription?.closed.then((by) => by !== 'local' && events.onUnsubscribed(session));
    return { session };
  } catch (error) {
    return { failure: describe(error) };
  }
}

function createClient(
  { Client }: ClientSdk,
  { command }: McpServerConnection,
  timeout: number,
  onToolsChanged: () => void,
): Client {
  // A silent program is a server of protocol 2025, which still has to be asked in that protocol.
  const probeTimeout = command === undefined ? timeout : timeout / 2;
  return new Client(CLIENT_INFO, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeout } },
    inputRequired: { autoFulfill: false },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
  });
}

async function createStdioTransport({ command, args, env, cwd }: McpServerConnection): Promise<Transport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  // What a program writes to stderr may have secrets.
  return new StdioClientTransport({
    command: command!,
    args: [...(args ?? [])],
    stderr: 'ignore',
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
}

/** The SDK has a timeout for each message, but none for the whole. */
async function connectInTime(
  client: Client,
  transport: Transport,
  timeout: number,
  trace: ConnectionTrace,
  signal: AbortSignal,
): Promise<void> {
  // The application may have stopped while the SDK was loaded.
  signal.throwIfAborted();
  const late = (): Error => {
    trace.hasTimedOut = true;
    return new Error('The connection attempt took too long.');
  };
  const connected = client.connect(transport, { timeout, maxTotalTimeout: timeout });
  try {
    await inTime(untilAborted(signal, connected), timeout, late);
  } catch (error) {
    // `close` of the client does nothing before the transport belongs to it.
    await Promise.allSettled([transport.close(), client.close()]);
    // The SDK then ends the program of its probe. Over HTTP, a token may never come.
    if (transport.hasPerRequestStream !== true) await connected.catch(() => {});
    throw error;
  }
}

async function closeClient(client: Client, http: StreamableHTTPClientTransport | undefined): Promise<void> {
  // A server that is gone has no session to end.
  if (http?.sessionId !== undefined) await settledWithin([http.terminateSession()], TERMINATION_TIMEOUT);
  await client.close().catch(() => {});
}
