import { types } from 'node:util';
import { type Observable, throwError } from 'rxjs';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { scopeOf } from '../model/scoped-options.js';
import { OBSERVATION, type RequestObservation } from '../observability/request-observation.js';
import { safely } from '../observability/safely.js';
import { AdvisorListener } from '../observability/observe-chain.js';
import { observeCall, observeStream } from '../observability/observed-span.js';
import {
  type Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  isCallAdvisor,
  isStreamAdvisor,
  isToolAdvisor,
  type StreamAdvisorChain,
} from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/**
 * The advisor chain: a cursor over a frozen array. Calls do not change it, so one chain serves any
 * number of requests, and an advisor may call the rest of it again.
 */
export class DefaultAdvisorChain implements CallAdvisorChain, StreamAdvisorChain {
  #rest: DefaultAdvisorChain | undefined;
  #names: readonly string[] | undefined;

  /**
   * Whether the tool loop comes before this position. Advisors inside the loop see each round of a
   * turn.
   */
  readonly isInsideLoop: boolean;

  private constructor(
    readonly advisors: readonly Advisor[],
    private readonly position: number,
    private readonly isScoped: boolean,
  ) {
    // The advisor that receives this chain is at `position - 1`.
    this.isInsideLoop = position > 1 && advisors.slice(0, position - 1).some(isToolAdvisor);
  }

  /**
   * @param advisors the advisors in the order of their registration, which decides between equal
   *   orders
   * @param last the advisor that asks the model; always the last one, whatever its order
   * @param isScoped whether each request must have a scope, as the requests of a `ChatClient` do
   * @throws TypeError if a value is not an advisor
   * @throws Error if there is more than one `ToolAdvisor`
   */
  static of(advisors: readonly Advisor[], last: Advisor, isScoped = false): DefaultAdvisorChain {
    for (const advisor of advisors) checkAdvisor(advisor);
    checkSingleToolAdvisor(advisors);
    const sorted = [...advisors].sort((a, b) => a.order - b.order);
    return new DefaultAdvisorChain(Object.freeze([...sorted, last]), 0, isScoped);
  }

  nextCall(request: ChatClientRequest): Promise<ChatClientResponse> {
    const advisor = this.advisors[this.position];
    if (!advisor) {
      return Promise.reject(new Error('No CallAdvisors available to execute: this is the end of the chain.'));
    }
    const scope = scopeOf(request.prompt?.options);
    if (!scope && this.isScoped) return Promise.reject(this.#lostScope());
    const rest = this.#next();
    if (!isCallAdvisor(advisor)) return rest.nextCall(request);
    const observation = scope?.get(OBSERVATION);
    return observation && this.#isObserved
      ? this.#callObserved(observation, advisor, request)
      : callAdvisor(advisor, request, rest);
  }

  nextStream(request: ChatClientRequest): Observable<ChatClientResponse> {
    const advisor = this.advisors[this.position];
    if (!advisor) {
      return throwError(() => new Error('No StreamAdvisors available to execute: this is the end of the chain.'));
    }
    const scope = scopeOf(request.prompt?.options);
    if (!scope && this.isScoped) return throwError(() => this.#lostScope());
    const rest = this.#next();
    if (!isStreamAdvisor(advisor)) return rest.nextStream(request);
    const chunks = advisor.adviseStream(request, rest);
    const observation = scope?.get(OBSERVATION);
    if (!observation || !this.#isObserved) return chunks;
    return observeStream(chunks, this.#listenerFor(observation, advisor, request));
  }

  #callObserved(
    observation: RequestObservation,
    advisor: CallAdvisor,
    request: ChatClientRequest,
  ): Promise<ChatClientResponse> {
    const run = (): Promise<ChatClientResponse> => callAdvisor(advisor, request, this.#next());
    return observeCall(this.#listenerFor(observation, advisor, request), run);
  }

  #listenerFor(observation: RequestObservation, advisor: Advisor, { prompt }: ChatClientRequest): AdvisorListener {
    return new AdvisorListener(observation, advisor, prompt.options, !this.#isBehindLoop);
  }

  /** Whether the next advisor is the tool loop or comes after it. */
  get #isBehindLoop(): boolean {
    return this.#next().isInsideLoop || isToolAdvisor(this.advisors[this.position]!);
  }

  #lostScope(): Error {
    return new Error(
      `The advisor '${nameOf(this.advisors[this.position - 1]!)}' replaced the options of the request, which hold its ` +
        'tools and its turn. Spread them: prompt.with({ options: { ...prompt.options, temperature: 0 } }).',
    );
  }

  /** Whether the next advisor gets a span. The model has its own span. */
  get #isObserved(): boolean {
    return this.position < this.advisors.length - 1;
  }

  /** The names of all advisors in order, without the one that asks the model. */
  get advisorNames(): readonly string[] {
    return (this.#names ??= Object.freeze(this.advisors.slice(0, -1).map(nameOf)));
  }

  /** A new chain with the same advisors and another one. */
  with(advisor: Advisor): DefaultAdvisorChain {
    return DefaultAdvisorChain.of([...this.advisors.slice(0, -1), advisor], this.advisors.at(-1)!, this.isScoped);
  }

  copy(after: Advisor): DefaultAdvisorChain {
    if (!after) throw new TypeError('The after advisor must not be null');
    // Usually the advisor that has just received the chain.
    if (this.position > 0 && this.advisors[this.position - 1] === after) return this;
    const at = indexOfAdvisor(this.advisors, after);
    if (at < 0) throw new Error(`The specified advisor is not part of the chain: ${after.name}`);
    return new DefaultAdvisorChain(this.advisors, at + 1, this.isScoped);
  }

  #next(): DefaultAdvisorChain {
    return (this.#rest ??= new DefaultAdvisorChain(this.advisors, this.position + 1, this.isScoped));
  }
}

/**
 * The index of an advisor in a chain. The chain may contain a proxy of it, as some tools for
 * monitoring create.
 *
 * @returns -1 if it is not in the chain
 */
export function indexOfAdvisor(advisors: readonly Advisor[], advisor: Advisor): number {
  const at = advisors.indexOf(advisor);
  return at < 0 ? indexOfProxy(advisors, advisor) : at;
}

function indexOfProxy(advisors: readonly Advisor[], advisor: Advisor): number {
  const prototype: unknown = Object.getPrototypeOf(advisor);
  const alike = advisors.filter(
    (other) =>
      types.isProxy(other) &&
      Object.getPrototypeOf(other) === prototype &&
      other.name === advisor.name &&
      other.order === advisor.order,
  );
  return alike.length === 1 ? advisors.indexOf(alike[0]!) : -1;
}

function nameOf(advisor: Advisor): string {
  const name: unknown = safely(() => advisor.name, advisor);
  return typeof name === 'string' ? name : 'advisor';
}

function callAdvisor(
  advisor: CallAdvisor,
  request: ChatClientRequest,
  rest: CallAdvisorChain,
): Promise<ChatClientResponse> {
  try {
    const response: Awaitable<ChatClientResponse> = advisor.adviseCall(request, rest);
    // An advisor written in JavaScript may not be asynchronous.
    return isPromise(response) ? response : Promise.resolve(response);
  } catch (error) {
    return Promise.reject(error);
  }
}

function checkAdvisor(advisor: Advisor | null | undefined): void {
  if (!advisor) throw new TypeError('the advisors must not contain null elements');
  if (!isCallAdvisor(advisor) && !isStreamAdvisor(advisor)) {
    throw new TypeError(
      `'${advisor.name ?? String(advisor)}' is not an advisor: it has neither adviseCall() nor adviseStream().`,
    );
  }
}

/** @throws Error that names them if there is more than one `ToolAdvisor` */
export function checkSingleToolAdvisor(advisors: readonly Advisor[]): void {
  const found = advisors.filter(isToolAdvisor);
  if (found.length <= 1) return;
  const named = found.map((advisor) => `${advisor.name} (order=${advisor.order})${classOf(advisor)}`).join(', ');
  throw new Error(
    `At most one ToolAdvisor is allowed in the advisor chain, but found ${found.length}: [${named}]. Remove all but one.`,
  );
}

/** Subclasses may share a name, so the class tells them apart. */
function classOf(advisor: Advisor): string {
  const { name } = advisor.constructor;
  return name === 'Object' ? '' : ` of ${name}`;
}
