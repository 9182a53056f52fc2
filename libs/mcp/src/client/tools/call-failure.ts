import { ToolResult } from '@nestor-ai/core';
import type { McpServerConnection } from '../mcp-client.options.js';

/** The longest error message of a server that goes to the model, in characters. */
const MAX_MESSAGE = 2000;

/** The properties of errors of the MCP SDK. */
interface SdkFailure {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/**
 * Whether a server certainly did not run a call: it does not know the session, or the connection
 * was closed before the call was sent.
 */
export function neverRan(error: unknown): boolean {
  const { code, status } = (error ?? {}) as SdkFailure;
  return status === 404 || code === 'NOT_CONNECTED';
}

/** The error that a server answered with. */
export interface ServerRefusal {
  readonly code: number;
  /** Text of the server. It may be anything. */
  readonly message: string;
  /** Details of the error. They may be anything. */
  readonly data?: unknown;
}

/** The error that a server answered with. Undefined if the server did not answer. */
export function refusalOf(error: unknown): ServerRefusal | undefined {
  const { code, message, data } = (error ?? {}) as SdkFailure;
  // An aborted request is a DOMException, which has a number as well.
  const isAnswer = typeof code === 'number' && !(error instanceof DOMException);
  return isAnswer ? { code, message: String(message).slice(0, MAX_MESSAGE), data } : undefined;
}

/**
 * A refusal as a result rather than as an error, since its message is text of the server: the model
 * reads it as untrusted text, and logs and browsers do not show it.
 */
export function toRefusedResult(server: McpServerConnection, { code, message }: ServerRefusal): ToolResult {
  const text = `The MCP server '${server.name}' refused the call (${code}): ${message}`;
  return new ToolResult({ text, isError: true });
}

/** Why a call failed, in words that contain no text of the server. */
export function failureText(server: McpServerConnection, error: unknown): string {
  const { code, status = statusIn(code) } = (error ?? {}) as SdkFailure;
  const name = `The MCP server '${server.name}'`;
  if (status === 401 || status === 403) return `${name} refuses the credential of this user.`;
  if (typeof status === 'number') return `${name} answered with the HTTP status ${status}.`;
  switch (code) {
    case 'REQUEST_TIMEOUT':
      return `${name} did not answer in time. The call may have run.`;
    case 'INVALID_RESULT':
    case 'UNSUPPORTED_RESULT_TYPE':
      return `${name} answered in a form that this application cannot read. The call may have run.`;
    case 'NOT_CONNECTED':
      return `${name} is not available now. The call did not run.`;
    default:
      return `The connection to the MCP server '${server.name}' failed. The call may have run.`;
  }
}

/** A `McpConnectionException` has an HTTP status as its code. */
function statusIn(code: unknown): number | undefined {
  return typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : undefined;
}
