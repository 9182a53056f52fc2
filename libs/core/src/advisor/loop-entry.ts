import { type Advisor, type CallAdvisorChain, isMemoryAdvisor, type StreamAdvisorChain } from './advisor.js';
import { indexOfAdvisor } from './advisor-chain.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/**
 * Whether the loop handles a request. Not if it has no options, and so no tools, or if the caller
 * runs the tools.
 */
export function isForLoop({ prompt }: ChatClientRequest): boolean {
  return prompt.options !== undefined && prompt.options.internalToolExecutionEnabled !== false;
}

/** The advisors that see each round of the loop. */
export function advisorsBehind(loop: Advisor, advisors: readonly Advisor[]): readonly Advisor[] {
  return advisors.slice(indexOfAdvisor(advisors, loop) + 1);
}

/** The advisors that join a resumed turn: a memory before the loop, too, since it runs around the turn. */
export function joiningAdvisors(loop: Advisor, advisors: readonly Advisor[]): readonly Advisor[] {
  const own = indexOfAdvisor(advisors, loop);
  return advisors.filter((advisor, at) => at > own || isMemoryAdvisor(advisor));
}

/**
 * Casts a chain for hooks that serve both calls and streams. Those hooks only read the advisors,
 * and the chain of a `ChatClient` is both kinds.
 */
export function asCallChain(chain: StreamAdvisorChain): CallAdvisorChain {
  return chain as unknown as CallAdvisorChain;
}
