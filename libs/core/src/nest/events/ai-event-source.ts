import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { TurnControl } from '../../model/turn-control.js';
import type { TurnOutcome } from '../../model/turn-ending.js';
import type { AiEvent, AiEventOrigin, TurnEndEvent } from './ai-event.js';
import { EventEmitterBridge } from './event-emitter-bridge.js';

/** Tells what happens in the turns of the application. */
@Injectable()
export class AiEventSource implements OnApplicationShutdown {
  readonly subject = new Subject<AiEvent>();

  constructor(private readonly emitter: EventEmitterBridge) {}

  /** Whether anybody wants to know. */
  get isWatched(): boolean {
    return this.subject.observed || this.emitter.isWatched;
  }

  /** Tells of each turn of a client that it is handed when it begins. */
  watcherOf(client: string): (turn: TurnControl) => void {
    return (turn) => {
      const begunAt = performance.now();
      const origin: AiEventOrigin = { client, turnId: turn.id };
      turn.watch((event) => this.#tell({ ...origin, ...event }));
      turn.watchEnd((outcome) => this.#tell({ ...origin, ...endOf(outcome), duration: performance.now() - begunAt }));
      this.#tell({ ...origin, type: 'turn-start' });
    };
  }

  onApplicationShutdown(): void {
    this.subject.complete();
  }

  #tell(event: AiEvent): void {
    this.subject.next(event);
    this.emitter.emit(event);
  }
}

function endOf(outcome: TurnOutcome): Omit<TurnEndEvent, 'duration'> {
  if (outcome.status === 'failed') return { type: 'turn-end', status: 'failed', error: outcome.error };
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
