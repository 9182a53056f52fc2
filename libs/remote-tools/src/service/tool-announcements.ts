import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import { filter, map, merge, NEVER, type Observable, Subject, takeUntil, throwError, timer } from 'rxjs';
import { isJsonObject, messageOf } from '@nestor-ai/schema';
import type { Envelope } from '../wire/envelopes.js';
import type { ToolsAnswer, ToolsQuestion } from '../wire/messages.js';
import { RefusalLog } from '../wire/refusal-log.js';
import { OpenChannels } from './open-channels.js';
import { RemoteToolListing } from './remote-tool-listing.js';
import { ServiceEnvelopes } from './service-envelopes.js';
import { ServiceIdentity } from './service-identity.js';

/** The longest time that a question is answered, in milliseconds. */
const MAX_WINDOW = 60_000;

/** How often the tools are compared with those that a caller knows, in milliseconds. */
const CHANGE_INTERVAL = 1000;

/** How long the last answers may take before the connections close, in milliseconds. */
const LAST_ANSWERS = 100;

/** How long a busy broker may take to confirm them, in milliseconds. */
const CONFIRMS = 2000;

/** The part of an answer that changes. */
type Answer = Pick<ToolsAnswer, 'revision' | 'tools' | 'isLeaving'>;

/** Tells other applications the tools of this process: at once, when they change, and at the end. */
@Injectable()
export class ToolAnnouncements implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #refusals = new RefusalLog(new Logger('RemoteToolServiceModule'));
  readonly #leaving = new Subject<Answer>();
  #isLeaving = false;
  #hasAnswered = false;

  constructor(
    private readonly identity: ServiceIdentity,
    private readonly listing: RemoteToolListing,
    private readonly envelopes: ServiceEnvelopes,
    private readonly channels: OpenChannels,
  ) {}

  /** Takes the tools away from all callers before the process ends. */
  onModuleDestroy(): void {
    this.#isLeaving = true;
    this.#leaving.next(LEAVING);
    this.#leaving.complete();
  }

  /** Nest closes the connections next, and would lose the last answers. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.#hasAnswered) await setTimeout(LAST_ANSWERS);
    await this.channels.confirmed(CONFIRMS);
  }

  /**
   * The answers to a question, until its window ends.
   *
   * @param isAddressed whether calls have to name this process
   */
  answer(envelope: unknown, isAddressed: boolean): Observable<Envelope> {
    let question: ToolsQuestion;
    try {
      question = readQuestion(this.envelopes.open('question', [this.identity.namespace], envelope).content);
    } catch (error) {
      this.#refusals.warn(`The service '${this.identity.service}' did not tell an application its tools.`, error);
      return throwError(() => new RpcException(messageOf(error)));
    }
    // The connections close, so an answer could be lost in them.
    if (this.#isLeaving) return NEVER;
    this.#hasAnswered = true;
    const window = Math.min(Math.max(question.window, 0), MAX_WINDOW);
    const revisions = this.#revisions(question).pipe(takeUntil(this.#endOf(window)));
    const answers = merge(revisions, this.#leaving.pipe(takeUntil(timer(window))));
    return answers.pipe(map((answer) => this.#seal(answer, question, isAddressed)));
  }

  /** The tools, without those that the caller knows. */
  #revisions({ known }: ToolsQuestion): Observable<Answer> {
    let sent = known[this.identity.instance];
    return timer(0, CHANGE_INTERVAL).pipe(
      map(() => this.listing.current()),
      filter(({ revision }, index) => index === 0 || revision !== sent),
      map(({ revision, tools }) => {
        const isNew = revision !== sent;
        sent = revision;
        return { revision, ...(isNew && { tools }) };
      }),
    );
  }

  #endOf(window: number): Observable<unknown> {
    return merge(timer(window), this.#leaving);
  }

  #seal(answer: Answer, { id }: ToolsQuestion, isAddressed: boolean): Envelope {
    const { service, instance, startedAt, namespace } = this.identity;
    const content: ToolsAnswer = { question: id, service, instance, startedAt, isAddressed, ...answer };
    return this.envelopes.seal('announcement', namespace, content, MAX_WINDOW);
  }
}

const LEAVING: Answer = { revision: '', isLeaving: true };

/** @throws TypeError if the content is no question */
function readQuestion(content: Readonly<Record<string, unknown>>): ToolsQuestion {
  const { id, window, known } = content;
  if (typeof id === 'string' && typeof window === 'number' && isJsonObject(known)) {
    return { id, window, known: known as ToolsQuestion['known'] };
  }
  throw new TypeError('The message is no question that this version understands.');
}
