import { PostgresException } from '../database/postgres.exception.js';

/** What is appended to one turn. */
export interface BatchedAppend {
  /** The turn. */
  readonly id: string;
  readonly data: string;
}

/** Stores rows of different turns in one statement. */
export interface AppendStore<Row extends BatchedAppend> {
  /**
   * @param isRepeated whether a statement with these rows has failed before
   * @returns the ids of the turns whose rows are stored
   * @throws if no row is stored, or it is unknown
   */
  store(rows: readonly Row[], isRepeated: boolean): Promise<ReadonlySet<string>>;
}

interface WaitingAppend<Row extends BatchedAppend> {
  readonly row: Row;
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The classes of errors that one row can cause: invalid or too long data, a limit of the server. */
const CAUSED_BY_ROW = /^(22|23|54)|^(55P03|57014)$/;

/** The most turns in a statement. */
const MAX_ROWS = 200;
/** While the server runs one statement, this process prepares another, if that one has enough rows. */
const MAX_STATEMENTS = 2;
/** The least appends of a second statement. Fewer wait for the first one. */
const MIN_ROWS = 10;
/** The most characters of entries in a statement, unless a row has more. */
const MAX_CHARACTERS = 4_000_000;

/**
 * Appends wait while statements are under way, and go together in the next one. So the number of
 * statements does not grow with the number of turns. Each turn has one row in all statements that
 * are under way, so that its appends stay in order and no two statements wait for each other.
 */
export class AppendBatches<Row extends BatchedAppend> {
  readonly #store: AppendStore<Row>;
  #waiting: WaitingAppend<Row>[] = [];
  /** The turns of the statements that are under way. */
  readonly #turns = new Set<string>();
  #statements = 0;
  #isScheduled = false;

  constructor(store: AppendStore<Row>) {
    this.#store = store;
  }

  async append(row: Row): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // Appends of the same tick go together.
      queueMicrotask(() => {
        this.#isScheduled = false;
        this.#sendWaiting();
      });
    });
  }

  #sendWaiting(): void {
    while (this.#statements < MAX_STATEMENTS) {
      if (this.#statements > 0 && this.#waiting.length < MIN_ROWS) return;
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      void this.#send(batch);
    }
  }

  async #send(batch: readonly WaitingAppend<Row>[]): Promise<void> {
    this.#statements++;
    for (const { row } of batch) this.#turns.add(row.id);
    await this.#answer(batch);
    for (const { row } of batch) this.#turns.delete(row.id);
    this.#statements--;
    this.#sendWaiting();
  }

  /** The oldest append of each turn, in the order of their ids. */
  #nextBatch(): readonly WaitingAppend<Row>[] {
    const batch = new Map<string, WaitingAppend<Row>>();
    const later: WaitingAppend<Row>[] = [];
    const isSplit = this.#statements === 0 && this.#waiting.length >= 2 * MIN_ROWS;
    const maxRows = isSplit ? Math.min(MAX_ROWS, Math.ceil(this.#waiting.length / 2)) : MAX_ROWS;
    let characters = 0;
    let isFull = false;
    for (const append of this.#waiting) {
      const { id, data } = append.row;
      isFull ||= batch.size === maxRows || (batch.size > 0 && characters + data.length > MAX_CHARACTERS);
      if (isFull || batch.has(id) || this.#turns.has(id)) later.push(append);
      else {
        batch.set(id, append);
        characters += data.length;
      }
    }
    this.#waiting = later;
    return [...batch.values()].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  }

  async #answer(batch: readonly WaitingAppend<Row>[], isRepeated = false): Promise<void> {
    try {
      const stored = await this.#store.store(
        batch.map(({ row }) => row),
        isRepeated,
      );
      for (const { row, resolve } of batch) resolve(stored.has(row.id));
    } catch (error) {
      if (batch.length > 1 && isCausedByRow(error))
        await Promise.all(batch.map(async (append) => this.#answer([append], true)));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Whether an error can come from one row, so that the others can be stored without it. */
function isCausedByRow(error: unknown): boolean {
  return error instanceof PostgresException && CAUSED_BY_ROW.test(error.code ?? '');
}
