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
  /** Whether an error can come from one row, so that the others can be stored without it. */
  isCausedByRow(error: unknown): boolean;
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
/** The most characters of entries in a statement, unless a row has more. */
const MAX_CHARACTERS = 4_000_000;

/**
 * Appends wait while a statement is under way, and go together in the next one. So the number of
 * statements does not grow with the number of turns, and each turn has one row in a statement.
 */
export class AppendBatches<Row extends BatchedAppend> {
  readonly #store: AppendStore<Row>;
  #waiting: WaitingAppend<Row>[] = [];
  #isSending = false;

  constructor(store: AppendStore<Row>) {
    this.#store = store;
  }

  async append(row: Row): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      if (!this.#isSending) void this.#send();
    });
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // Appends of the same tick go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#answer(this.#nextBatch());
    this.#isSending = false;
  }

  /** The oldest append of each turn, in the order of their ids. */
  #nextBatch(): readonly WaitingAppend<Row>[] {
    const batch = new Map<string, WaitingAppend<Row>>();
    const later: WaitingAppend<Row>[] = [];
    let characters = 0;
    let isFull = false;
    for (const append of this.#waiting) {
      const { id, data } = append.row;
      isFull ||= batch.size === MAX_ROWS || (batch.size > 0 && characters + data.length > MAX_CHARACTERS);
      if (isFull || batch.has(id)) later.push(append);
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
      if (batch.length > 1 && this.#store.isCausedByRow(error))
        await Promise.all(batch.map(async (append) => this.#answer([append], true)));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Whether one row of a statement can be the cause of an error. */
export function isCausedByRow(error: unknown): boolean {
  return error instanceof PostgresException && CAUSED_BY_ROW.test(error.code ?? '');
}
