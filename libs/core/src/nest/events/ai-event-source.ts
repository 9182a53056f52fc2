import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { ShownContents, shownEvent } from '../../client/shown-contents.js';
import type { ContentRedactor } from '../../model/content-redactor.js';
import { messageOf, readSafely } from '@nestor-ai/schema';
import { ToolEvents } from '../../model/tool-events.js';
import type { TurnControl } from '../../model/turn-control.js';
import type { TurnOutcome } from '../../model/turn-ending.js';
import { framesOf, nameOrOther } from '../../model/error-type.js';
import { redacted } from '../../observability/redacted.js';
import type { AiEvent, AiEventOrigin, TurnEndEvent } from './ai-event.js';

/** Emits the events of all turns of the application. */
@Injectable()
export class AiEventSource implements OnApplicationShutdown {
  readonly subject = new Subject<AiEvent>();

  /**
   * A function that emits the events of a turn. It is called when the turn begins.
   *
   * @param redactor removes contents that listeners must not see
   */
  watcherOf(client: string, redactor: ContentRedactor | undefined): (turn: TurnControl) => void {
    const contents = redactor && new ShownContents('event', redactor);
    return (turn) => {
      const begunAt = performance.now();
      const origin: AiEventOrigin = { client, turnId: turn.id };
      turn.observe(
        new ToolEvents((event) =>
          this.subject.next({ ...origin, ...(contents ? shownEvent(event, contents) : event) }),
        ),
      );
      turn.observe({
        turnEnded: (outcome) =>
          this.subject.next({ ...origin, ...endOf(outcome, redactor), duration: performance.now() - begunAt }),
      });
      this.subject.next({ ...origin, type: 'turn-start' });
    };
  }

  onApplicationShutdown(): void {
    this.subject.complete();
  }
}

function endOf(outcome: TurnOutcome, redactor: ContentRedactor | undefined): Omit<TurnEndEvent, 'duration'> {
  if (outcome.status === 'failed') {
    const error = redactor ? redactedError(outcome.error, redactor) : outcome.error;
    return { type: 'turn-end', status: 'failed', error };
  }
  const { status, rounds, response } = outcome;
  const { usage } = response?.metadata ?? {};
  const finishReason = response?.result?.metadata?.finishReason;
  return {
    type: 'turn-end',
    status,
    rounds,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage && { usage }),
  };
}

/**
 * A new error with the same name. Other properties, such as the answer of a provider, are dropped,
 * since they may contain anything.
 */
function redactedError(error: unknown, redactor: ContentRedactor): Error {
  const shown = new Error(redacted(redactor, messageOf(error), { sink: 'event', kind: 'error' }));
  shown.name = nameOrOther(readSafely(() => (error as Error).name));
  shown.stack = [`${shown.name}: ${shown.message}`, framesOf(error)].filter(Boolean).join('\n');
  return shown;
}
