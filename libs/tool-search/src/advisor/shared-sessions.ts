import { Logger } from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';
import type { ToolSearchSessionRepository } from './tool-search-session.repository.js';

/** The found tools of sessions that several processes share. */
export class SharedSessions {
  readonly #logger = new Logger('ToolSearch');

  constructor(private readonly repository: ToolSearchSessionRepository) {}

  /** The stored names of a session; undefined if the repository fails. */
  async read(id: string): Promise<readonly string[] | undefined> {
    try {
      return await this.repository.find(id);
    } catch (error) {
      this.#warn('read', error);
      return undefined;
    }
  }

  /** Stores the names of a session if they differ from those that were read. */
  async write(id: string, read: readonly string[] | undefined, discovered: ReadonlySet<string>): Promise<void> {
    const names = [...discovered];
    if (names.length === (read?.length ?? 0) && names.every((name, at) => name === read?.[at])) return;
    try {
      await this.repository.save(id, names);
    } catch (error) {
      this.#warn('stored', error);
    }
  }

  /** @throws the error of the repository */
  async delete(id: string): Promise<void> {
    await this.repository.delete(id);
  }

  #warn(done: string, error: unknown): void {
    this.#logger.warn(
      `The tools that a session has found could not be ${done}: ${errorTypeOf(error)}. The turn continues with those that this process knows. ` +
        'Check the ToolSearchSessionRepository.',
    );
  }
}
