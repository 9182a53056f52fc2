import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { textOf } from './api.js';

/** A value that is loaded, with its error. `reload` keeps the value until the new one is there. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  readonly reload: () => void;
}

/** Loads a value when the component appears, and when the key changes. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; value?: T; error: string }>({ key, error: '' });
  const latest = useRef(0);
  const reload = useCallback(() => {
    const turn = ++latest.current;
    load().then(
      (value) => turn === latest.current && setState({ key, value, error: '' }),
      (error: unknown) => turn === latest.current && setState({ key, error: textOf(error) }),
    );
  }, [key]);
  useEffect(reload, [reload]);
  const isCurrent = state.key === key;
  return { value: isCurrent ? state.value : undefined, error: isCurrent ? state.error : '', reload };
}
