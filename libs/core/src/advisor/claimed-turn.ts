import { Logger } from '@nestjs/common';
import type { SuspendedTurn, SuspendedTurnRepository, TurnClaim } from '../memory/suspended-turn.repository.js';
import { StoreTimeoutException } from '../memory/store-failure.js';
import type { TurnEntry } from '../memory/turn-entry.js';
import type { TurnState } from '../memory/turn-state.js';
import { inTime } from '../model/aborts.js';
import type { Awaitable } from '../model/awaitable.js';
import { settledWithin } from '../model/settled-within.js';
import { errorTypeOf } from '../model/error-type.js';
import { goingOn } from './resumption-checks.js';

const logger = new Logger('ToolCallingAdvisor');

/** How long the end of a request waits for the repository, in milliseconds. */
const PATIENCE = 1000;

/** What a {@link ClaimedTurn} stores. */
export interface TurnSource {
  readonly state: Pick<TurnState, 'record' | 'status'>;
  /** Takes the entries that are not stored yet. */
  takeEntries(): readonly TurnEntry[];
  /** Gives entries back that could not be stored. */
  giveBack(entries: readonly TurnEntry[]): void;
}

/**
 * A stored turn that one request resumes. Claims the turn, extends the claim while the request
 * runs, and only saves the turn while the claim is held.
 *
 * If the repository cannot claim, the turn is removed at the start and saved again if the request
 * fails.
 */
export class ClaimedTurn {
  readonly #owner: string = crypto.randomUUID();
  /** The latest known stored state. */
  #stored: SuspendedTurn;
  #renewal: NodeJS.Timeout | undefined;
  /** `released`: the request has ended, but calls that still run may end later. */
  #state: 'unclaimed' | 'claimed' | 'released' | 'ended' = 'unclaimed';
  /** Queues the requests to the repository, so that a late answer is not taken for the newest. */
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * @param held the turn as it was stored
   * @param lease how long a claim is valid if it is not extended, in milliseconds
   * @param source has what is to be stored
   * @param onLost called when another request has claimed the turn because this process did not
   *   extend its claim in time
   */
  constructor(
    private readonly held: SuspendedTurn,
    private readonly repository: SuspendedTurnRepository,
    private readonly lease: number,
    private readonly source: TurnSource,
    private readonly onLost: (error: Error) => void,
  ) {
    this.#stored = held;
  }

  /** @throws ToolApprovalException if another request has resumed the turn */
  async claim(): Promise<void> {
    const { held, repository } = this;
    const isClaimed = repository.claim
      ? await this.#inTime(repository.claim(held.id, held.revision, this.#newClaim()))
      : (await repository.findById(held.id))?.revision === held.revision &&
        (await repository.remove(held.id, held.revision));
    if (!isClaimed) throw goingOn(held.id);
    this.hold();
  }

  /** Extends the claim from now on. A new turn is claimed when it is stored first. */
  hold(): void {
    this.#state = 'claimed';
    if (!this.repository.claim) return;
    this.#renewal = setInterval(() => void this.#renew(), Math.max(1, this.lease / 3));
    this.#renewal.unref();
  }

  /** Whether the repository has each turn from its start. */
  get recordsAll(): boolean {
    return this.repository.update !== undefined;
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  /**
   * Stores that a call is about to start.
   *
   * @throws ToolApprovalException if the claim was lost; the call must not start
   */
  async writeBeginning(): Promise<void> {
    if (this.#state !== 'claimed') throw goingOn(this.held.id);
    await this.write();
    const { claim } = this.#stored;
    if (!this.repository.claim || !claim || Date.parse(claim.until) > Date.now()) return;
    // The claim expired during the write, so another request may also have started. Keep the
    // stored record, so that the uncertain call can be resolved.
    this.#close();
    throw goingOn(this.held.id);
  }

  /** Stores the current state. Calls made while another write runs share the next one. */
  write(): Promise<void> {
    return (this.#next ??= this.#inOrder(() => {
      this.#next = undefined;
      return this.#save();
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

  /** Stores the suspended turn in place of the record so far. */
  handOver(record: SuspendedTurn): Promise<void> {
    return this.#inOrder(async () => {
      const { repository } = this;
      if (repository.update) {
        if (!(await this.#update(false))) throw goingOn(this.held.id);
      } else {
        if (repository.claim && !(await this.#isStillOurs(this.#newClaim()))) throw goingOn(this.held.id);
        await repository.save(record);
      }
      this.#close();
    });
  }

  /** Lets another request resume the turn. Waits only briefly for a repository that hangs. */
  async release(): Promise<void> {
    if (this.#state !== 'claimed') return;
    clearInterval(this.#renewal);
    this.#state = 'released';
    await settledWithin([this.note()], PATIENCE);
  }

  /** Removes the turn after its end. Waits only briefly for a repository that hangs. */
  async remove(): Promise<void> {
    if (this.#state !== 'claimed') return;
    this.#close();
    const { repository } = this;
    if (repository.claim) await settledWithin([repository.update ? this.#end() : this.#remove()], PATIENCE);
  }

  async #end(): Promise<void> {
    try {
      await this.#inOrder(() => this.#update(false));
    } catch (error) {
      // The answer matters more.
      logger.error(`Could not record the end of the turn '${this.held.id}': ${errorTypeOf(error)}`);
    }
  }

  async #remove(): Promise<void> {
    const { repository } = this;
    const { id } = this.held;
    try {
      await this.#inOrder(async () => {
        if (await repository.remove(id, this.#stored.revision)) return;
        // A save that reported a failure may have succeeded.
        const current = await repository.findById(id);
        if (current?.claim?.owner === this.#owner) await repository.remove(id, current.revision);
      });
    } catch (error) {
      // The answer matters more.
      logger.error(`Could not remove the turn '${id}' from its repository after its end: ${errorTypeOf(error)}`);
    }
  }

  async #save(): Promise<void> {
    const { repository } = this;
    if (this.#state === 'ended') return;
    if (repository.update) {
      if (await this.#update(this.#state === 'claimed')) return;
      if (this.#state === 'claimed') throw goingOn(this.held.id);
      return this.#close();
    }
    // Without claims, the turn is saved again if the request fails.
    if (!repository.claim && this.#state === 'claimed') return;
    const claim = this.#newClaim();
    if (!(await this.#isStillOurs(claim))) {
      if (this.#state === 'claimed') throw goingOn(this.held.id);
      // Another request has decided about the calls that were still running.
      return this.#close();
    }
    const revision = crypto.randomUUID();
    const record = { ...this.source.state.record, revision, ...(this.#state === 'claimed' && { claim }) };
    await repository.save(record);
    this.#stored = record;
  }

  /**
   * @param isHeld whether the request goes on, and so keeps its claim
   * @returns whether the request still held the turn, so that the changes are stored
   */
  async #update(isHeld: boolean): Promise<boolean> {
    const { repository, source, lease } = this;
    const entries = source.takeEntries();
    const { record, status } = source.state;
    const claim = this.#newClaim();
    const { revision } = this.#stored;
    const change = { revision, entries, status, owner: this.#owner, lease: isHeld ? lease : undefined };
    try {
      const stored = await repository.update!(record, change);
      if (stored !== undefined) this.#stored = { ...record, revision: stored, ...(isHeld && { claim }) };
      return stored !== undefined;
    } catch (error) {
      source.giveBack(entries);
      throw error;
    }
  }

  async #isStillOurs(claim: TurnClaim): Promise<boolean> {
    const { repository } = this;
    const { id, revision } = this.#stored;
    // Only remove() reports to exactly one request that the turn was there.
    if (!repository.claim) return this.#stored === this.held || repository.remove(id, revision);
    if (await repository.claim(id, revision, claim)) return true;
    // A save that reported a failure may have succeeded.
    const current = await repository.findById(id);
    if (current?.claim?.owner !== this.#owner) return false;
    this.#stored = current;
    return repository.claim(id, current.revision, claim);
  }

  async #renew(): Promise<void> {
    try {
      await this.#inOrder(async () => {
        if (this.#state === 'claimed' && !(await this.#isStillOurs(this.#newClaim())))
          this.onLost(goingOn(this.held.id));
      });
    } catch (error) {
      logger.warn(`Could not extend the claim of the turn '${this.held.id}': ${errorTypeOf(error)}`);
    }
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const running = this.#last.then(() => this.#inTime(step()));
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Limits the wait for the repository: an answer is useless once the claim has expired. */
  #inTime<T>(asked: Awaitable<T>): Promise<T> {
    const late = (): Error =>
      new StoreTimeoutException(`The SuspendedTurnRepository did not answer within ${this.lease} ms.`);
    return inTime(Promise.resolve(asked), this.lease, late);
  }

  #newClaim(): TurnClaim {
    return { owner: this.#owner, until: new Date(Date.now() + this.lease).toISOString() };
  }

  #close(): void {
    clearInterval(this.#renewal);
    this.#state = 'ended';
  }
}
