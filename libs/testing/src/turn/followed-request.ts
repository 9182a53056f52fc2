import type { Observable } from 'rxjs';
import {
  type Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChatModel,
  Ordered,
  type StreamAdvisor,
  type StreamAdvisorChain,
} from '@nestor-ai/core';
import { forOtherModel, scopeOf, STAND_IN, type TurnControl } from '@nestor-ai/core/internal';

/** What to do with a request: follow its turns, or let another model answer it. */
export interface RequestFollower {
  /** Called with each turn of the request, when it starts. */
  readonly onTurn?: (turn: TurnControl) => void;
  /** Answers in place of all models of the request. */
  readonly standIn?: ChatModel;
  /** Whether the prompts are those for the stand-in, with its default options. Default: false. */
  readonly isOtherModel?: boolean;
}

/** Follows one request. Runs before all other advisors. */
export class FollowedRequest implements CallAdvisor, StreamAdvisor, Advisor {
  readonly name = 'Followed Request';
  readonly order = Ordered.HIGHEST_PRECEDENCE;

  constructor(private readonly follower: RequestFollower) {}

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return chain.nextCall(this.#prepare(request));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return chain.nextStream(this.#prepare(request));
  }

  #prepare(request: ChatClientRequest): ChatClientRequest {
    const { onTurn, standIn, isOtherModel } = this.follower;
    const scope = scopeOf(request.prompt.options)!;
    if (onTurn) scope.onTurn(onTurn);
    if (standIn) scope.set(STAND_IN, standIn);
    return standIn && isOtherModel ? forOtherModel(request, standIn) : request;
  }
}
