import { useEffect, useState } from 'preact/hooks';
import { ApiError, changes, textOf } from './api.js';

const RETRY = 1000;
const listeners = new Set<() => void>();

/** Calls back when a turn has changed, also one of another tab, and when the application is there again. */
export function useChanges(onChange: () => void): void {
  useEffect(() => {
    listeners.add(onChange);
    return () => void listeners.delete(onChange);
  }, [onChange]);
}

/** Follows the application. Returns why it does not answer; empty if it does. */
export function useConnection(): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isOver = false;
    const follow = async (): Promise<void> => {
      try {
        await changes(() => {
          setProblem('');
          for (const listener of listeners) listener();
        });
        setProblem('The application has ended. The page waits for its next start…');
      } catch (error) {
        const isRefused = error instanceof ApiError;
        setProblem(isRefused ? textOf(error) : 'The application does not answer. The page waits for it…');
        // The token of another start stays wrong.
        if (isRefused && error.status === 403) return;
      }
      if (!isOver) setTimeout(() => void follow(), RETRY);
    };
    void follow();
    return () => void (isOver = true);
  }, []);
  return problem;
}
