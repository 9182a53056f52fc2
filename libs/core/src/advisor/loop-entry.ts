import type { Advisor, CallAdvisorChain, StreamAdvisorChain } from './advisor.js';
import { indexOfAdvisor } from './advisor-chain.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/** Without options there are no tools; and who wants to run them himself has said so. */
export function isForLoop({ prompt }: ChatClientRequest): boolean {
  return prompt.options !== undefined && prompt.options.internalToolExecutionEnabled !== false;
}

/** Advisors behind the loop are not asked before the tools of a turn that goes on are run. */
export async function joinTurn(loop: Advisor, advisors: readonly Advisor[], request: ChatClientRequest): Promise<void> {
  for (const advisor of advisors.slice(indexOfAdvisor(advisors, loop) + 1)) await advisor.joinTurn?.(request);
}

/** The chain of a `ChatClient` is both; hooks of calls that also serve streams look at its advisors only. */
export function asCallChain(chain: StreamAdvisorChain): CallAdvisorChain {
  return chain as unknown as CallAdvisorChain;
}

export function requireArguments(request: unknown, chain: unknown, chainName: string): void {
  if (!request) throw new TypeError('chatClientRequest must not be null');
  if (!chain) throw new TypeError(`${chainName} must not be null`);
}
