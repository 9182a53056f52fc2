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
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#silent.set(asked, performance.now() + this.timeout);
        reject(this.#tooLate());
      }, this.timeout);
    });
    const answered = Promise.resolve(answer).finally(() => {
      clearTimeout(timer);
      this.#silent.delete(asked);
    });
    return Promise.race([answered, timeUp]);
  }

  #tooLate(): DOMException {
    return new DOMException(`There was no answer within ${this.timeout} ms.`, 'TimeoutError');
  }
}
