import { Injectable } from '@nestjs/common';
import type { TurnControl } from '../../model/turn-control.js';
import type { TurnWatcher, AskedModel, ToolCallWatch, TurnWatch } from '../../model/turn-watch.js';
import {
  reportWatch,
  followModel,
  followTool,
  tellAnswered,
  tellResponse,
  tellToolAnswer,
  tellTurnEnd,
} from '../../observability/follow-turn.js';
import type { Observer } from 'rxjs';
import type { ChatResponse } from '../../model/chat-response.js';
import type { ToolCall } from '../../model/messages.js';
import type { TurnOutcome } from '../../model/turn-ending.js';

/**
 * Lets tools for developers, such as the inspector, follow all turns of the application: what each
 * model is asked and answers, the tool calls, and the end. Costs nothing without watchers.
 *
 * To react to what happens, use `AiEvents`. It respects the `ContentRedactor`; watchers see
 * everything as it is.
 *
 * @example
 * watchers.add((turn, client) => ({
 *   modelAsked: ({ prompt }) => void console.log(client, turn.id, prompt.messages.length),
 *   toolCalled: ({ name }) => void console.log(name),
 *   ended: ({ status }) => console.log(turn.id, status),
 * }));
 */
@Injectable()
export class TurnWatchers {
  readonly #watchers = new Set<TurnWatcher>();

  /** Follows the turns that start from now on. Call the returned function to stop. */
  add(watcher: TurnWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#watchers.size === 0;
  }

  /** Starts to follow a turn. */
  follow(turn: TurnControl, client: string): void {
    for (const watcher of this.#watchers) {
      try {
        const watch = watcher(turn, client);
        if (watch) turn.follower = turn.follower ? new JoinedWatch(turn.follower, watch) : watch;
      } catch (error) {
        reportWatch(error);
      }
    }
  }
}

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
