import type { EventEmitter } from 'node:events';
import { RmqContext } from '@nestjs/microservices';
import { Observable } from 'rxjs';

/**
 * The channels of RabbitMQ that are open. Nest does not handle the rejection of an answer on a
 * closed one, which would end the process.
 */
export class OpenChannels {
  readonly #open = new Set<unknown>();

  /** The same answers, until the channel of their message closes. */
  whileOpen<T>(answers: Observable<T>, context: unknown): Observable<T> {
    if (!(context instanceof RmqContext)) return answers;
    const channel = context.getChannelRef() as EventEmitter;
    if (!this.#open.has(channel)) {
      this.#open.add(channel);
      channel.once('close', () => this.#open.delete(channel));
    }
    return new Observable((subscriber) =>
      answers.subscribe({
        next: (answer) => this.#open.has(channel) && subscriber.next(answer),
        error: (error: unknown) => this.#open.has(channel) && subscriber.error(error),
        complete: () => this.#open.has(channel) && subscriber.complete(),
      }),
    );
  }
}
