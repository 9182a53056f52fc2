import { useEffect, useRef } from 'preact/hooks';
import type { TurnView } from '../../src/view/turn-view.js';
import { get, textOf } from '../api.js';
import { type Loaded, set, type Settings, state, useStore } from './state.js';

const UNKNOWN: Settings = { clients: [], content: false, impersonate: false, writesTests: false };
const NOT_LOADED: Loaded<never> = { error: '' };
/** How many milliseconds lie at least between two requests of a value that changes. */
const PAUSE = 200;

/** The paths that components show. */
export const shown = new Set<{ readonly current: readonly string[] }>();
export const requests = new Map<string, { isStale: boolean; end: Promise<void> }>();

export const turnPath = (id: string): string => `turns/${encodeURIComponent(id)}`;

/** What the server has at a path. It is loaded when the first component shows it, and whenever it may have changed. */
export function useLoaded<T>(path: string): Loaded<T> {
  return useAllLoaded<T>([path])[0]!;
}

export function useAllLoaded<T>(paths: readonly string[]): readonly Loaded<T>[] {
  const mine = useRef<readonly string[]>([]);
  useEffect(() => {
    const before = mine.current;
    mine.current = paths;
    shown.add(mine);
    for (const path of paths) if (!before.includes(path) && !requests.has(path)) void refresh(path);
  }, [paths.join(' ')]);
  useEffect(() => () => void shown.delete(mine), []);
  return useStore(({ loaded }) => paths.map((path) => (loaded[path] ?? NOT_LOADED) as Loaded<T>));
}

export function useSettings(): Settings {
  return useStore(({ loaded }) => (loaded['settings']?.value as Settings | undefined) ?? UNKNOWN);
}

export function turnOf(id: string): TurnView | undefined {
  return state.loaded[turnPath(id)]?.value as TurnView | undefined;
}

/** Loads again, with one request of a path at a time. Resolves when the value as it is now, or later, is there. */
export function refresh(path: string): Promise<void> {
  const running = requests.get(path);
  if (running) {
    running.isStale = true;
    return running.end;
  }
  const request = { isStale: false, end: Promise.resolve() };
  const load = async (): Promise<void> => {
    const loaded: Loaded<unknown> = await get(path).then(
      (value) => ({ value, error: '' }),
      (error: unknown) => ({ value: state.loaded[path]?.value, error: textOf(error) }),
    );
    if (requests.get(path) !== request) return;
    set({ loaded: { ...state.loaded, [path]: withParts(state.loaded[path], loaded) } });
    if (request.isStale) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      request.isStale = false;
      return load();
    }
    requests.delete(path);
  };
  requests.set(path, request);
  return (request.end = load());
}

/** A new value with those parts of the old one that are the same, so that what shows them is not drawn again. */
function withParts<T>(old: unknown, value: T): T {
  if (old === value || !isObject(old) || !isObject(value)) return value;
  const keys = Object.keys(value);
  for (const key of keys) (value as Record<string, unknown>)[key] = withParts(old[key], value[key]);
  const isOld = keys.length === Object.keys(old).length && Array.isArray(old) === Array.isArray(value);
  return isOld && keys.every((key) => value[key] === old[key]) ? (old as T) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
