import { inTime } from '../../model/aborts.js';
import type { Awaitable } from '../../model/awaitable.js';

/** Waits for answers no longer than a time. Who has not answered is not asked again before that time is over once more. */
export class TimelyAnswers<Asked extends object> {
  /** Until when those that have not answered in time are not asked again. */
  readonly #silent = new WeakMap<Asked, number>();

  /** @param timeout how long an answer is waited for, in milliseconds */
  constructor(private readonly timeout: number) {}

  /** @throws DOMException of the name `TimeoutError` when there is no answer in time, or what `ask` throws */
  async of<T>(asked: Asked, ask: () => Awaitable<T>): Promise<T> {
    if ((this.#silent.get(asked) ?? 0) > performance.now()) throw this.#tooLate();
    const answer = ask();
    if (typeof (answer as PromiseLike<T> | undefined)?.then !== 'function') return answer;
    const answered = Promise.resolve(answer).finally(() => this.#silent.delete(asked));
    return inTime(answered, this.timeout, () => {
      this.#silent.set(asked, performance.now() + this.timeout);
      return this.#tooLate();
    });
  }

  #tooLate(): DOMException {
    return new DOMException(`There was no answer within ${this.timeout} ms.`, 'TimeoutError');
  }
}
