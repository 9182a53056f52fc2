import type { TurnView } from '../../src/view/turn-view.js';
import { ApiError, base, changes, OFFLINE, textOf } from '../api.js';
import { placeOf } from '../place.js';
import { refresh, shown } from './loaded.js';
import { set, state } from './state.js';

/** How many milliseconds lie between two attempts to hear of changes. */
const RETRY = 1000;

/** Follows the application. A browser has six connections to a server, so one tab listens for all. */
export function connect(): void {
  addEventListener('hashchange', () => set({ place: placeOf(location.hash) }));
  const name = `nestor-inspector ${base}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }) => hear(String(data)));
  const tell = (problem: string): void => {
    hear(problem);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(problem);
  };
  const { locks } = navigator as { locks?: LockManager };
  void (locks ? locks.request(name, () => follow(tell)) : follow(tell));
}

/** Ends when the server refuses the page. Until then, it tells what it hears. */
async function follow(tell: (problem: string) => void): Promise<void> {
  for (;;) {
    try {
      await changes(() => tell(''));
      tell('The application has ended. The page waits for its next start…');
    } catch (error) {
      const isRefused = error instanceof ApiError;
      tell(isRefused ? textOf(error) : 'The application does not answer. The page waits for it…');
      // The token of another start stays wrong.
      if (isRefused && error.status === 403) return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

/** A turn has changed; after a problem, anything may have. What nobody shows is forgotten. */
function hear(problem: string): void {
  if (problem !== '') return set({ problem });
  const isBack = state.problem !== '';
  const paths = new Set([...shown].flatMap(({ current }) => current));
  const runs = state.runs.filter(({ isRunning, error }) => isRunning || !isBack || error !== OFFLINE);
  const loaded = Object.fromEntries(Object.entries(state.loaded).filter(([path]) => paths.has(path)));
  set({ problem, loaded, ...(runs.length < state.runs.length && { runs }) });
  for (const path of paths) if (isBack || mayChange(path)) void refresh(path);
}

/** A turn that waits may go on in another tab, and is lost when the application ends. */
function mayChange(path: string): boolean {
  if (path.startsWith('turns/')) {
    const { value, error } = state.loaded[path] ?? { error: '' };
    const { status = error ? 'gone' : 'running', can = [] } = (value ?? {}) as Partial<TurnView>;
    return status === 'running' || status === 'suspended' || can.includes('continue');
  }
  return /^turns|^conversation/.test(path);
}
