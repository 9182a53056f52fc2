import { Logger } from '@nestjs/common';
import type { SuspendedTurn, SuspendedTurnRepository, TurnClaim } from '../memory/suspended-turn.repository.js';
import { inTime } from '../model/aborts.js';
import type { Awaitable } from '../model/awaitable.js';
import { settledWithin } from '../model/settled-within.js';
import { errorTypeOf } from '../observability/error-type.js';
import { goingOn } from './resumption-checks.js';

const logger = new Logger('ToolCallingAdvisor');

/** How long the end of a request waits for the repository, in milliseconds. */
const PATIENCE = 1000;

/** What a turn is stored as. Its claim and its revision are added when it is saved. */
export type TurnRecord = Omit<SuspendedTurn, 'claim' | 'revision'>;

/**
 * A stored turn with which one request goes on: claims it, extends the claim while the request goes on, and saves it only as long as it is
 * this request's.
 *
 * A repository that cannot claim has the turn removed at the beginning and saved again when the request fails.
 */
export class ClaimedTurn {
  readonly #owner: string = crypto.randomUUID();
  /** What is stored, as far as is known. */
  #stored: SuspendedTurn;
  #renewal: NodeJS.Timeout | undefined;
  /** `released`: nobody goes on with the turn, but calls that still run may end. */
  #state: 'unclaimed' | 'claimed' | 'released' | 'ended' = 'unclaimed';
  /** The repository is asked one thing after the other: an answer that comes late must not be taken for the newest. */
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /**
   * @param held the turn as it was found
   * @param lease how long a claim holds that is not extended, in milliseconds
   * @param describe what the turn is to be stored as now
   * @param onLost called when another request has claimed the turn, since this process did not extend its claim in time
   */
  constructor(
    private readonly held: SuspendedTurn,
    private readonly repository: SuspendedTurnRepository,
    private readonly lease: number,
    private readonly describe: () => TurnRecord,
    private readonly onLost: (error: Error) => void,
  ) {
    this.#stored = held;
  }

  /** @throws ToolApprovalException when another request goes on with the turn */
  async claim(): Promise<void> {
    const { held, repository } = this;
    const isClaimed = repository.claim
      ? await this.#inTime(repository.claim(held.id, held.revision, this.#newClaim()))
      : (await repository.findById(held.id))?.revision === held.revision &&
        (await repository.remove(held.id, held.revision));
    if (!isClaimed) throw goingOn(held.id);
    this.#state = 'claimed';
    if (!repository.claim) return;
    this.#renewal = setInterval(() => void this.#renew(), Math.max(1, this.lease / 3));
    this.#renewal.unref();
  }

  /**
   * Has stored that something is about to begin.
   *
   * @throws ToolApprovalException when this request does not go on with the turn any more: it must not begin
   */
  async writeBeginning(): Promise<void> {
    if (this.#state !== 'claimed') throw goingOn(this.held.id);
    await this.write();
    const { claim } = this.#stored;
    if (!this.repository.claim || !claim || Date.parse(claim.until) > Date.now()) return;
    // The claim ran out while it was written: somebody else may have begun as well, and what is stored now stays, for somebody to find out.
    this.#close();
    throw goingOn(this.held.id);
  }

  /** Has what is known now stored. Those who ask while another write runs share the next one. */
  write(): Promise<void> {
    return (this.#next ??= this.#inOrder(() => {
      this.#next = undefined;
      return this.#save();
    }));
  }

  /** Writes what can also be written later: the next write has it as well. */
  async note(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      // What the turn does, or has failed with, matters more.
      logger.error(`The turn '${this.held.id}' could not be saved: ${errorTypeOf(error)}`);
    }
  }

  /** Stores the turn as it waits from here on, in the place of what was noted. */
  handOver(record: SuspendedTurn): Promise<void> {
    return this.#inOrder(async () => {
      const { repository } = this;
      if (repository.claim && !(await this.#isStillOurs(this.#newClaim()))) throw goingOn(this.held.id);
      await repository.save(record);
      this.#close();
    });
  }

  /** Lets another request go on with the turn. A repository that hangs keeps nobody waiting. */
  async release(): Promise<void> {
    if (this.#state !== 'claimed') return;
    clearInterval(this.#renewal);
    this.#state = 'released';
    await settledWithin([this.note()], PATIENCE);
  }

  /** The turn is over. A repository that hangs keeps nobody waiting. */
  async remove(): Promise<void> {
    if (this.#state !== 'claimed') return;
    this.#close();
    if (this.repository.claim) await settledWithin([this.#remove()], PATIENCE);
  }

  async #remove(): Promise<void> {
    const { repository } = this;
    const { id } = this.held;
    try {
      await this.#inOrder(async () => {
        if (await repository.remove(id, this.#stored.revision)) return;
        // A save that failed may have been carried out all the same.
        const current = await repository.findById(id);
        if (current?.claim?.owner === this.#owner) await repository.remove(id, current.revision);
      });
    } catch (error) {
      // The answer matters more.
      logger.error(`The turn '${id}' has ended, but could not be removed from its repository: ${errorTypeOf(error)}`);
    }
  }

  async #save(): Promise<void> {
    const { repository } = this;
    if (this.#state === 'ended') return;
    // Without claims, the turn is stored again when the request has failed.
    if (!repository.claim && this.#state === 'claimed') return;
    const claim = this.#newClaim();
    if (!(await this.#isStillOurs(claim))) {
      if (this.#state === 'claimed') throw goingOn(this.held.id);
      // Somebody has decided what becomes of the calls that still ran.
      return this.#close();
    }
    const revision = crypto.randomUUID();
    const record = { ...this.describe(), revision, ...(this.#state === 'claimed' && { claim }) };
    await repository.save(record);
    this.#stored = record;
  }

  async #isStillOurs(claim: TurnClaim): Promise<boolean> {
    const { repository } = this;
    const { id, revision } = this.#stored;
    // Only remove() says to one alone that it was there.
    if (!repository.claim) return this.#stored === this.held || repository.remove(id, revision);
    if (await repository.claim(id, revision, claim)) return true;
    // A save that failed may have been carried out all the same.
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
      logger.warn(`The claim of the turn '${this.held.id}' could not be extended: ${errorTypeOf(error)}`);
    }
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const running = this.#last.then(() => this.#inTime(step()));
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** What takes longer than a claim holds is worth nothing to this request, and nobody waits for it. */
  #inTime<T>(asked: Awaitable<T>): Promise<T> {
    const late = (): Error => new Error(`The SuspendedTurnRepository did not answer within ${this.lease} ms.`);
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
