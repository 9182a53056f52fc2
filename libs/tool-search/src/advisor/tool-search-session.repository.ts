/**
 * Stores the tools that sessions have found, so that another process knows them too. Extend it for
 * a database, and provide it in your application. It is also the injection token. If it fails, the
 * turn continues with what its process knows.
 */
export abstract class ToolSearchSessionRepository {
  /** The names of the tools that a session has found, in that order. Empty for an unknown session. */
  abstract find(sessionId: string): readonly string[] | Promise<readonly string[]>;

  /** Stores the names of a session, replacing the previous ones. */
  abstract save(sessionId: string, toolNames: readonly string[]): void | Promise<void>;

  /** Deletes a session. Ignores unknown ids. */
  abstract delete(sessionId: string): void | Promise<void>;
}
