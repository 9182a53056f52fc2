import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { textOf } from './api.js';

/** A value that is loaded, with its error. `reload` keeps the value until the new one is there. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  readonly reload: () => void;
  /** Takes a value that was loaded otherwise, and is newer. */
  readonly put: (value: T) => void;
}

/** Loads a value when the component appears, and when the key changes: one request of a key at a time. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; value?: T; error: string }>({ key, error: '' });
  const running = useRef<{ key: string; isStale: boolean } | undefined>(undefined);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    if (running.current?.key === key) {
      running.current.isStale = true;
      return;
    }
    const mine = { key, isStale: false };
    running.current = mine;
    const settle = (value: { value?: T; error: string }): void => {
      if (running.current !== mine) return;
      running.current = undefined;
      setState({ key, ...value });
      if (mine.isStale) reload();
    };
    latest.current().then(
      (value) => settle({ value, error: '' }),
      (error: unknown) => settle({ error: textOf(error) }),
    );
  }, [key]);
  const put = useCallback(
    (value: T) => {
      if (running.current?.key === key) running.current.isStale = true;
      setState({ key, value, error: '' });
    },
    [key],
  );
  useEffect(reload, [reload]);
  const isCurrent = state.key === key;
  return { value: isCurrent ? state.value : undefined, error: isCurrent ? state.error : '', reload, put };
}
