import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ToolRunView } from '../../src/tools/tool-runs.js';
import { type Place, placeOf } from '../place.js';

/** Everything that the page knows. Each change makes another state. */
export interface State {
  readonly place: Place;
  /** The user that the page acts as. Empty: the user of the page. */
  readonly user: string;
  /** Why the application does not answer. Empty if it does. */
  readonly problem: string;
  /** What users of screen readers are told. */
  readonly said: string;
  /** What the server has, by the path of its request. */
  readonly loaded: Readonly<Record<string, Loaded<unknown>>>;
  /** What the page runs, and the last one that each turn has begun. */
  readonly runs: readonly Run[];
  readonly chat: Conversation;
  /** By the key of the tool. */
  readonly trials: Readonly<Record<string, Trial>>;
  /** Results in place of recorded ones, by turn and call. */
  readonly edited: ReadonlyMap<string, string>;
}

/** What the server has sent last, and why it has not answered since. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error: string;
}

/** What the server says about itself. */
export interface Settings {
  readonly clients: readonly string[];
  readonly content: boolean;
  readonly impersonate: boolean;
  readonly writesTests: boolean;
}

/** A turn that the page runs, and what its model writes. */
export interface Run {
  /** What has begun it: a turn that is decided or tried again, or {@link CHAT}. */
  readonly from: string;
  /** The id of the turn. Until it has begun, what has begun it. */
  readonly at: string;
  readonly isRunning: boolean;
  readonly text: string;
  readonly reasoning: string;
  /** The calls that it writes. */
  readonly calls: readonly WrittenCall[];
  /** What the tools have reported last. */
  readonly progress: readonly WrittenCall[];
  readonly error: string;
  readonly abort: AbortController;
}

/** A text about a tool call. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The conversation of the chat. A reload of the page keeps it. */
export interface Conversation {
  /** Empty: the first. */
  readonly client: string;
  readonly id: string;
  /** The ids of its turns, and of their retries. */
  readonly turns: readonly string[];
  /** The retries that it goes on with. */
  readonly adopted: readonly string[];
  readonly draft: string;
  /** What it was before it went on from a retry. */
  readonly before?: Conversation;
}

/** What somebody has typed for a tool, and what came of its last run. A reload keeps what waits. */
export interface Trial {
  readonly value: unknown;
  /** The arguments of the last run. */
  readonly given?: unknown;
  readonly result?: ToolRunView | undefined;
  readonly error: string;
  readonly isRunning: boolean;
}

/** What has begun a turn that nothing was before. */
export const CHAT = 'chat';
export const UNTRIED: Trial = { value: {}, error: '', isRunning: false };

export let state: State = {
  place: placeOf(location.hash),
  problem: '',
  said: '',
  loaded: {},
  ...ofUser(''),
};
const listeners = new Set<() => void>();

/** What belongs to a user that the page acts as. */
export function ofUser(user: string): Pick<State, 'user' | 'runs' | 'chat' | 'trials' | 'edited'> {
  return {
    user,
    runs: [],
    edited: new Map(),
    chat: kept(CHAT, user, newConversation()),
    trials: kept('tools', user, {}),
  };
}

export function set(change: Partial<State>): void {
  const before = state;
  state = { ...state, ...change };
  if (state.chat !== before.chat) keep(CHAT, state.chat);
  if (state.trials !== before.trials) keep('tools', waiting(state.trials));
  for (const listener of listeners) listener();
}

/** A part of the state. The component is drawn again when it, or an element of a list, is another. */
export function useStore<T>(select: (state: State) => T): T {
  const [, draw] = useState({});
  const selected = select(state);
  const latest = useRef({ select, selected });
  latest.current = { select, selected };
  useLayoutEffect(() => {
    const listen = (): void => {
      if (!isSame(latest.current.select(state), latest.current.selected)) draw({});
    };
    listen();
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
  return selected;
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/* What a reload of the page keeps */

function keyOf(name: string, user: string): string {
  return `nestor-inspector-${name} ${user}`;
}

/** @param fresh what it is if nothing is kept, or something else */
function kept<T extends object>(name: string, user: string, fresh: T): T {
  try {
    const found = JSON.parse(sessionStorage.getItem(keyOf(name, user)) ?? '') as T;
    const isKept = Object.entries(fresh).every(([key, value]) => {
      const other: unknown = found[key as keyof T];
      return typeof other === typeof value && Array.isArray(other) === Array.isArray(value);
    });
    return isKept ? Object.assign(fresh, found) : fresh;
  } catch {
    return fresh;
  }
}

/** The browser may refuse it. Then a reload begins anew. */
function keep(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name, state.user), JSON.stringify(value));
  } catch {
    // Nothing else depends on it.
  }
}

/** Only the page can decide about a call that waits. */
function waiting(trials: State['trials']): State['trials'] {
  return Object.fromEntries(
    Object.entries(trials).flatMap(([key, { value, given, result }]) =>
      result?.status === 'waiting' ? [[key, { ...UNTRIED, value, given, result }]] : [],
    ),
  );
}

export function newConversation(): Conversation {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0'));
  return { client: '', id: id.join(''), turns: [], adopted: [], draft: '' };
}
