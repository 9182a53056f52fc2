import { Observable } from 'rxjs';

/** An Observable of what a generator yields. Unsubscribing aborts the signal of the generator. */
export function fromGenerator<T>(generate: (signal: AbortSignal) => AsyncIterable<T>): Observable<T> {
  return new Observable((subscriber) => {
    const leaving = new AbortController();
    const run = async (): Promise<void> => {
      for await (const item of generate(leaving.signal)) {
        if (subscriber.closed) return;
        subscriber.next(item);
      }
    };
    run().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => leaving.abort();
  });
}
