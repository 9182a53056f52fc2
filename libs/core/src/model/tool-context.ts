import { CALL_CONTEXT } from '@nestor-ai/schema';
import type { CallApproval } from './call-approval.js';
import { DeferredCallException } from './deferred-call.js';
import type { Message } from './messages.js';
import type { ToolUserInput } from './tool-input-request.js';
import { Turn } from './turn.js';
import { serviceKey } from './request-services.js';
import { Undisclosed } from './undisclosed.js';

/** The transactions of the database that stores turns. */
export interface TurnTransactions {
  /** Runs code once per key: the first result is stored and returned again later. */
  run<T>(turnId: string, key: string, work: (connection: unknown) => Promise<T>): Promise<T>;
}

/** Undefined if turns are not stored in a database with transactions. */
export const TRANSACTIONS = serviceKey<TurnTransactions>('TurnTransactions');

/** The turn of a call, as its context needs it. */
export interface TurnOfCall extends Turn {
  /** Identifies the only call of the request, if its caller has a key for it. */
  readonly idempotencyKey: string | undefined;
  readonly transactions: TurnTransactions | undefined;
  /** Whether the turn is stored, so that it can wait for a result. */
  readonly canWait: boolean;
}

/** The values that a {@link ToolContext} is created from. */
export interface ToolContextInit {
  toolCall?: { readonly id: string; readonly name: string };
  history?: readonly Message[];
  signal?: AbortSignal;
  turn?: TurnOfCall;
  approval?: CallApproval;
  input?: ToolUserInput;
  onProgress?: (value: unknown) => void;
}

/** The names of the values, or any text if they are not named or the caller says what it reads. */
type KeyOf<Values, T> = [T] extends [never]
  ? [keyof Values] extends [never]
    ? string
    : keyof Values & string
  : string;

type ValueOf<Values, Key, T> = [T] extends [never] ? (Key extends keyof Values ? Values[Key] : unknown) : T;

const NO_HISTORY: readonly Message[] = Object.freeze([]);
const NO_CALL = Object.freeze({ id: '', name: '' });

/**
 * Data from the application for a tool, such as a tenant, the signed-in user or the turn's abort
 * signal. The model and the log never see it, even if a tool returns its context.
 *
 * Declare a parameter of this type on a `@Tool()` method to receive it. You can name the types of
 * the values and of the caller's request:
 * `context: ToolContext<{ tenant: string }, express.Request>`.
 */
export class ToolContext<Values extends object = Record<string, unknown>, Request = unknown> extends Undisclosed {
  static {
    Object.defineProperty(this.prototype, CALL_CONTEXT, { value: true });
  }

  // Private fields, so that `{ ...context }` does not copy them.
  readonly #context: Readonly<Values>;
  readonly #init: ToolContextInit;
  #own: Turn | undefined;

  constructor(context: Readonly<Values> = {} as Values, init: ToolContextInit = {}) {
    super();
    this.#context = context;
    this.#init = init;
  }

  /** The values from `toolContext({ … })`. Values of the request override defaults. */
  get context(): Readonly<Values> {
    return this.#context;
  }

  /** The current tool call. */
  get toolCall(): { readonly id: string; readonly name: string } {
    return this.#init.toolCall ?? NO_CALL;
  }

  /** The conversation up to the model's message that asked for this call. */
  get history(): readonly Message[] {
    return this.#init.history ?? NO_HISTORY;
  }

  /**
   * The value of a key of {@link context}, or undefined. If you have named the types of the values,
   * other keys don't compile without a type: `get<string>('other')`.
   */
  get<T = never, Key extends KeyOf<Values, T> = KeyOf<Values, T>>(key: Key): ValueOf<Values, Key, T> | undefined;
  get(key: string): unknown {
    return Object.hasOwn(this.context, key) ? (this.context as Record<string, unknown>)[key] : undefined;
  }

  /**
   * The value of a required key.
   *
   * @throws Error that names the key if the caller did not set it
   */
  require<T = never, Key extends KeyOf<Values, T> = KeyOf<Values, T>>(key: Key): NonNullable<ValueOf<Values, Key, T>>;
  require(key: string): unknown {
    const value: unknown = this.get(key);
    if (value !== undefined && value !== null) return value;
    throw new Error(`The tool context has no '${key}'. Set it in the request with toolContext({ ${key}: … }).`);
  }

  /** Aborted when the caller gives up. Pass it to everything that the tool waits for. */
  get signal(): AbortSignal {
    return this.#init.signal ?? this.turn.signal;
  }

  /** Details about the approval of the call. Undefined if the call needed none. */
  get approval(): CallApproval | undefined {
    return this.#init.approval;
  }

  /**
   * The user's input, if the tool has asked for it with a `ToolInputRequiredException` and is now
   * called again. Undefined if it has not asked yet.
   */
  get input(): ToolUserInput | undefined {
    return this.#init.input;
  }

  /**
   * The caller's request, such as an HTTP request: the value given with `.request(…)`. Same as
   * `turn.request`.
   */
  get request(): Request | undefined {
    return this.turn.request as Request | undefined;
  }

  /** The turn that this call belongs to. */
  get turn(): Turn {
    return this.#init.turn ?? (this.#own ??= new Turn());
  }

  /**
   * Identifies this call. It is the same if the call runs again, such as after a crash. Pass it to
   * services that ignore repeated requests.
   */
  get idempotencyKey(): string {
    return this.#init.turn?.idempotencyKey ?? `${this.turn.id}:${this.toolCall.id}`;
  }

  /**
   * Runs code in a transaction of the database that has the application's `TurnJournal`. Its result
   * is stored in the same transaction: if the call runs again after a crash, the code does not, and
   * the stored result is returned. A tool whose only effects are inside is `replaySafe`.
   *
   * @param work receives the connection of the transaction, such as a `PoolClient`; its result must
   *   be JSON
   * @param name tells several transactions of one call apart. Default: empty
   * @throws Error if the application has no journal with transactions
   */
  transaction<T, Connection = unknown>(work: (connection: Connection) => Promise<T>, name = ''): Promise<T> {
    const transactions = this.#init.turn?.transactions;
    if (transactions)
      return transactions.run(this.turn.id, `${this.toolCall.id}:${name}`, (connection) =>
        work(connection as Connection),
      );
    throw new Error(
      'ToolContext.transaction() needs a TurnJournal with transactions. Provide one in AiModule, such as the one of ' +
        'PostgresAiModule.',
    );
  }

  /**
   * Ends the code of the tool without a result, which comes later: minutes or days, from a webhook
   * or a person. The turn is suspended and holds no process. `DeferredResults.deliver()` continues
   * it. Give {@link idempotencyKey} to the service that has the result, and call this last.
   *
   * @throws Error if no `TurnJournal` records the turn
   * @example
   * await this.reports.start({ month, webhook: `/reports/${context.idempotencyKey}` });
   * return context.defer();
   */
  defer(): never {
    if (this.#init.turn?.canWait) throw new DeferredCallException();
    throw new Error(
      'ToolContext.defer() needs a turn of a ChatClient that a TurnJournal records. Provide a journal in AiModule, such as ' +
        'the one of PostgresAiModule.',
    );
  }

  /** Reports progress to the listeners of the turn. Does nothing if there are none. */
  reportProgress(value: unknown): void {
    this.#init.onProgress?.(value);
  }
}
