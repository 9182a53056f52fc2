import type { ChatRunEvent } from '../../src/chat/chat-runs.js';
import type { TurnView } from '../../src/view/turn-view.js';
import { post, stream, textOf } from '../api.js';
import { refresh, turnOf, turnPath } from './loaded.js';
import { CHAT, type Run, set, state } from './state.js';

/** How much of a text is shown while it is written. */
const SHOWN_TAIL = 20_000;
const LONGEST_SAID = 500;

function announce(text: string): void {
  set({ said: text.slice(0, LONGEST_SAID) });
}

const newRun = (from: string, at = from): Run => ({
  from,
  at,
  isRunning: false,
  text: '',
  reasoning: '',
  calls: [],
  progress: [],
  error: '',
  abort: new AbortController(),
});

/** Adds a run. Of what has ended, each turn keeps what it has begun last. */
function addRun(run: Run): void {
  set({ runs: [...state.runs.filter(({ from, isRunning }) => isRunning || from !== run.from), run] });
}

/** Resolves with the turn when it has ended, or waits. It goes on when its user looks at something else. */
export async function run(from: string, path: string, body: object): Promise<TurnView | undefined> {
  let mine: Run = { ...newRun(from), isRunning: true };
  let next = mine;
  let isQueued = false;
  const show = (): void => {
    isQueued = false;
    const at = state.runs.indexOf(mine);
    if (at >= 0 && mine !== next) set({ runs: state.runs.with(at, next) });
    mine = next;
  };
  const hearEvent = (event: ChatRunEvent): void => {
    next = withEvent(next, event);
    if (event.type === 'turn') {
      show();
      const { turns } = state.chat;
      const isOfChat = state.runs.includes(mine) && (from === CHAT || turns.includes(from));
      if (isOfChat && !turns.includes(event.id)) set({ chat: { ...state.chat, turns: [...turns, event.id] } });
    }
    if (event.type === 'turn' || event.type === 'changed') void refresh(turnPath(next.at));
    if (!isQueued) requestAnimationFrame(show);
    isQueued = true;
  };
  addRun(mine);
  announce('The turn runs.');
  try {
    await stream(path, body, hearEvent, mine.abort.signal);
  } catch (error) {
    next = { ...next, error: textOf(error) };
  }
  const { at } = next;
  if (at !== CHAT) await refresh(turnPath(at));
  const error = next.error || (state.loaded[turnPath(at)]?.error ?? '');
  next = { ...newRun(from, at), error };
  show();
  const turn = turnOf(at);
  announce(error || endOf(turn));
  return turn;
}

function withEvent(run: Run, event: ChatRunEvent): Run {
  switch (event.type) {
    case 'turn':
      return { ...run, at: event.id };
    case 'text':
    case 'reasoning':
      return { ...run, [event.type]: (run[event.type] + event.text).slice(-SHOWN_TAIL) };
    case 'tool-input': {
      const { id, name, delta } = event;
      const text = (run.calls.find((call) => call.id === id)?.text ?? '') + delta;
      return {
        ...run,
        calls: [...run.calls.filter((call) => call.id !== id), { id, name, text: text.slice(-SHOWN_TAIL) }],
      };
    }
    case 'tool-progress':
      return { ...run, progress: [...run.progress.filter(({ id }) => id !== event.id), event] };
    case 'error':
      return { ...run, error: event.text };
    default:
      return { ...run, text: '', reasoning: '', calls: [] };
  }
}

/** The end of a turn as a sentence. */
function endOf(turn: TurnView | undefined): string {
  if (!turn) return 'The turn has ended.';
  if (turn.status === 'suspended') return 'A tool call waits for you.';
  return turn.error === undefined ? `The answer: ${turn.answer}` : `The turn failed: ${turn.error}`;
}

/** Stops a turn, or what has not begun yet. @param at {@link Run.at} */
export async function stop(at: string): Promise<void> {
  const running = state.runs.find((run) => run.isRunning && run.at === at);
  try {
    if (at === CHAT) running?.abort.abort();
    else await post(`${turnPath(at)}/stop`, {});
  } catch (error) {
    if (running) running.abort.abort();
    else addRun({ ...newRun(at), error: textOf(error) });
  }
  if (at !== CHAT) await refresh(turnPath(at));
}
