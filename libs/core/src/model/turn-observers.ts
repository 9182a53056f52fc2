import { Logger } from '@nestjs/common';
import type { Observer } from 'rxjs';
import { type Awaitable, isPromise } from './awaitable.js';
import type { ChatResponse } from './chat-response.js';
import { errorTypeOf, framesOf } from './error-type.js';
import { settledWithin } from './settled-within.js';
import type { ToolCallAnswer, ToolCallEnd } from './tool-call-outcome.js';
import type { TurnOutcome } from './turn-ending.js';
import type { TurnEvent } from './turn-event.js';
import type { AskedModel, ToolCallRun, TurnObserver } from './turn-observer.js';

/** How long the end of a turn waits for observers, in milliseconds. */
const PATIENCE = 10_000;

/**
 * All who follow one turn, in the order in which they were added: who came first is told first of
 * what begins, and last of what ends. An error of one does not disturb the others.
 */
export class TurnObservers {
  readonly #observers: TurnObserver[] = [];

  add(observer: TurnObserver): void {
    this.#observers.push(observer);
  }

  /** Whether the progress of tools is of interest. */
  get seesProgress(): boolean {
    return this.#observers.some(({ toolProgress }) => toolProgress);
  }

  /** Whether the code of tools has to wait for {@link toolBegins}. */
  get seesBeginnings(): boolean {
    return this.#observers.some(({ toolBegins }) => toolBegins);
  }

  /** Whether the `ui` of runs has to be known. */
  get readsUi(): boolean {
    return this.#observers.some(({ readsUi }) => readsUi);
  }

  /** @returns receives the answer. Undefined if nobody wants it */
  modelAsked(asked: AskedModel): Observer<ChatResponse> | undefined {
    const answers: Observer<ChatResponse>[] = [];
    this.#tell((observer) => {
      const answer = observer.modelAsked?.(asked);
      if (answer && !isPromise(answer)) answers.push(answer);
      return answer;
    });
    if (answers.length === 0) return undefined;
    return {
      next: (response) => tellAll(answers, (answer) => answer.next(response)),
      error: (error: unknown) => tellAll(answers, (answer) => answer.error(error)),
      complete: () => tellAll(answers, (answer) => answer.complete()),
    };
  }

  toolCalled(run: ToolCallRun): void {
    this.#tell((observer) => observer.toolCalled?.(run));
  }

  /** Runs work inside of all observers, the first of them outermost. An observer that fails is left out. */
  around<T>(run: ToolCallRun, work: () => Promise<T>, at = 0): Promise<T> {
    const observer = this.#observers[at];
    if (!observer) return work();
    let running: Promise<T> | undefined;
    const enter = (): Promise<T> => (running ??= this.around(run, work, at + 1));
    if (observer.around) tellAll([observer], () => observer.around!(run, () => void enter()));
    return enter();
  }

  toolProgress(run: ToolCallRun, value: unknown): void {
    this.#tell((observer) => observer.toolProgress?.(run, value));
  }

  /**
   * @param agreed those who have been asked before, and have not refused; updated in place
   * @throws the error of the first observer that refuses
   */
  async toolBegins(run: ToolCallRun, agreed: Set<TurnObserver>): Promise<void> {
    for (const observer of this.#observers) {
      if (agreed.has(observer)) continue;
      await observer.toolBegins?.(run);
      agreed.add(observer);
    }
  }

  /** @returns resolves when all are ready. Undefined if they are */
  toolEnded(run: ToolCallRun, end: ToolCallEnd): Promise<void> | undefined {
    return this.#ask((observer) => observer.toolEnded?.(run, end));
  }

  toolAnswered(run: ToolCallRun, answer: ToolCallAnswer): void {
    this.#tell((observer) => observer.toolAnswered?.(run, answer));
  }

  emitted(event: TurnEvent): void {
    this.#tell((observer) => observer.emitted?.(event));
  }

  /** Like {@link toolEnded}, for a limited time: a turn that has ended cannot be aborted. */
  turnEnds(): Promise<void> | undefined {
    const ready = this.#ask((observer) => observer.turnEnds?.());
    return ready && settledWithin([ready], PATIENCE);
  }

  turnEnded(outcome: TurnOutcome): void {
    tellAll(this.#observers.toReversed(), (observer) => observer.turnEnded?.(outcome));
  }

  #tell(say: (observer: TurnObserver) => unknown): void {
    tellAll(this.#observers, say);
  }

  /** All are called at once, so that one that is never ready does not keep the others from knowing. */
  #ask(say: (observer: TurnObserver) => Awaitable<void>): Promise<void> | undefined {
    let answers: Promise<void>[] | undefined;
    tellAll(this.#observers.toReversed(), (observer) => {
      const answer = say(observer);
      if (isPromise(answer)) (answers ??= []).push(answer);
      return answer;
    });
    return answers && Promise.allSettled(answers).then(() => undefined);
  }
}

/** A method that returns a promise is not awaited, but must not end the process either. */
function tellAll<T>(listeners: readonly T[], say: (listener: T) => unknown): void {
  for (const listener of listeners) {
    try {
      const said = say(listener);
      if (isPromise(said)) said.then(undefined, report);
    } catch (error) {
      report(error);
    }
  }
}

function report(error: unknown): void {
  new Logger('TurnObserver').error(`A TurnObserver failed: ${errorTypeOf(error)}`, framesOf(error));
}
