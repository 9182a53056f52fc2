import type { Observable } from 'rxjs';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/**
 * Runs between the `ChatClient` and the model. An advisor can read or change requests and
 * responses, answer by itself, or call the rest of the chain again.
 */
export interface Advisor {
  /**
   * Receives the request that resumes a suspended turn, before its tools run. Called on advisors inside
   * the tool loop, and on every {@link MemoryAdvisor}.
   */
  joinTurn?(request: ChatClientRequest): Promise<void>;
  /** The name in messages and telemetry. */
  readonly name: string;
  /** Advisors with a lower order see the request earlier and the response later. See `Ordered`. */
  readonly order: number;
  /**
   * Whether the advisor applies to the call of every model. A `FallbackModelAdvisor` before it
   * then also runs it for its own models. Default: false.
   */
  readonly isOfEachModel?: boolean;
}

/** An advisor for calls, which are answered in one piece. */
export interface CallAdvisor extends Advisor {
  /** Answers a request, usually with the response of `chain.nextCall()`. */
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse>;
}

/** An advisor for streams, which are answered in chunks. */
export interface StreamAdvisor extends Advisor {
  /** Answers a request in chunks, usually with those of `chain.nextStream()`. */
  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse>;
}

interface AdvisorChain<Chain> {
  /** All advisors of the chain in order, including those that have already run. */
  readonly advisors: readonly Advisor[];
  /**
   * Whether the tool loop comes before this position. Advisors inside the loop see each round of a
   * turn.
   */
  readonly isInsideLoop: boolean;
  /**
   * The part of the chain after an advisor. You can run it as often as you like.
   *
   * @throws Error if the advisor is not part of the chain
   */
  copy(after: Advisor): Chain;
}

/** The rest of the chain after an advisor. It is immutable; you can use it any number of times. */
export interface CallAdvisorChain extends AdvisorChain<CallAdvisorChain> {
  /** Calls the next advisor, or the model at the end of the chain. */
  nextCall(request: ChatClientRequest): Promise<ChatClientResponse>;
}

/** The rest of the chain of a streamed request. */
export interface StreamAdvisorChain extends AdvisorChain<StreamAdvisorChain> {
  /** Calls the next advisor, or the model at the end of the chain. */
  nextStream(request: ChatClientRequest): Observable<ChatClientResponse>;
}

/** Marks an advisor that runs the tool loop. A chain has at most one. */
export const ToolAdvisor: unique symbol = Symbol.for('nestor.ToolAdvisor');

/**
 * An advisor that runs the tool loop. If a `ChatClient` has one, it adds no other.
 *
 * @example
 * class MyLoop implements CallAdvisor, ToolAdvisor {
 *   readonly [ToolAdvisor] = true;
 * }
 */
export interface ToolAdvisor extends Advisor {
  readonly [ToolAdvisor]: true;
}

/** Marks an advisor that stores the conversation. */
export const MemoryAdvisor: unique symbol = Symbol.for('nestor.MemoryAdvisor');

/**
 * An advisor that stores the conversation. If it comes after the tool loop in the chain, it
 * provides the history for each round.
 */
export interface MemoryAdvisor extends Advisor {
  readonly [MemoryAdvisor]: true;
}

export function isToolAdvisor(advisor: Advisor): advisor is ToolAdvisor {
  return ToolAdvisor in advisor;
}

export function isMemoryAdvisor(advisor: Advisor): advisor is MemoryAdvisor {
  return MemoryAdvisor in advisor;
}

export function isCallAdvisor(advisor: Advisor): advisor is CallAdvisor {
  return typeof (advisor as Partial<CallAdvisor>).adviseCall === 'function';
}

export function isStreamAdvisor(advisor: Advisor): advisor is StreamAdvisor {
  return typeof (advisor as Partial<StreamAdvisor>).adviseStream === 'function';
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the interface
export const Advisor = Object.freeze({
  /** The default order of memory advisors: before the tool loop. */
  DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER: ADVISOR_ORDERS.MessageChatMemoryAdvisor,
});
