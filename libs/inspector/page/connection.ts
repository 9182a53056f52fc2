import { useEffect, useState } from 'preact/hooks';
import { ApiError, base, changes, textOf } from './api.js';

const RETRY = 1000;
const NAME = `nestor-inspector ${base}`;
type Listener = (isBack: boolean) => void;
const listeners = new Set<Listener>();

/**
 * Calls back when a turn has changed, also one of another tab. `isBack`: the application was away, so
 * that anything may have changed.
 */
export function useChanges(onChange: Listener): void {
  useEffect(() => {
    listeners.add(onChange);
    return () => void listeners.delete(onChange);
  }, [onChange]);
}

/** Follows the application. Returns why it does not answer; empty if it does. */
export function useConnection(): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const channel = new BroadcastChannel(NAME);
    let last = '';
    const hear = (text: string): void => {
      setProblem(text);
      if (text === '') for (const listener of listeners) listener(last !== '');
      last = text;
    };
    channel.addEventListener('message', ({ data }) => hear(String(data)));
    const tell = (text: string): void => {
      hear(text);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      channel.postMessage(text);
    };
    // A browser has six connections to a server, so one tab listens for all.
    const { locks } = navigator as { locks?: LockManager };
    void (locks ? locks.request(NAME, () => follow(tell)) : follow(tell));
  }, []);
  return problem;
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
