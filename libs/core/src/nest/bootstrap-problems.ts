import { Injectable } from '@nestjs/common';
import { closestMatch } from 'leven';
import type { UnknownKey } from './properties/unknown-keys.js';

/**
 * The application uses Nestor in a way that cannot work. Thrown at startup, with all problems at
 * once.
 */
export class AiBootstrapException extends Error {
  override readonly name = 'AiBootstrapException';
  // Private: loggers would print the problems a second time, beside the message.
  readonly #problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? problems[0]
        : `${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.#problems = problems;
    // The frames would only be those of Nest and Nestor, and look like a crash.
    this.stack = `${this.name}: ${this.message}`;
  }

  /** The problems, each with its remedy. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}

/**
 * Collects problems while Nest creates the providers. An error thrown in a factory would end the
 * process under Nest's defaults and hide all other problems.
 */
@Injectable()
export class BootstrapProblems {
  readonly #problems = new Set<string>();
  /** The keys of the configuration that AiModule does not know. An extension may know them. */
  unknownKeys: readonly UnknownKey[] = [];
  /** Checks the application. */
  checker: { ensureChecked(): void } | undefined;
  /** Whether the checks have passed. */
  isOver = false;

  add(...problems: readonly string[]): void {
    for (const problem of problems) this.#problems.add(problem);
  }

  /** Runs a function. If it throws, its error becomes a problem. */
  collect<T>(attempt: () => T): T | undefined {
    try {
      return attempt();
    } catch (error) {
      this.add(...(error instanceof AiBootstrapException ? error.problems : [(error as Error).message]));
      return undefined;
    }
  }

  /**
   * Checks the application before its first use if Nest has not initialized it, as in a testing
   * module that was only compiled.
   *
   * @throws AiBootstrapException with all problems found
   */
  ensureChecked(): void {
    if (!this.isOver) this.checker?.ensureChecked();
  }

  /** Each problem once, in the order in which Nestor found them. */
  get list(): readonly string[] {
    return [...this.#problems];
  }
}

/** Suggests the name that is most similar, or lists all of them. */
export function knownText(given: string, known: readonly string[]): string {
  const nearest = closestMatch(given, known, { maxDistance: Math.ceil(given.length / 2) });
  return nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
}

/** The problems that a function throws. */
export function problemsOf(attempt: () => unknown): readonly string[] {
  const problems = new BootstrapProblems();
  problems.collect(attempt);
  return problems.list;
}
