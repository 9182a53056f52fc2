import { useCallback, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { announce } from './announce.js';
import type { ChatRunEvent } from '../src/chat/chat-runs.js';
import { post, stream, textOf } from './api.js';
import { TurnLoader } from './turn-loader.js';

/** How much of a text is shown while it is written. */
const SHOWN_TAIL = 20_000;

/** A text about a tool call. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** What the model writes while a turn runs. */
interface Live {
  isRunning: boolean;
  text: string;
  reasoning: string;
  /** The calls that it writes. */
  calls: readonly WrittenCall[];
  /** What the tools have reported last. */
  progress: readonly WrittenCall[];
  error: string;
}

const IDLE: Live = { isRunning: false, text: '', reasoning: '', calls: [], progress: [], error: '' };

/** A turn that the page runs. */
export interface RunningTurn extends Readonly<Live> {
  readonly turn: TurnView | undefined;
  /** Resolves with the turn when it has ended, or waits. @param id of a turn that goes on */
  run(path: string, body: object, id?: string): Promise<TurnView | undefined>;
  stop(): void;
  clear(): void;
}

/** Runs turns, one at a time. A turn goes on when its user looks at something else. */
export function useRunningTurn(): RunningTurn {
  const [state, setState] = useState(IDLE);
  const [turn, setTurn] = useState<TurnView>();
  const current = useRef<{ abort: AbortController; loader: TurnLoader; isQueued: boolean } | undefined>(undefined);

  const run = useCallback(async (path: string, body: object, id?: string): Promise<TurnView | undefined> => {
    const live: Live = { ...IDLE, isRunning: true };
    const isMine = (): boolean => current.current === mine;
    const loader = new TurnLoader(id, (loaded) => {
      if (isMine()) setTurn(loaded);
    });
    const mine = { abort: new AbortController(), loader, isQueued: false };
    current.current = mine;
    setState({ ...live });
    setTurn(undefined);
    announce('The turn runs.');
    const show = (): void => {
      if (mine.isQueued) return;
      mine.isQueued = true;
      requestAnimationFrame(() => {
        mine.isQueued = false;
        if (isMine()) setState({ ...live });
      });
    };
    const write = (event: ChatRunEvent): void => {
      if (event.type === 'text' || event.type === 'reasoning')
        live[event.type] = (live[event.type] + event.text).slice(-SHOWN_TAIL);
      else if (event.type === 'tool-input') live.calls = withCall(live.calls, event, event.delta);
      else if (event.type === 'tool-progress')
        live.progress = [...live.progress.filter(({ id }) => id !== event.id), event];
      else if (event.type === 'error') live.error = event.text;
      else if (event.type === 'changed') Object.assign(live, { text: '', reasoning: '', calls: [] });
    };
    try {
      await stream(
        path,
        body,
        (event) => {
          if (event.type === 'turn') loader.id = event.id;
          if (event.type === 'turn' || event.type === 'changed') loader.load().catch(() => undefined);
          write(event);
          show();
        },
        mine.abort.signal,
      );
    } catch (error) {
      live.error = textOf(error);
    }
    await loader.load().catch((error: unknown) => (live.error ||= textOf(error)));
    // A frame that is still to come shows the end, too.
    Object.assign(live, { ...IDLE, error: live.error });
    if (isMine()) setState({ ...live });
    announce(live.error || endOf(loader.last));
    return loader.last;
  }, []);

  const stop = useCallback(() => {
    const mine = current.current;
    const id = mine?.loader.id;
    if (id === undefined) mine?.abort.abort();
    else post(`turns/${id}/stop`, {}).catch(() => mine!.abort.abort());
  }, []);

  const clear = useCallback(() => {
    current.current = undefined;
    setTurn(undefined);
    setState(IDLE);
  }, []);
  return { ...state, turn, run, stop, clear };
}

/** The calls with more of the text of one. */
function withCall(calls: readonly WrittenCall[], { id, name }: Omit<WrittenCall, 'text'>, more: string): WrittenCall[] {
  const text = (calls.find((call) => call.id === id)?.text ?? '') + more;
  return [...calls.filter((call) => call.id !== id), { id, name, text: text.slice(-SHOWN_TAIL) }];
}

/** The end of a turn as a sentence. */
function endOf(turn: TurnView | undefined): string {
  if (!turn) return 'The turn has ended.';
  if (turn.status === 'suspended') return 'A tool call waits for you.';
  return turn.error === undefined ? `The answer: ${turn.answer}` : `The turn failed: ${turn.error}`;
}
