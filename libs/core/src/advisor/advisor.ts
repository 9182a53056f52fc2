import type { Observable } from 'rxjs';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/**
 * Stands between the `ChatClient` and the model. It may read or change requests and responses, answer itself, or call the rest of the
 * chain again.
 */
export interface Advisor {
  /** Sees the request of a turn that goes on after it was suspended, where the advisor stands behind the tool loop. */
  joinTurn?(request: ChatClientRequest): Promise<void>;
  /** For messages and telemetry. */
  readonly name: string;
  /** The smaller order sees the request first and the response last. See `Ordered`. */
  readonly order: number;
  /**
   * Whether it belongs to the call of a model, whichever model it is: a `FallbackModelAdvisor` before it asks its own models through it,
   * too. Default: false.
   */
  readonly isOfEachModel?: boolean;
}

/** An advisor of requests that are answered in one piece. */
export interface CallAdvisor extends Advisor {
  /** Answers a request, mostly with what `chain.nextCall()` answers. */
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse>;
}

/** An advisor of requests that are answered in chunks. */
export interface StreamAdvisor extends Advisor {
  /** Answers a request in chunks, mostly with those of `chain.nextStream()`. */
  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse>;
}

interface AdvisorChain<Chain> {
  /** All advisors of the chain in their order, also those that have run. */
  readonly advisors: readonly Advisor[];
  /** Whether the tool loop has been passed: what follows sees each round of a turn. */
  readonly isInsideLoop: boolean;
  /**
   * The part of the chain after an advisor, to be run as often as needed.
   *
   * @throws Error when the advisor is not part of the chain
   */
  copy(after: Advisor): Chain;
}

/** The rest of the chain, as an advisor sees it. It does not change and may be used any number of times. */
export interface CallAdvisorChain extends AdvisorChain<CallAdvisorChain> {
  /** Asks the advisor that follows, and at the end the model. */
  nextCall(request: ChatClientRequest): Promise<ChatClientResponse>;
}

/** The rest of the chain of a streamed request. */
export interface StreamAdvisorChain extends AdvisorChain<StreamAdvisorChain> {
  /** Asks the advisor that follows, and at the end the model. */
  nextStream(request: ChatClientRequest): Observable<ChatClientResponse>;
}

/** The mark of an advisor that runs the tool loop; a chain has at most one. */
export const ToolAdvisor: unique symbol = Symbol.for('nestor.ToolAdvisor');

/**
 * An advisor that runs the tool loop. A `ChatClient` that has one adds no other.
 *
 * @example
 * class MyLoop implements CallAdvisor, ToolAdvisor {
 *   readonly [ToolAdvisor] = true;
 * }
 */
export interface ToolAdvisor extends Advisor {
  readonly [ToolAdvisor]: true;
}

/** The mark of an advisor that keeps the conversation. */
export const MemoryAdvisor: unique symbol = Symbol.for('nestor.MemoryAdvisor');

/** An advisor that keeps the conversation. After the tool loop in the chain, it takes over the history. */
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
  /** Where memory advisors stand by default: before the tool loop. */
  DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER: ADVISOR_ORDERS.MessageChatMemoryAdvisor,
});
