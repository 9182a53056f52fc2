import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Turn, TurnObserver } from '@nestor-ai/core';
import { Subject } from 'rxjs';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type AiInspectorOptions, INSPECTOR_OPTIONS, isDevelopment } from '../inspector.options.js';
import { InspectedTurn, type SurroundingCall } from './inspected-turn.js';
import { TurnBudget } from './turn-budget.js';

const MEGABYTE = 1024 * 1024;
const DEFAULT_MAX_MEMORY = 32;
const DEFAULT_TURNS_PER_SECOND = 100;
/** How many places at the front may be empty. */
const COMPACT_AT = 10_000;

/**
 * Keeps the last turns of the application in memory. When the memory is full, the oldest ended turn
 * goes. Of more turns than the budget allows, it keeps a part.
 */
@Injectable()
export class TurnRing implements OnModuleDestroy {
  /** A turn has begun, has a new step, or has ended. */
  readonly changed = new Subject<void>();
  readonly #byId = new Map<string, InspectedTurn>();
  /** Set while work runs whose turns are not kept: their ids. */
  readonly #ignoring = new AsyncLocalStorage<Set<string>>();
  readonly #surrounding = new AsyncLocalStorage<SurroundingCall>();
  readonly #isDevelopment = isDevelopment();
  /** All of them. A journal may have them, too. */
  readonly #ignored = new Set<string>();
  /** In the order in which they began. Those before `#first` are gone. */
  #turns: (InspectedTurn | undefined)[] = [];
  #first = 0;
  /** Called with each turn that has ended, or is suspended. */
  onSettled: ((turn: InspectedTurn) => void) | undefined;
  readonly #maxSize: number;
  readonly #budget: TurnBudget;
  /** The requests whose turns are kept in any case. */
  readonly #wanted = new Set<unknown>();
  #size = 0;
  #omitted = 0;

  /** @throws RangeError unless `maxMemory` and `maxTurnsPerSecond` are positive numbers */
  constructor(
    @Inject(INSPECTOR_OPTIONS)
    { maxMemory = DEFAULT_MAX_MEMORY, maxTurnsPerSecond = DEFAULT_TURNS_PER_SECOND }: AiInspectorOptions,
  ) {
    if (!(maxMemory > 0 && Number.isFinite(maxMemory)))
      throw new RangeError(
        `The option maxMemory of AiInspectorModule must be a number of megabytes, but is ${maxMemory}.`,
      );
    this.#maxSize = maxMemory * MEGABYTE;
    this.#budget = new TurnBudget(maxTurnsPerSecond);
  }

  /** A server does not close while a page still listens. */
  onModuleDestroy(): void {
    this.changed.complete();
  }

  /** How many turns were not kept, because there were too many in a second. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Keeps the turns of a request, however many others there are. Call the returned function when it has ended. */
  keepTurnsOf(request: unknown): () => void {
    this.#wanted.add(request);
    return () => void this.#wanted.delete(request);
  }

  /** The newest first. */
  list(): readonly InspectedTurn[] {
    return this.#turns
      .slice(this.#first)
      .filter((turn) => turn !== undefined)
      .reverse();
  }

  get(id: string): InspectedTurn | undefined {
    return this.#byId.get(id);
  }

  /**
   * Runs work whose turns are not kept, such as a preview.
   *
   * @param work is given the ids of its turns, as they begin
   */
  ignoring<T>(work: (turnIds: ReadonlySet<string>) => Promise<T>): Promise<T> {
    const turnIds = new Set<string>();
    return this.#ignoring.run(turnIds, () => work(turnIds));
  }

  /** Whether the turn was not kept because of {@link ignoring}. */
  ignores(id: string): boolean {
    return this.#ignored.has(id);
  }

  /** Decides whether to keep a turn. */
  observe(turn: Turn, client: string): TurnObserver | undefined {
    const turnIds = this.#ignoring.getStore();
    if (turnIds) {
      turnIds.add(turn.id);
      this.#ignored.add(turn.id);
      return undefined;
    }
    const known = turn.isResumed ? this.get(turn.id) : undefined;
    if (known) {
      known.continueAs(turn);
      return known;
    }
    if (!this.#wanted.has(turn.request) && !this.#budget.take()) {
      this.#omitted++;
      return undefined;
    }
    const made = new InspectedTurn(turn, client, this.#settle, this.changed, this.#surround);
    // What a tool has left behind, such as a timer, goes on in its context.
    const surrounding = this.#surrounding.getStore();
    if (surrounding && this.get(surrounding.turnId)?.running) made.within = surrounding;
    this.#turns.push(made);
    this.#byId.set(made.id, made);
    this.changed.next();
    return made;
  }

  /**
   * Before Node.js 24, a context makes each promise of the process slower, by some microseconds a turn. Outside of
   * development, turns have one while somebody looks at the page.
   */
  readonly #surround = (call: SurroundingCall, enter: () => void): void => {
    if (this.#isDevelopment || this.changed.observed) this.#surrounding.run(call, enter);
    else enter();
  };

  readonly #settle = (turn: InspectedTurn): void => {
    // It may have been removed while it ran.
    if (turn.isRemoved) return;
    this.onSettled?.(turn);
    const { size } = turn;
    this.#size += size - turn.countedSize;
    turn.countedSize = size;
    for (let at = this.#first; this.#size > this.#maxSize && at < this.#turns.length; at++) {
      // A turn that runs has no size yet.
      if (this.#turns[at]?.countedSize) this.#removeAt(at);
    }
    // Moves the others to the front from time to time, and not with each turn.
    if (this.#first < COMPACT_AT) return;
    this.#turns = this.#turns.slice(this.#first);
    this.#first = 0;
  };

  #removeAt(at: number): void {
    const turn = this.#turns[at]!;
    this.#size -= turn.countedSize;
    turn.isRemoved = true;
    if (this.#byId.get(turn.id) === turn) this.#byId.delete(turn.id);
    this.#turns[at] = undefined;
    while (this.#first < this.#turns.length && this.#turns[this.#first] === undefined) this.#first++;
  }
}
