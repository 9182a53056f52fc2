import { setTimeout as sleep } from 'node:timers/promises';

/** The kinds of turns, by what their tool may do. */
export const KINDS = ['charge', 'transfer', 'look', 'report', 'order'] as const;

export type Kind = (typeof KINDS)[number];

export const kindOf = (turn: number): Kind => KINDS[turn % KINDS.length]!;

/** How many turns share a conversation. */
const TURNS_PER_CONVERSATION = 7;

export const conversationOf = (turn: number): string => `conversation-${Math.floor(turn / TURNS_PER_CONVERSATION)}`;

/** Sends requests to the replicas, one after the other, and again if a replica dies meanwhile. */
export class RoundRobin {
  #next = 0;
  retries = 0;

  constructor(private readonly ports: readonly number[]) {}

  /** The address of the next replica. */
  next(): string {
    return `http://127.0.0.1:${this.ports[this.#next++ % this.ports.length]!}`;
  }

  /** @throws Error if no replica has answered for a minute */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const until = Date.now() + 60_000;
    let last: unknown;
    while (Date.now() < until) {
      try {
        const response = await fetch(`${this.next()}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(4000),
        });
        if (response.ok) return (await response.json()) as T;
        last = new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      } catch (error) {
        last = error;
      }
      this.retries++;
      await sleep(50);
    }
    throw new Error(`No replica has answered ${method} ${path} for a minute.`, { cause: last });
  }
}

/** Runs jobs, a limited number at a time. */
export async function inParallel(count: number, atOnce: number, job: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
