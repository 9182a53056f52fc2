import { errorTypeOf } from '@nestor-ai/core';
import { McpConnectionException } from './mcp-connection.exception.js';
import type { McpServerConnection } from '../mcp-client.options.js';

/** Why a connection failed, and whether other credentials would fail as well. */
export interface ConnectionFailure {
  readonly error: McpConnectionException;
  readonly concernsCredential: boolean;
}

/** What was seen while connecting. */
export interface ConnectionTrace {
  /** The error of the last message that could not be sent, as the transport threw it. */
  sendError?: unknown;
  /** The errors of `fetch` for the server itself, not for an authorization server. */
  readonly networkErrors: WeakSet<object>;
  /** Whether an HTTP request was sent to the server that it has not answered yet. */
  isServerSilent: boolean;
  hasTimedOut: boolean;
}

/** The errors that OAuth and missing permissions cause. */
const CREDENTIAL_ERROR =
  /^(?:UnauthorizedError|InsufficientScopeError|OAuth|Insecure|Issuer|Registration|Authorization)/;

/** What the SDK throws if a server breaks the protocol. Everything else comes from `McpCredentials`. */
const SDK_ERROR = /^(?:ERR_MCP|Sdk|Protocol|Unsupported|Zod|\$Zod|Syntax)/;

/** The error code of the SDK for a request without an answer. */
const SDK_TIMEOUT = 'REQUEST_TIMEOUT';

/** Puts an error of the SDK into words that have no secret and no text of the server. */
export function describeFailure(
  server: McpServerConnection,
  error: unknown,
  { sendError = error, networkErrors, isServerSilent, hasTimedOut }: ConnectionTrace,
  hasCredential: boolean,
): ConnectionFailure {
  const { name, connectTimeout } = server;
  const failure = (reason: string, code: string, concernsCredential = false): ConnectionFailure => ({
    error: new McpConnectionException(name, reason, code),
    concernsCredential,
  });
  const all = chainOf(sendError);
  const errors = [...chainOf(error), ...all];
  if (hasTimedOut || errors.some((found) => (found as { code?: unknown }).code === SDK_TIMEOUT)) {
    if (hasCredential && !isServerSilent) {
      const reason = `was not asked, because the token of McpCredentials did not come within ${connectTimeout} ms`;
      return failure(reason, 'ETIMEDOUT', true);
    }
    const reason = `did not answer within ${connectTimeout} ms. If it needs longer, raise ai.mcp.servers.${name}.connect-timeout`;
    return failure(reason, 'ETIMEDOUT');
  }
  const status = errors.map(statusOf).find((found) => found !== undefined);
  const credentialError = all.map(errorTypeOf).find((type) => CREDENTIAL_ERROR.test(type));
  if (status === 401 || status === 403 || credentialError !== undefined) {
    const code = String(status ?? (credentialError === 'UnauthorizedError' ? 401 : credentialError));
    const remedy = hasCredential
      ? 'Let the user sign in again, or check what McpCredentials returns'
      : 'Provide McpCredentials, or check the headers in its configuration';
    return failure(`refuses the credential (${code}). ${remedy}`, code, hasCredential);
  }
  if (status !== undefined) return failure(`answers with the HTTP status ${status}. Check its address`, String(status));
  const code = all.map(errorTypeOf).find((type) => /^E[A-Z]|^(?:ERR|UND_ERR)_/.test(type)) ?? codeOf(sendError);
  if (server.command === undefined) {
    if (all.some((found) => networkErrors.has(found)))
      return failure(`cannot be reached (${code}). Check its address, and whether it runs`, code);
    return hasCredential && !SDK_ERROR.test(errorTypeOf(sendError))
      ? failure(
          `has no token for this request (${code}). Check McpCredentials and its authorization server`,
          code,
          true,
        )
      : failure(`cannot be used (${code}). Check that its address is an MCP endpoint`, code, hasCredential);
  }
  return code === 'ENOENT' || code === 'EACCES'
    ? failure(`cannot be started (${code}). ${startRemedy(server.command)}`, code)
    : failure('ended before it answered, or is no MCP server. Run its command by hand to see why', code);
}

function startRemedy(command: string): string {
  return command.includes(' ')
    ? 'Write only the program as its command, and its arguments as args'
    : 'Check its command and its working directory';
}

/** Marks the error of a call whose connection ended. Servers cannot send it. */
export const CONNECTION_ENDED = Object.freeze({ isConnectionEnded: true });

/** Codes of errors after which the server has certainly not got the call. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['NOT_CONNECTED', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

interface LossError {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly data?: unknown;
  readonly cause?: { readonly code?: unknown };
}

/**
 * The error of a call whose connection broke, with the code `NOT_CONNECTED` if the server has not
 * got the call. Undefined for all other errors.
 */
export function describeLoss({ name }: McpServerConnection, error: unknown): McpConnectionException | undefined {
  const { code, status, data, cause } = (error ?? {}) as LossError;
  // An open connection gets this status for a session that the server has forgotten.
  const isUnsent = status === 404 || NOT_SENT.has(code) || (isNetworkError(error) && NOT_SENT.has(cause?.code));
  if (isUnsent) return notConnected(name);
  if (data !== CONNECTION_ENDED && code !== 'CONNECTION_CLOSED' && !isNetworkError(error)) return undefined;
  const reason = 'lost its connection before it answered. It may have run the call. The next request connects again';
  return new McpConnectionException(name, reason, 'ECONNRESET');
}

/** The error of a call that is not sent, because the connection has ended. */
export function notConnected(serverName: string): McpConnectionException {
  const reason = 'lost its connection before it got the call. The next request connects again';
  return new McpConnectionException(serverName, reason, 'NOT_CONNECTED');
}

/** Whether a connection has failed or broke. Errors may come from another realm. */
function isNetworkError(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { name?: unknown; cause?: unknown };
  return name === 'TypeError' && cause !== undefined;
}

/** The code of an error of the SDK, such as `REQUEST_TIMEOUT`, or the type of another error. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{3,50}$/.test(code) ? code : errorTypeOf(error);
}

function statusOf(error: unknown): number | undefined {
  const { data, status = (data as { status?: unknown } | undefined)?.status } = error as {
    status?: unknown;
    data?: unknown;
  };
  return typeof status === 'number' ? status : undefined;
}

/** An error and its causes. */
function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  for (let current = error; typeof current === 'object' && current !== null && chain.length < 5;) {
    chain.push(current);
    current = (current as { cause?: unknown }).cause;
  }
  return chain;
}
