import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../../children.js';
import type { SetRequest } from './child.js';
import type { RecordedContestant } from './contestants.js';
import type { Load } from './load.js';

/** The process of a contestant. It does nothing between its sets. */
export class ContestantProcess {
  private constructor(
    readonly contestant: RecordedContestant,
    readonly version: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(contestant: RecordedContestant): Promise<ContestantProcess> {
    const file = fileURLToPath(new URL('./child.js', import.meta.url));
    const child = fork(file, [contestant.module, contestant.export], { env: { ...process.env, ...ENVIRONMENT } });
    const { version } = await answer<{ version: string }>(child, contestant);
    return new ContestantProcess(contestant, version, child);
  }

  /** Runs one set. */
  readonly measure = async (request: SetRequest): Promise<Load> => {
    this.child.send(request);
    return (await answer<{ result: Load }>(this.child, this.contestant)).result;
  };

  stop(): void {
    this.child.kill();
  }
}

async function answer<T extends object>(child: ChildProcess, { label }: RecordedContestant): Promise<T> {
  const ended = new AbortController();
  const message = (await Promise.race([
    once(child, 'message', ended).then(([first]) => first as T | { error: string }),
    once(child, 'exit', ended).then(([code]) => ({ error: `its process ended with ${code}` })),
  ]).finally(() => ended.abort())) as T | { error: string };
  if ('error' in message) throw new Error(`${label} gave no result: ${message.error}`);
  return message;
}
