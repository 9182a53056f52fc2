import { randomUUID } from 'node:crypto';
import type { ClientProxy } from '@nestjs/microservices';
import { type Subscription, takeUntil, timer } from 'rxjs';
import { type Envelopes } from '../wire/envelopes.js';
import { patternsOf, type ToolsQuestion } from '../wire/messages.js';
import { readToolsAnswer } from '../wire/read-answer.js';
import { codeOf, isUnheard } from './transport-error.js';
import type { ServiceDirectory } from './service-directory.js';

/** How long a question lives on after its window, in milliseconds, for answers on their way. */
const GRACE = 500;

/** The first wait after a failure, in milliseconds. It doubles up to the interval. */
const FIRST_WAIT = 100;

/**
 * The wait after the last process has said goodbye, in milliseconds. Until it has ended, it would
 * receive the next question in place of its successor.
 */
const AFTER_GOODBYE = 400;

/** What a {@link ServiceWatch} works with. */
export interface WatchOptions {
  readonly proxy: ClientProxy;
  readonly envelopes: Envelopes;
  readonly namespace: string;
  /** How long services answer one question, in milliseconds. */
  readonly interval: number;
  readonly directory: ServiceDirectory;
  /** Called with an answer that was not accepted. */
  readonly onRefused: (error: unknown) => void;
}

/**
 * Asks for the tools of services, again and again. Each question is open for a while: services
 * answer it at once, after a change, and before they shut down.
 */
export class ServiceWatch {
  #asking: Subscription | undefined;
  #pause: NodeJS.Timeout | undefined;
  #wait = FIRST_WAIT;
  #isStopped = false;
  /** The processes that answered the current question. */
  #heard = new Set<string>();
  #ready: (() => void) | undefined;
  readonly firstAnswer: Promise<void>;
  /** Why the services cannot be reached. Undefined if they can. */
  failure: string | undefined;

  constructor(private readonly options: WatchOptions) {
    this.firstAnswer = new Promise((resolve) => (this.#ready = resolve));
  }

  start(): void {
    this.#ask();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#pause);
    this.#asking?.unsubscribe();
    this.#ready?.();
  }

  #ask(): void {
    if (this.#isStopped) return;
    const { proxy, envelopes, namespace, interval, directory } = this.options;
    const question: ToolsQuestion = { id: randomUUID(), window: interval, known: directory.revisions };
    const envelope = envelopes.seal('question', namespace, question, interval + GRACE);
    this.#heard = new Set();
    this.#asking = proxy
      .send<unknown>(patternsOf(namespace).tools, envelope)
      .pipe(takeUntil(timer(interval + GRACE)))
      .subscribe({
        next: (answer) => this.#hear(answer, question),
        error: (error: unknown) => this.#fail(error),
        complete: () => this.#askAfter(this.#heard.size > 0 ? 0 : this.#wait),
      });
  }

  #hear(answer: unknown, { id }: ToolsQuestion): void {
    const { envelopes, namespace, directory, onRefused } = this.options;
    try {
      const { content } = envelopes.open('announcement', [namespace], answer);
      const read = readToolsAnswer(content);
      // An answer to an older question may be of a process that has ended since.
      if (read?.question !== id) return;
      directory.hear(read);
      if (read.isLeaving) this.#heard.delete(read.instance);
      else this.#heard.add(read.instance);
      this.#wait = read.isLeaving ? AFTER_GOODBYE : FIRST_WAIT;
      this.failure = undefined;
      this.#ready?.();
    } catch (error) {
      onRefused(error);
    }
  }

  /** Processes that were reached this way cannot be reached now. */
  #fail(error: unknown): void {
    for (const instance of this.#heard) this.options.directory.forget(instance);
    if (!isUnheard(error)) this.failure = codeOf(error);
    this.#ready?.();
    this.#askAfter(this.#wait);
    this.#wait = Math.min(this.#wait * 2, this.options.interval);
  }

  #askAfter(wait: number): void {
    if (this.#isStopped) return;
    this.#pause = setTimeout(() => this.#ask(), wait);
    this.#pause.unref();
  }
}
