import type { Advisor, CallAdvisorChain, StreamAdvisorChain } from './advisor.js';
import { indexOfAdvisor } from './advisor-chain.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/** Without options there are no tools; and who wants to run them himself has said so. */
export function isForLoop({ prompt }: ChatClientRequest): boolean {
  return prompt.options !== undefined && prompt.options.internalToolExecutionEnabled !== false;
}

/** The advisors that see each round of the loop. */
export function advisorsBehind(loop: Advisor, advisors: readonly Advisor[]): readonly Advisor[] {
  return advisors.slice(indexOfAdvisor(advisors, loop) + 1);
}

/** The chain of a `ChatClient` is both; hooks of calls that also serve streams look at its advisors only. */
export function asCallChain(chain: StreamAdvisorChain): CallAdvisorChain {
  return chain as unknown as CallAdvisorChain;
}
