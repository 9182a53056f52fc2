import { type Subscription } from 'rxjs';
import { onAbort } from '@nestor-ai/core/internal';
import type { ToolContext } from '@nestor-ai/core';
import { isJsonObject } from '@nestor-ai/schema';
import { type CallUpdate, patternsOf, type SentCall, type SentCancel } from '../wire/messages.js';
import { RemoteToolException } from './remote-tool.exception.js';
import { RemoteCallException } from './remote-call.exception.js';
import type { RemoteServices } from './remote-services.js';
import type { ServiceInstance } from './service-directory.js';
import { codeOf, isTooLong, neverArrived } from './transport-error.js';

/**
 * When a cancelled call is cancelled again, in milliseconds, until its process confirms it. On a
 * queue with several processes, another one may get the message.
 */
const CANCEL_TIMES = [0, 50, 150, 400, 1000, 2500, 6000] as const;

/** One message with a call, and the answers to it. */
export class CallExchange {
  constructor(
    private readonly services: RemoteServices,
    private readonly instance: ServiceInstance,
    private readonly toolName: string,
  ) {}

  /**
   * Sends the call, and waits for its end.
   *
   * @throws the reason of the abort; RemoteCallException if the service does not answer
   */
  run(call: SentCall, context: ToolContext): Promise<CallUpdate> {
    const { proxy, envelopes, ttl } = this.services;
    // The caller stops waiting when there has been no sign of life for `ttl`.
    const envelope = envelopes.seal('call', this.#audience, call, Math.min(call.timeLeft, ttl));
    context.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      let hasAnswered = false;
      const silence = setTimeout(() => {
        end();
        this.#cancel(envelope.id, call.timeLeft, subscription);
        reject(this.#lost(`has not given a sign of life for ${ttl} ms`));
      }, ttl);
      const release = onAbort(context.signal, (reason) => {
        end();
        this.#cancel(envelope.id, call.timeLeft, subscription);
        reject(reason);
      });
      const end = (): void => {
        clearTimeout(silence);
        release();
      };
      const subscription = proxy.send<unknown>(this.#patterns.call, envelope).subscribe({
        next: (update) => {
          hasAnswered = true;
          silence.refresh();
          if (!isUpdate(update) || update.type === 'alive') return;
          if (update.type === 'progress') return context.reportProgress(update.value);
          end();
          resolve(update);
        },
        error: (error: unknown) => {
          end();
          if (isTooLong(error)) reject(this.#failed('did not run: its arguments are too long for the transport.'));
          else reject(hasAnswered || !neverArrived(error) ? this.#lost(codeOf(error)) : this.#unreached());
        },
        complete: () => {
          end();
          reject(this.#failed('ended without an answer, which may be too long. The call may have run.'));
        },
      });
    });
  }

  /**
   * Goes on listening, since the end of the answers confirms that the call is cancelled.
   *
   * @param lifetime how long the call is valid: it must not run if it arrives after this message
   */
  #cancel(messageId: string, lifetime: number, subscription: Subscription): void {
    const { proxy, envelopes } = this.services;
    const content: SentCancel = { messageId };
    const timers = CANCEL_TIMES.map((time) =>
      setTimeout(() => {
        if (subscription.closed) return;
        const envelope = envelopes.seal('cancel', this.#audience, content, lifetime);
        // A transport that fails now ends the subscription as well.
        proxy.emit(this.#patterns.cancel, envelope).subscribe({ error: () => subscription.unsubscribe() });
      }, time).unref(),
    );
    const last = setTimeout(() => subscription.unsubscribe(), CANCEL_TIMES.at(-1)! + 1000).unref();
    subscription.add(() => {
      for (const timer of [...timers, last]) clearTimeout(timer);
    });
  }

  get #patterns(): ReturnType<typeof patternsOf> {
    const { isAddressed, id } = this.instance;
    return patternsOf(this.services.namespace, isAddressed ? id : undefined);
  }

  /** On a shared queue, any process of the service may get the message. */
  get #audience(): string {
    const { isAddressed, id, service } = this.instance;
    return isAddressed ? id : service;
  }

  #lost(what: string): RemoteCallException {
    const { service } = this.instance;
    const text = `The connection to the service '${service}' was lost during the call of '${this.toolName}' (${what}). The call may have run.`;
    return new RemoteCallException(text, service, true);
  }

  /** The process is there: only this call failed. */
  #failed(what: string): RemoteToolException {
    const { service } = this.instance;
    return new RemoteToolException(`The call of '${this.toolName}' in the service '${service}' ${what}`, service);
  }

  #unreached(): RemoteCallException {
    const { service } = this.instance;
    const text = `The service '${service}' cannot be reached, so the call of '${this.toolName}' did not run.`;
    return new RemoteCallException(text, service, false);
  }
}

function isUpdate(value: unknown): value is CallUpdate {
  return isJsonObject(value) && typeof value['type'] === 'string';
}
