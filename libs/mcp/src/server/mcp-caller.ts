import type { AuthInfo } from '@modelcontextprotocol/server';

/** Who calls the server. */
export interface McpCaller {
  /**
   * What guards and request-scoped providers see: the HTTP request, with `auth`; over stdio an
   * object with `auth` only.
   */
  readonly request: object;
  /** The verified token. Undefined without `auth` in the options of the module. */
  readonly auth?: AuthInfo;
  /** `modern`: protocol 2026-07-28. `legacy`: 2025, served without a session over HTTP. */
  readonly era: 'legacy' | 'modern';
}
