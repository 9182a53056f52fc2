import { Injectable } from '@nestjs/common';

/** The application uses AI tools in a way that cannot work. Thrown at bootstrap, with every mistake at once. */
export class AiBootstrapException extends Error {
  override readonly name = 'AiBootstrapException';

  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? problems[0]
        : `${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/**
 * Collects what is wrong while providers are made. An error thrown by a factory would end the process
 * under Nest's defaults, and would hide all the others.
 */
@Injectable()
export class BootstrapProblems {
  readonly #problems = new Set<string>();

  add(...problems: readonly string[]): void {
    for (const problem of problems) this.#problems.add(problem);
  }

  /** Does something that may fail; a failure is a problem. */
  collect<T>(attempt: () => T): T | undefined {
    try {
      return attempt();
    } catch (error) {
      this.add(...(error instanceof AiBootstrapException ? error.problems : [(error as Error).message]));
      return undefined;
    }
  }

  /** Each problem once, in the order in which they were found. */
  get list(): readonly string[] {
    return [...this.#problems];
  }
}

/** What is wrong with something that may fail. */
export function problemsOf(attempt: () => unknown): readonly string[] {
  const problems = new BootstrapProblems();
  problems.collect(attempt);
  return problems.list;
}

/** Has the application checked before it is used, as in a testing module that was only compiled. */
@Injectable()
export class BootstrapCheck {
  /** Checks the application, where nobody has initialised it. */
  checker: { ensureChecked(): void } | undefined;
  /** Whether everything was looked at, and nothing was wrong. */
  isOver = false;

  /** @throws AiBootstrapException with all problems found */
  ensureChecked(): void {
    if (!this.isOver) this.checker?.ensureChecked();
  }
}
