import type { Observer } from 'rxjs';
import type { ChatResponse } from '../../model/chat-response.js';
import type { ToolCall } from '../../model/messages.js';
import type { TurnOutcome } from '../../model/turn-ending.js';
import type { AskedModel, ToolCallWatch, TurnWatch } from '../../model/turn-watch.js';
import {
  followModel,
  followTool,
  tellAnswered,
  tellResponse,
  tellToolAnswer,
  tellTurnEnd,
} from '../../observability/follow-turn.js';

/** Two watches of one turn. An error of one does not disturb the other. */
export class JoinedWatch implements TurnWatch {
  constructor(
    private readonly one: TurnWatch,
    private readonly other: TurnWatch,
  ) {}

  modelAsked(asked: AskedModel): Observer<ChatResponse> {
    const observers = [followModel(this.one, asked), followModel(this.other, asked)].filter((observer) => !!observer);
    return {
      next: (response) => observers.forEach((observer) => tellResponse(observer, response)),
      error: (error: unknown) => observers.forEach((observer) => tellAnswered(observer, { error })),
      complete: () => observers.forEach((observer) => tellAnswered(observer)),
    };
  }

  toolCalled(call: ToolCall): ToolCallWatch {
    const watches = [followTool(this.one, call), followTool(this.other, call)].filter((watch) => !!watch);
    return { answered: (answer) => watches.forEach((watch) => tellToolAnswer(watch, answer)) };
  }

  ended(outcome: TurnOutcome): void {
    tellTurnEnd(this.one, outcome);
    tellTurnEnd(this.other, outcome);
  }
}
