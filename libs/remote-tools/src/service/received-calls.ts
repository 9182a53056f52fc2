import { Inject, Injectable, Logger } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { ToolTimeoutException } from '@nestor-ai/core';
import { boundedCache } from '@nestor-ai/core/internal';
import { EnvelopeException, type OpenedEnvelope } from '../wire/envelopes.js';
import type { CallProblem, CallUpdate, SentCall } from '../wire/messages.js';
import { RefusalLog } from '../wire/refusal-log.js';
import { CallRunner } from './call-runner.js';
import { CallRefusal } from './call-refusal.js';
import { readCall } from './read-call.js';
import { REMOTE_TOOL_SERVICE_OPTIONS } from './remote-tool-service.module-definition.js';
import type { RemoteToolServiceModuleOptions } from './remote-tool-service.options.js';
import { ServiceApplication } from './service-application.js';
import { ServiceEnvelopes } from './service-envelopes.js';
import { RemoteToolListing } from './remote-tool-listing.js';

const DEFAULT_HEARTBEAT = 2000;

/** How many messages are remembered, so that none is accepted twice. */
const MAX_REMEMBERED = 100_000;

/** Runs the calls that arrive: verifies each, tells that it is alive, and ends it in time. */
@Injectable()
export class ReceivedCalls {
  readonly #refusals = new RefusalLog(new Logger('RemoteToolServiceModule'));
  readonly #runner: CallRunner;
  readonly #heartbeat: number;
  /** The calls that run, by the id of their message. */
  readonly #running = new Map<string, AbortController>();
  /** The messages that have arrived. */
  readonly #seen = boundedCache<'arrived' | 'cancelled'>(MAX_REMEMBERED);

  constructor(
    private readonly envelopes: ServiceEnvelopes,
    listing: RemoteToolListing,
    application: ServiceApplication,
    @Inject(REMOTE_TOOL_SERVICE_OPTIONS) { heartbeat = DEFAULT_HEARTBEAT }: RemoteToolServiceModuleOptions,
  ) {
    this.#runner = new CallRunner(listing, application.callers.of('remote'));
    this.#heartbeat = heartbeat;
  }

  /** @param audience who the message has to be for: the service, or this process */
  run(envelope: unknown, audience: string): Observable<CallUpdate> {
    return new Observable((subscriber) => {
      try {
        const opened = this.envelopes.open('call', [audience], envelope);
        this.#remember(opened);
        const call = readCall(opened.content);
        if (!call) throw new CallRefusal('unverified', 'The message is no call that this version understands.');
        return this.#start(opened.id, call, subscriber);
      } catch (error) {
        subscriber.next(this.#refuse(error));
        subscriber.complete();
        return undefined;
      }
    });
  }

  /** Cancels a call. If its message arrives later, it does not run. */
  cancel(envelope: unknown, audience: string): void {
    try {
      const { content, expiresAt } = this.envelopes.open('cancel', [audience], envelope);
      const { messageId } = content;
      if (typeof messageId !== 'string') return;
      const running = this.#running.get(messageId);
      if (running) running.abort(new CallRefusal('cancelled', 'The caller has cancelled the call.'));
      else if (!this.#seen.has(messageId)) this.#seen.set(messageId, 'cancelled', { ttl: this.#ttlOf(expiresAt) });
    } catch (error) {
      this.#refusals.warn('A call was not cancelled.', error);
    }
  }

  /** @throws CallRefusal if the message has arrived before */
  #remember({ id, expiresAt }: OpenedEnvelope): void {
    const seen = this.#seen.get(id);
    if (seen === 'cancelled') throw new CallRefusal('cancelled', 'The caller has cancelled the call.');
    if (seen) throw new CallRefusal('repeated', 'The message has arrived before. Each message is valid once.');
    this.#seen.set(id, 'arrived', { ttl: this.#ttlOf(expiresAt) });
  }

  /** @returns ends the call */
  #start(id: string, call: SentCall, subscriber: Subscriber<CallUpdate>): () => void {
    const controller = new AbortController();
    this.#running.set(id, controller);
    const beat = (): void => subscriber.next({ type: 'alive' });
    const heart = setInterval(beat, this.#heartbeat);
    const deadline = setTimeout(
      () => controller.abort(new ToolTimeoutException(call.tool, call.timeLeft)),
      call.timeLeft,
    );
    const end = (): void => {
      clearInterval(heart);
      clearTimeout(deadline);
      this.#running.delete(id);
    };
    beat();
    const onProgress = (value: unknown): void => subscriber.next({ type: 'progress', value });
    this.#runner
      .run(call, { signal: controller.signal, onProgress })
      .catch((error: unknown) => this.#refuse(error))
      .then((update) => {
        end();
        subscriber.next(update);
        // Nest would send both as one message, which is lost if the transport takes none of this length.
        setImmediate(() => subscriber.complete());
      }, subscriber.error.bind(subscriber));
    return () => {
      end();
      controller.abort(new CallRefusal('cancelled', 'The caller has left.'));
    };
  }

  #refuse(error: unknown): CallUpdate {
    if (error instanceof CallRefusal) return { type: 'refused', problem: error.problem, message: error.message };
    if (!(error instanceof EnvelopeException)) throw error;
    this.#refusals.warn('A call of another application was refused.', error);
    const problem: CallProblem = error.problem === 'expired' ? 'expired' : 'unverified';
    return { type: 'refused', problem, message: error.message };
  }

  /** A message is remembered as long as it could be accepted. */
  #ttlOf(expiresAt: number): number {
    return Math.max(expiresAt - Date.now(), 0) + this.envelopes.clockTolerance + 1;
  }
}
