import type { RequestServices, ServiceKey } from './request-services.js';
import type { TurnHolds } from './turn-hold.js';
import { PRINCIPAL } from './turn-principal.js';

/**
 * The key of the {@link RequestScope} in the options of a prompt. As a symbol it survives spreads.
 */
export const REQUEST_SCOPE: unique symbol = Symbol.for('nestor.RequestScope');

/** A stored turn that a request continues for the subject that started it. */
export interface ContinuedTurn {
  readonly id: string;
  readonly requester: string | undefined;
  /** Only for a turn that has not begun: the number of its entries. */
  readonly entries?: number;
  /** The queue of long tools that its worker works on. The worker runs the calls of these tools. */
  readonly queue?: string | undefined;
  /** Whether its worker tries it again if it fails. The turn then stays `running`. Default: false. */
  readonly isRetried?: boolean;
  /**
   * Called when the turn may have to wait for its conversation. Returns a function that ends the wait. If
   * it returns undefined, the turn does not wait, but fails with a `ConversationBusyException`: run
   * it again later. Default: each turn waits.
   */
  readonly startWait?: (conversationId: string) => (() => void) | undefined;
}

/**
 * All data of one request that is not sent to the model. `ChatClient` puts one object into the
 * options, and all copies of the options share it.
 */
export class RequestScope<Turn> {
  /** The current turn. */
  turn: Turn | undefined = undefined;
  /** The stored turns of the request, for clients that report its end. */
  holds: TurnHolds | undefined = undefined;
  /** Whether a model has read text from strangers in any turn of this request. */
  hasReadUntrusted = false;
  /** The stored turn that the request continues. Only declared: most requests have none. */
  declare continued?: ContinuedTurn;
  /** Identifies the only call of the request, if its caller has a key for it. */
  declare idempotencyKey?: string;
  /** Called with each turn of the request, when it has its id. Only declared. */
  declare turnListeners?: readonly ((turn: Turn) => void)[];
  #values: Map<symbol, unknown> | undefined = undefined;
  #caller: { readonly subject: string | undefined } | undefined = undefined;
  /** The scope that this one was forked from. */
  origin: RequestScope<Turn> | undefined = undefined;

  /**
   * @param callerRequest the request that the caller handles, such as an HTTP request
   * @param modelDefaults the default options of the client's model that neither client nor request
   * overrides
   * @param services the application's services; undefined for a client outside an application
   */
  constructor(
    readonly callerRequest?: unknown,
    readonly modelDefaults?: object,
    readonly services?: RequestServices,
  ) {}

  /**
   * The subject that makes the request. Undefined if unknown. It stays the same when a guard of a
   * tool sets another user later.
   *
   * @throws the error that `TurnPrincipal` throws
   */
  get caller(): string | undefined {
    if (this.continued) return this.continued.requester;
    this.#caller ??= { subject: this.services?.get(PRINCIPAL)?.subjectOf(this.callerRequest) };
    return this.#caller.subject;
  }

  /** What the code that declares a key keeps in the request. */
  get<T>(key: ServiceKey<T>): T | undefined {
    return this.#values?.get(key) as T | undefined;
  }

  set<T>(key: ServiceKey<T>, value: T): void {
    (this.#values ??= new Map()).set(key, value);
  }

  /** Calls back with each turn of the request, when it has its id. */
  onTurn(listener: (turn: Turn) => void): void {
    const { turnListeners = [] } = this;
    // An advisor may send a request again.
    if (!turnListeners.includes(listener)) this.turnListeners = [...turnListeners, listener];
  }

  /**
   * Creates a separate scope for a turn that runs in parallel to another turn of the same request.
   */
  fork(): RequestScope<Turn> {
    const fork = new RequestScope<Turn>(this.callerRequest, this.modelDefaults, this.services);
    fork.holds = this.holds;
    fork.hasReadUntrusted = this.hasReadUntrusted;
    fork.origin = this;
    if (this.#values) fork.#values = new Map(this.#values);
    fork.#caller = this.#caller;
    if (this.turnListeners) fork.turnListeners = this.turnListeners;
    // A queued turn begins once. What follows are turns of their own.
    if (this.continued) fork.continued = { id: this.continued.id, requester: this.continued.requester };
    return fork;
  }

  /**
   * Records that a model has read text from strangers. It stays recorded even if an advisor
   * changes the messages later.
   */
  readUntrusted(): void {
    this.hasReadUntrusted = true;
    this.origin?.readUntrusted();
  }
}
