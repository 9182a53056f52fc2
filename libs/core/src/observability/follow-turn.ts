import { Logger } from '@nestjs/common';
import type { Observer } from 'rxjs';
import type { ChatResponse } from '../model/chat-response.js';
import type { ToolCall } from '../model/messages.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import type { AskedModel, ToolCallAnswer, ToolCallWatch, TurnWatch } from '../model/turn-watch.js';
import { errorTypeOf, framesOf } from '../model/error-type.js';

/*
 * Calls the watch of a turn. An error of it is logged and does not disturb the turn. These are
 * functions and not wrappers, since they run in every round of a turn that is followed.
 */

/** @returns receives the answer */
export function followModel(watch: TurnWatch, asked: AskedModel): Observer<ChatResponse> | undefined {
  try {
    return watch.modelAsked(asked);
  } catch (error) {
    reportWatch(error);
    return undefined;
  }
}

/** Tells an answer in one piece, or a chunk of it. */
export function tellResponse(observer: Observer<ChatResponse>, response: ChatResponse | undefined): void {
  try {
    if (response) observer.next(response);
  } catch (error) {
    reportWatch(error);
  }
}

/** Tells that the answer is complete, or why it is not. */
export function tellAnswered(observer: Observer<ChatResponse>, failure?: { readonly error: unknown }): void {
  try {
    if (failure) observer.error(failure.error);
    else observer.complete();
  } catch (error) {
    reportWatch(error);
  }
}

/** @returns receives the answer to the call */
export function followTool(watch: TurnWatch, call: ToolCall): ToolCallWatch | undefined {
  try {
    return watch.toolCalled(call);
  } catch (error) {
    reportWatch(error);
    return undefined;
  }
}

export function tellToolAnswer(watch: ToolCallWatch, answer: ToolCallAnswer): void {
  try {
    watch.answered(answer);
  } catch (error) {
    reportWatch(error);
  }
}

export function tellTurnEnd(watch: TurnWatch, outcome: TurnOutcome): void {
  try {
    watch.ended(outcome);
  } catch (error) {
    reportWatch(error);
  }
}

export function reportWatch(error: unknown): void {
  new Logger('TurnWatchers').error(`A watcher of turns failed: ${errorTypeOf(error)}`, framesOf(error));
}
