/** The shortest time after which a job comes back, in milliseconds. */
const PAUSE = 250;

/** How much longer that is for each job that comes back with it, so that many of them are no load. */
const PAUSE_PER_JOB = 5;

/** A job whose turn needs its conversation. */
export interface WaitingJob {
  readonly conversationId: string;
  /** Jobs that were added later have a higher number. */
  readonly number: number;
}

/**
 * Which jobs of a worker wait for their conversations, and when the others come back. Half of its
 * jobs may wait, so that a conversation with many turns does not keep others from running.
 */
export class ConversationWaits {
  readonly #limit: number;
  #waiting = 0;
  #comeBackAt = 0;
  /** Until when jobs are expected, by number and conversation. Later, other processes have them. */
  readonly #expected = new Map<string, Map<number, number>>();
  #count = 0;

  /** @param concurrency how many jobs the worker runs at once */
  constructor(concurrency: number) {
    this.#limit = Math.max(1, Math.floor(concurrency / 2));
  }

  /** @returns false if an earlier job of the conversation is to come back, so that this one must, too */
  mayBegin(job: WaitingJob): boolean {
    if (this.#isBehind(job)) return false;
    this.#expected.get(job.conversationId)?.delete(job.number);
    return true;
  }

  /** @returns ends the wait. Undefined: enough jobs wait, and this one must come back later */
  start(job: WaitingJob): (() => void) | undefined {
    if (this.#waiting >= this.#limit || this.#isBehind(job)) return undefined;
    this.#waiting++;
    return () => void this.#waiting--;
  }

  /** When a job comes back, in milliseconds since 1970. Jobs that do so together keep their order in BullMQ. */
  comeBackAt({ conversationId, number }: WaitingJob): number {
    const now = Date.now();
    if (now >= this.#comeBackAt) {
      this.#comeBackAt = now + Math.max(PAUSE, this.#count * PAUSE_PER_JOB);
      this.#forgetBefore(now);
    }
    const jobs = this.#expected.get(conversationId) ?? new Map<number, number>();
    this.#expected.set(conversationId, jobs.set(number, this.#comeBackAt + PAUSE));
    this.#count++;
    return this.#comeBackAt;
  }

  #isBehind({ conversationId, number }: WaitingJob): boolean {
    const now = Date.now();
    for (const [other, until] of this.#expected.get(conversationId) ?? [])
      if (other < number && until > now) return true;
    return false;
  }

  #forgetBefore(now: number): void {
    this.#count = 0;
    for (const [conversationId, jobs] of this.#expected) {
      for (const [number, until] of jobs) if (until <= now) jobs.delete(number);
      if (jobs.size === 0) this.#expected.delete(conversationId);
    }
  }
}
