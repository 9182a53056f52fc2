import { types } from 'node:util';
import { type Observable, throwError } from 'rxjs';
import { type Awaitable, isPromise } from '../model/awaitable.js';
import { scopeOf } from '../model/scoped-options.js';
import type { RequestObservation } from '../observability/request-observation.js';
import { safely } from '../observability/safely.js';
import { observeAdvisor, observeAdvisorStream } from '../observability/observe-chain.js';
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
 * The chain: a cursor over a frozen array. Nothing is consumed, so a chain serves any number of
 * requests and an advisor may call what follows it again and again.
 */
export class DefaultAdvisorChain implements CallAdvisorChain, StreamAdvisorChain {
  #rest: DefaultAdvisorChain | undefined;
  #names: readonly string[] | undefined;

  /** Whether the tool loop has been passed: what follows sees each round of a turn. */
  readonly isInsideLoop: boolean;

  private constructor(
    readonly advisors: readonly Advisor[],
    private readonly position: number,
    private readonly isScoped: boolean,
  ) {
    // The advisor that is handed this chain stands at `position - 1`.
    this.isInsideLoop = position > 1 && advisors.slice(0, position - 1).some(isToolAdvisor);
  }

  /**
   * @param advisors in the order of their registration, which equal orders keep
   * @param last asks the model; stands behind all others whatever their order
   * @param isScoped whether each request has a scope, which no advisor may lose: those of a `ChatClient` do
   * @throws TypeError when something is not an advisor
   * @throws Error when there is more than one `ToolAdvisor`
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
      return Promise.reject(new Error('No CallAdvisors available to execute: the end of the chain is reached.'));
    }
    const scope = scopeOf(request.prompt?.options);
    if (!scope && this.isScoped) return Promise.reject(this.#lostScope());
    const rest = this.#next();
    if (!isCallAdvisor(advisor)) return rest.nextCall(request);
    return scope?.observation && this.#isObserved
      ? this.#callObserved(scope.observation as RequestObservation, advisor, request)
      : callAdvisor(advisor, request, rest);
  }

  nextStream(request: ChatClientRequest): Observable<ChatClientResponse> {
    const advisor = this.advisors[this.position];
    if (!advisor) {
      return throwError(() => new Error('No StreamAdvisors available to execute: the end of the chain is reached.'));
    }
    const scope = scopeOf(request.prompt?.options);
    if (!scope && this.isScoped) return throwError(() => this.#lostScope());
    const rest = this.#next();
    if (!isStreamAdvisor(advisor)) return rest.nextStream(request);
    const chunks = advisor.adviseStream(request, rest);
    if (!scope?.observation || !this.#isObserved) return chunks;
    const observation = scope.observation as RequestObservation;
    return observeAdvisorStream(observation, advisor, request.prompt.options, !this.#isBehindLoop, chunks);
  }

  #callObserved(
    observation: RequestObservation,
    advisor: CallAdvisor,
    request: ChatClientRequest,
  ): Promise<ChatClientResponse> {
    const run = (): Promise<ChatClientResponse> => callAdvisor(advisor, request, this.#next());
    return observeAdvisor(observation, advisor, request.prompt.options, !this.#isBehindLoop, run);
  }

  /** Whether the advisor that is next is the tool loop or stands behind it. */
  get #isBehindLoop(): boolean {
    return this.#next().isInsideLoop || isToolAdvisor(this.advisors[this.position]!);
  }

  #lostScope(): Error {
    return new Error(
      `The advisor '${nameOf(this.advisors[this.position - 1]!)}' has built new options without those of the request, which carry its tools ` +
        'and its turn. Spread them: prompt.with({ options: { ...prompt.options, temperature: 0 } }).',
    );
  }

  /** The model has a span of its own. */
  get #isObserved(): boolean {
    return this.position < this.advisors.length - 1;
  }

  /** The names of all advisors, in their order, without what asks the model. */
  get advisorNames(): readonly string[] {
    return (this.#names ??= Object.freeze(this.advisors.slice(0, -1).map(nameOf)));
  }

  /** A whole chain of the same advisors and another one. */
  with(advisor: Advisor): DefaultAdvisorChain {
    return DefaultAdvisorChain.of([...this.advisors.slice(0, -1), advisor], this.advisors.at(-1)!, this.isScoped);
  }

  copy(after: Advisor): DefaultAdvisorChain {
    if (!after) throw new TypeError('The after advisor must not be null');
    // Nearly always the advisor that was just handed the chain.
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
 * The place of an advisor in a chain. The chain may have it behind a proxy, through which an application is observed.
 *
 * @returns -1 when it is not there
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
    // An advisor in JavaScript may forget to be asynchronous.
    return isPromise(response) ? response : Promise.resolve(response);
  } catch (error) {
    return Promise.reject(error);
  }
}

function checkAdvisor(advisor: Advisor | null | undefined): void {
  if (!advisor) throw new TypeError('the advisors must not contain null elements');
  if (!isCallAdvisor(advisor) && !isStreamAdvisor(advisor)) {
    throw new TypeError(
      `'${advisor.name ?? String(advisor)}' is no advisor: it has neither adviseCall() nor adviseStream().`,
    );
  }
}

/** @throws Error naming them when there is more than one `ToolAdvisor` */
export function checkSingleToolAdvisor(advisors: readonly Advisor[]): void {
  const found = advisors.filter(isToolAdvisor);
  if (found.length <= 1) return;
  const named = found.map((advisor) => `${advisor.name} (order=${advisor.order})${classOf(advisor)}`).join(', ');
  throw new Error(`At most one ToolAdvisor is allowed in the advisor chain, but found ${found.length}: [${named}]`);
}

/** Subclasses share a name; which of them it is, their class tells. */
function classOf(advisor: Advisor): string {
  const { name } = advisor.constructor;
  return name === 'Object' ? '' : ` of ${name}`;
}
