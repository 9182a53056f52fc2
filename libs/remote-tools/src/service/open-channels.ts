import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { RmqContext } from '@nestjs/microservices';
import { Observable } from 'rxjs';
import { settledWithin } from '@nestor-ai/core/internal';

/** A channel of `amqplib`. */
interface Channel extends EventEmitter {
  /** Resolves when the broker has confirmed all messages. Only a channel with confirms has it. */
  waitForConfirms?(): Promise<unknown>;
}

/**
 * The channels of RabbitMQ that are open. Nest does not handle the rejection of an answer that the
 * broker has not confirmed when the channel closes, or of a later one. It would end the process.
 */
@Injectable()
export class OpenChannels {
  readonly #open = new Set<Channel>();

  /** Waits until the broker has confirmed all answers, at most for a time in milliseconds. */
  confirmed(limit: number): Promise<void> {
    return settledWithin(
      [...this.#open].map(async (channel) => channel.waitForConfirms?.()),
      limit,
    );
  }

  /** The same answers, until the channel of their message closes. */
  whileOpen<T>(answers: Observable<T>, context: unknown): Observable<T> {
    if (!(context instanceof RmqContext)) return answers;
    const channel = context.getChannelRef() as Channel;
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
