import { describe, expect, it } from '@jest/globals';
import {
  config,
  EMPTY,
  firstValueFrom,
  lastValueFrom,
  NEVER,
  Observable,
  of,
  range,
  Subject,
  take,
  toArray,
} from 'rxjs';
import { type StreamOutput, streamOf } from './stream-of.js';
import { TurnAbort } from './turn-abort.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('streamOf', () => {
  it('runs the function once per subscription, and not earlier', async () => {
    let runs = 0;
    const stream = streamOf<number>(async (output) => output.emit(++runs));
    expect(runs).toBe(0);
    expect(await lastValueFrom(stream)).toBe(1);
    expect(await lastValueFrom(stream)).toBe(2);
  });

  it('emits synchronous and later chunks, and completes when the function returns', async () => {
    const stream = streamOf<string>(async (output) => {
      output.emit('at once');
      await settled();
      output.emit('later');
    });
    const heard: string[] = [];
    const ended = new Promise<void>((complete) => stream.subscribe({ next: (chunk) => heard.push(chunk), complete }));
    expect(heard).toEqual(['at once']);
    await ended;
    expect(heard).toEqual(['at once', 'later']);
  });

  it.each([
    ['a rejection', () => Promise.reject(new Error('no answer'))],
    [
      'a function that throws before it returns a promise',
      () => {
        throw new Error('no answer');
      },
    ],
  ])('fails with %s', async (_what, produce) => {
    await expect(lastValueFrom(streamOf(produce))).rejects.toThrow('no answer');
  });

  it("reports a subscriber's error and continues", async () => {
    const reported: unknown[] = [];
    config.onUnhandledError = (error) => reported.push(error);
    try {
      const heard: number[] = [];
      streamOf<number>(async (output) => output.consume(of(1, 2), (chunk) => output.emit(chunk))).subscribe((chunk) => {
        heard.push(chunk);
        if (chunk === 1) throw new Error('cannot be shown');
      });
      await new Promise((resolve) => setTimeout(resolve));
      expect(heard).toEqual([1, 2]);
      expect(reported).toEqual([new Error('cannot be shown')]);
    } finally {
      config.onUnhandledError = null;
    }
  });

  describe('consume', () => {
    it('passes on the chunks of a synchronous source in the same tick', () => {
      const heard: number[] = [];
      streamOf<number>((output) => output.consume(range(1, 3), (chunk) => output.emit(chunk * 10))).subscribe((chunk) =>
        heard.push(chunk),
      );
      expect(heard).toEqual([10, 20, 30]);
    });

    it('subscribes to each source once, one after the other', async () => {
      let subscriptions = 0;
      const source = new Observable<number>((subscriber) => {
        subscriber.next(++subscriptions);
        subscriber.complete();
      });
      const stream = streamOf<number>(async (output) => {
        await output.consume(source, (chunk) => output.emit(chunk));
        await output.consume(source, (chunk) => output.emit(chunk));
      });
      expect(await lastValueFrom(stream.pipe(toArray()))).toEqual([1, 2]);
    });

    it('throws the error of the source, so that the function can handle it', async () => {
      const failing = new Observable<number>((subscriber) => subscriber.error(new Error('overloaded')));
      const stream = streamOf<unknown>(async (output) => {
        await output.consume(failing, () => undefined).catch((error: unknown) => output.emit(error));
      });
      expect(await lastValueFrom(stream)).toEqual(new Error('overloaded'));
    });

    it('ends the source when a chunk cannot be handled', async () => {
      const source = new Subject<number>();
      const ended = lastValueFrom(
        streamOf<number>((output) =>
          output.consume(source, () => {
            throw new Error('what is this?');
          }),
        ),
      );
      source.next(1);
      expect(source.observed).toBe(false);
      await expect(ended).rejects.toThrow('what is this?');
    });

    it('ends the source when the turn is aborted, and throws the reason', async () => {
      const turn = new TurnAbort(undefined);
      const source = new Subject<number>();
      const heard: number[] = [];
      const ended = new Promise((error) =>
        streamOf<number>((output) => output.consume(source, (chunk) => output.emit(chunk), turn)).subscribe({
          next: (chunk) => heard.push(chunk),
          error,
        }),
      );
      source.next(1);
      turn.abort('enough');
      source.next(2);
      expect(source.observed).toBe(false);
      expect(await ended).toBe('enough');
      expect(heard).toEqual([1]);
    });

    it('does not subscribe to a source if the turn is already aborted', async () => {
      const turn = new TurnAbort(undefined);
      turn.abort('enough');
      const source = new Subject<number>();
      const ended = lastValueFrom(streamOf((output) => output.consume(source, () => undefined, turn)));
      expect(source.observed).toBe(false);
      await expect(ended).rejects.toBe('enough');
    });

    it('stops listening to the turn when the source has ended', async () => {
      let listeners = 0;
      const turn = {
        onAbort: () => {
          listeners++;
          return () => listeners--;
        },
      };
      await lastValueFrom(
        streamOf((output) => output.consume(EMPTY, () => undefined, turn)),
        { defaultValue: 0 },
      );
      expect(listeners).toBe(0);
    });
  });

  describe('when the subscriber leaves', () => {
    it('ends the source, and the function can clean up', async () => {
      const source = new Subject<number>();
      const seen: unknown[] = [];
      const subscription = streamOf<number>(async (output) => {
        try {
          await output.consume(source, (chunk) => output.emit(chunk));
        } catch (error) {
          seen.push((error as Error).name);
          throw error;
        } finally {
          seen.push('cleaned up');
        }
      }).subscribe();
      subscription.unsubscribe();
      expect(source.observed).toBe(false);
      await settled();
      expect(seen).toEqual(['AbortError', 'cleaned up']);
    });

    it('stops a synchronous source that would never end', async () => {
      const endless = new Observable<number>((subscriber) => {
        for (let at = 0; !subscriber.closed; at++) subscriber.next(at);
      });
      const stream = streamOf<number>((output) => output.consume(endless, (chunk) => output.emit(chunk)));
      expect(await lastValueFrom(stream.pipe(take(3), toArray()))).toEqual([0, 1, 2]);
    });

    it('does not subscribe to sources that are consumed later', async () => {
      const source = new Subject<number>();
      let consumed: Promise<void> | undefined;
      const subscription = streamOf<number>(async (output) => {
        await settled();
        consumed = output.consume(source, () => undefined);
        await consumed;
      }).subscribe();
      subscription.unsubscribe();
      await settled();
      await expect(consumed).rejects.toMatchObject({ name: 'AbortError' });
      expect(source.observed).toBe(false);
    });

    it.each([
      ['before it is asked for', true],
      ['after it was asked for', false],
    ])('aborts the signal, %s', async (_when, isLate) => {
      let output!: StreamOutput<number>;
      const stream = streamOf<number>((given) => {
        output = given;
        if (!isLate) expect(given.signal.aborted).toBe(false);
        return given.consume(NEVER, () => undefined);
      });
      stream.subscribe().unsubscribe();
      expect(output.signal.aborted).toBe(true);
      expect(output.signal.reason).toMatchObject({ name: 'AbortError' });
    });
  });

  it.each([
    ['completed', async (): Promise<void> => undefined],
    ['failed', () => Promise.reject(new Error('overloaded'))],
  ])('does not report a subscriber as leaving after the stream has %s', async (_how, end) => {
    let signal!: AbortSignal;
    const stream = streamOf<number>(async (output) => {
      signal = output.signal;
      await end();
    });
    await firstValueFrom(stream, { defaultValue: 0 }).catch(() => undefined);
    expect(signal.aborted).toBe(false);
  });

  it.each([
    ['completes', (source: Subject<number>) => source.complete(), /teardown/],
    ['fails', (source: Subject<number>) => source.error(new Error('overloaded')), /overloaded/],
  ])('fails if a source %s and its teardown throws', async (_how, end, message) => {
    const source = new Subject<number>();
    const untidy = new Observable<number>((subscriber) => {
      source.subscribe(subscriber);
      return () => {
        throw new Error('teardown');
      };
    });
    const stream = streamOf<number>((output) => output.consume(untidy, (item) => output.emit(item)));
    const last = lastValueFrom(stream);
    source.next(1);
    // The error must not reach the code that ends the source.
    end(source);
    await expect(last).rejects.toThrow(message);
  });
});
