import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { post, stream, textOf } from './api.js';
import { TurnLoader } from './turn-loader.js';

/** How much of a text is shown while it is written. */
const SHOWN_TAIL = 20_000;

/** A turn that the page runs. */
export interface RunningTurn {
  readonly isRunning: boolean;
  readonly turn: TurnView | undefined;
  /** What the model writes now. */
  readonly text: string;
  /** The arguments that the model writes now. */
  readonly input: string;
  readonly error: string;
  run(path: string, body: object): Promise<void>;
  stop(): void;
  clear(): void;
}

/** Runs turns, one at a time. */
export function useRunningTurn(onEnd: (turn: TurnView | undefined) => void = () => undefined): RunningTurn {
  const [state, setState] = useState({ isRunning: false, text: '', input: '', error: '' });
  const [turn, setTurn] = useState<TurnView>();
  const current = useRef<{ abort: AbortController; id?: string; live: typeof state; isQueued: boolean } | undefined>(
    undefined,
  );
  useEffect(() => () => current.current?.abort.abort(), []);

  const run = useCallback(
    async (path: string, body: object): Promise<void> => {
      const live = { isRunning: true, text: '', input: '', error: '' };
      const mine = { abort: new AbortController(), live, isQueued: false } as NonNullable<typeof current.current>;
      current.current = mine;
      setState({ ...live });
      setTurn(undefined);
      const show = (): void => {
        if (mine.isQueued) return;
        mine.isQueued = true;
        requestAnimationFrame(() => {
          mine.isQueued = false;
          if (current.current === mine) setState({ ...live });
        });
      };
      const loader = new TurnLoader((loaded) => {
        if (current.current === mine) setTurn(loaded);
      });
      try {
        await stream(
          path,
          body,
          (event) => {
            if (event.type === 'turn') loader.id = mine.id = event.id;
            else if (event.type === 'text') live.text = (live.text + event.text).slice(-SHOWN_TAIL);
            else if (event.type === 'tool-input') live.input = (live.input + event.delta).slice(-SHOWN_TAIL);
            else if (event.type === 'error') live.error = event.text;
            else if (event.type === 'changed') {
              live.input = '';
              live.text = '';
              loader.load().catch(() => undefined);
            }
            show();
          },
          mine.abort.signal,
        );
      } catch (error) {
        live.error = textOf(error);
      }
      try {
        await loader.load();
      } catch (error) {
        live.error ||= textOf(error);
      }
      live.isRunning = false;
      live.text = '';
      live.input = '';
      if (current.current !== mine) return;
      setState({ ...live });
      onEnd(loader.last);
    },
    [onEnd],
  );

  const stop = useCallback(() => {
    const mine = current.current;
    if (mine?.id === undefined) mine?.abort.abort();
    else post(`turns/${mine.id}/stop`, {}).catch(() => mine.abort.abort());
  }, []);

  const clear = useCallback(() => {
    setTurn(undefined);
    setState({ isRunning: false, text: '', input: '', error: '' });
  }, []);
  return { ...state, turn, run, stop, clear };
}
