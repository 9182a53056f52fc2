import type { Observable } from 'rxjs';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import type { TurnKeeper } from '../model/held-turn.js';
import { scopeOf } from '../model/scoped-options.js';
import { streamOf } from '../model/stream-of.js';

/**
 * Sends a request through the chain. If it resumes a turn, the turn stays stored until all
 * advisors have succeeded.
 */
export function callThrough(chain: DefaultAdvisorChain, request: ChatClientRequest): Promise<ChatClientResponse> {
  const keeper = scopeOf(request.prompt.options)?.keeper;
  return keeper ? keepUntilEnd(keeper, () => chain.nextCall(request)) : chain.nextCall(request);
}

/** Like {@link callThrough}, with a streamed answer. */
export function streamThrough(chain: DefaultAdvisorChain, request: ChatClientRequest): Observable<ChatClientResponse> {
  const keeper = scopeOf(request.prompt.options)?.keeper;
  if (!keeper) return chain.nextStream(request);
  return streamOf((output) =>
    keepUntilEnd(keeper, () => output.consume(chain.nextStream(request), (chunk) => output.emit(chunk))),
  );
}

async function keepUntilEnd<T>(keeper: TurnKeeper, ask: () => Promise<T>): Promise<T> {
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    await keeper.release(error);
    throw error;
  }
  await keeper.complete();
  return answer;
}
