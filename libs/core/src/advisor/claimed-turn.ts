import { Logger } from '@nestjs/common';
import type {
  SuspendedTurn,
  SuspendedTurnRepository,
  TurnChange,
  TurnData,
} from '../memory/suspended-turn.repository.js';
import { StoreTimeoutException } from '../memory/store-failure.js';
import type { TurnEntry } from '../memory/turn-entry.js';
import { TurnState } from '../memory/turn-state.js';
import { inTime } from '../model/aborts.js';
import type { Awaitable } from '../model/awaitable.js';
import { settledWithin } from '../model/settled-within.js';
import { errorTypeOf } from '../model/error-type.js';
import { goingOn } from './resumption-checks.js';

const logger = new Logger('ToolCallingAdvisor');

/** How long the end of a request waits for the repository, in milliseconds. */
const PATIENCE = 1000;

/**
 * The state of a turn that one request runs, and the entries that are to be stored. Claims the
 * turn, extends the claim while the request runs, and only saves the turn while the claim is held.
 */
export class ClaimedTurn {
  readonly state: TurnState;
  readonly #owner: string = crypto.randomUUID();
  /** The revision that is stored, as far as known. */
  #revision: number;
  /**
   * When the claim ends, by `performance.now()`: the clock of the machine may be set. It does not count
   * the time that the machine sleeps.
   */
  #claimedUntil = 0;
  #renewal: NodeJS.Timeout | undefined;
  /**
   * `free`: not claimed yet, or the request has ended, but calls that still run may end later.
   * `over`: nothing is stored any more.
   */
  #claim: 'free' | 'held' | 'over' = 'free';
  #lost: Error | undefined;
  /** The entries that are not stored yet. */
  #unwritten: TurnEntry[] = [];
  /** The number of entries of the last save, if it has failed. They may have been stored all the same. */
  #unsure: number | undefined;
  /** Queues the requests to the repository, so that a late answer is not taken for the newest. */
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * @param held the turn as it was stored
   * @param lease how long a claim is valid if it is not extended, in milliseconds
   * @param onLost called when another request has claimed the turn because this process did not
   *   extend its claim in time
   */
  constructor(
    private readonly held: SuspendedTurn,
    private readonly repository: SuspendedTurnRepository,
    private readonly lease: number,
    private readonly onLost: (error: Error) => void,
  ) {
    this.state = new TurnState(held);
    this.#revision = held.revision;
  }

  /** @throws ToolApprovalException if another request has resumed the turn */
  async claim(): Promise<void> {
    this.add({ kind: 'claimed' });
    if (!(await this.#inOrder(() => this.#save(true)))) throw goingOn(this.held.id);
    if (this.state.status === 'failed') this.state.status = this.held.phase ? 'running' : 'suspended';
    this.hold();
  }

  /** A number that is greater for each request that holds the turn: the revision of its first save. */
  get fence(): number {
    return this.held.revision + 1;
  }

  /** Extends the claim from now on. A new turn is claimed when it is stored first. */
  hold(): void {
    this.#claim = 'held';
    this.#renewal = setInterval(() => void this.#renew(), Math.max(1, this.lease / 3));
    this.#renewal.unref();
  }

  get isHeld(): boolean {
    return this.#claim === 'held';
  }

  /** Adds what has happened in the turn. It is stored with the next write. */
  add(entry: TurnEntry): void {
    this.state.apply(entry);
    this.#unwritten.push(entry);
  }

  get hasUnwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** @throws ToolApprovalException if another request was found to have the turn */
  throwIfLost(): void {
    if (this.#lost) throw this.#lost;
  }

  /**
   * Stores that a call is about to start.
   *
   * @throws ToolApprovalException if the claim was lost; the call must not start
   */
  async writeBeginning(): Promise<void> {
    if (!this.isHeld) throw goingOn(this.held.id);
    await this.write();
    if (this.#claimedUntil > performance.now()) return;
    // The claim expired during the write, so another request may also have started. Keep the
    // stored record, so that the uncertain call can be resolved.
    throw this.#lose();
  }

  /** Stores the current state. Calls made while another write runs share the next one. */
  write(): Promise<void> {
    return (this.#next ??= this.#inOrder(async () => {
      this.#next = undefined;
      if (this.#claim === 'over') return;
      const { isHeld } = this;
      if (await this.#save(isHeld)) return;
      if (isHeld) throw this.#lose();
      // Another request has decided about the calls that were still running.
      this.#close();
    }));
  }

  /** Tries to store the current state. If it fails, the next write contains it as well. */
  async note(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      // The result or error of the turn matters more.
      logger.error(`Could not save the turn '${this.held.id}': ${errorTypeOf(error)}`);
    }
  }

  /** Stores the suspended turn, which any request may resume. */
  handOver(): Promise<void> {
    return this.#inOrder(async () => {
      if (!(await this.#save(false))) throw goingOn(this.held.id);
      this.#close();
    });
  }

  /** Lets another request resume the turn. Waits only briefly for a repository that hangs. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    clearInterval(this.#renewal);
    this.#claim = 'free';
    await settledWithin([this.note()], PATIENCE);
  }

  /** Stores the end of the turn. Waits only briefly for a repository that hangs. */
  async end(): Promise<void> {
    if (!this.isHeld) return;
    this.#close();
    const ending = this.#inOrder(() => this.#save(false)).catch((error: unknown) => {
      // The answer matters more.
      logger.error(`Could not store the end of the turn '${this.held.id}': ${errorTypeOf(error)}`);
    });
    await settledWithin([ending], PATIENCE);
  }

  /**
   * @param isHeld whether the request goes on, and so keeps its claim
   * @returns whether the request still held the turn, so that its state is stored
   */
  async #save(isHeld: boolean): Promise<boolean> {
    const { lease } = this;
    const entries = this.#unwritten;
    this.#unwritten = [];
    const { record, status } = this.state;
    const until = performance.now() + lease;
    const change = { revision: this.#revision, entries, status, owner: this.#owner, lease: isHeld ? lease : undefined };
    try {
      const stored = await this.#store(record, change);
      this.#unsure = undefined;
      if (stored === undefined) return false;
      this.#revision = stored;
      this.#claimedUntil = until;
      return true;
    } catch (error) {
      this.#unsure = entries.length;
      this.#unwritten.unshift(...entries);
      throw error;
    }
  }

  async #store(turn: TurnData, change: TurnChange): Promise<number | undefined> {
    const stored = await this.#inTime(this.repository.save(turn, change));
    if (stored !== undefined || this.#unsure === undefined) return stored;
    // A save that reported a failure may have succeeded.
    const revision = await this.#ownRevision();
    if (revision === undefined) return undefined;
    const entries = revision === this.#revision ? change.entries : change.entries.slice(this.#unsure);
    return this.#inTime(this.repository.save(turn, { ...change, revision, entries }));
  }

  async #renew(): Promise<void> {
    try {
      await this.#inOrder(async () => {
        if (this.isHeld && !(await this.#extend())) this.#lose();
      });
    } catch (error) {
      logger.warn(`Could not extend the claim of the turn '${this.held.id}': ${errorTypeOf(error)}`);
    }
  }

  async #extend(): Promise<boolean> {
    // What could not be stored is stored now. A new turn may not be there yet.
    if (this.#unsure !== undefined) return this.#save(true);
    return this.#inTime(this.repository.claim(this.held.id, this.#revision, this.#owner, this.lease));
  }

  /** The stored revision, if this request has the claim. */
  async #ownRevision(): Promise<number | undefined> {
    const current = await this.#inTime(this.repository.findById(this.held.id));
    return current?.claim?.owner === this.#owner ? current.revision : undefined;
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const running = this.#last.then(step);
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Limits the wait for the repository: an answer is useless once the claim has expired. */
  #inTime<T>(asked: Awaitable<T>): Promise<T> {
    const late = (): Error =>
      new StoreTimeoutException(`The SuspendedTurnRepository did not answer within ${this.lease} ms.`);
    return inTime(Promise.resolve(asked), this.lease, late);
  }

  #lose(): Error {
    this.#close();
    this.#lost = goingOn(this.held.id);
    this.onLost(this.#lost);
    return this.#lost;
  }

  #close(): void {
    clearInterval(this.#renewal);
    this.#claim = 'over';
  }
}
