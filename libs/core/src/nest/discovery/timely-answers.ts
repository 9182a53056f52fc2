import { inTime } from '../../model/aborts.js';
import type { Awaitable } from '../../model/awaitable.js';

/**
 * Limits the time for an answer. An object that was too slow is not asked again until the same
 * time has passed.
 */
export class TimelyAnswers<Asked extends object> {
  /** The objects that were too slow, and until when they are not asked again. */
  readonly #silent = new WeakMap<Asked, number>();

  /** @param timeout how long to wait for an answer, in milliseconds */
  constructor(private readonly timeout: number) {}

  /**
   * @throws DOMException with the name `TimeoutError` if there is no answer in time, or the error
   *   of `ask`
   */
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
