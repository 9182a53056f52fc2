import type { ToolRunView } from '../../src/tools/tool-runs.js';
import type { TurnView } from '../../src/view/turn-view.js';
import { acting, ApiError, post, textOf } from '../api.js';
import { requests, turnOf, turnPath } from './loaded.js';
import { run } from './runs.js';
import {
  CHAT,
  type Conversation,
  newConversation,
  ofUser,
  set,
  state,
  type Trial,
  UNTRIED,
  useStore,
} from './state.js';

/** A decision about a call that waits. */
export interface Decision {
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly input?: Record<string, unknown>;
  readonly arguments?: string;
}

/** What a retry changes. */
export interface Changes {
  readonly arguments?: Readonly<Record<string, string>>;
  readonly results?: Readonly<Record<string, string>>;
  readonly question?: string;
  readonly instructions?: string;
  readonly settings?: unknown;
}

/** Everything on the page belongs to the user that it acts as. */
export function actAs(user: string): void {
  if (user === state.user) return;
  acting.as = user;
  requests.clear();
  const { settings } = state.loaded;
  set({ ...ofUser(user), said: '', loaded: settings ? { settings } : {} });
}

export function changeChat(changes: Partial<Conversation>): void {
  set({ chat: { ...state.chat, ...changes } });
}

/** What was typed stays. */
export function startConversation(changes: Partial<Conversation> = {}): void {
  const { client, draft } = state.chat;
  set({
    chat: { ...newConversation(), client, draft, ...changes },
    runs: state.runs.filter(({ from }) => from !== CHAT),
  });
}

/** Sends what was typed. @param after the turn before */
export async function ask(client: string, after: string | undefined): Promise<void> {
  const { user, chat } = state;
  const { draft, id } = chat;
  changeChat({ draft: '' });
  const turn = await run(CHAT, CHAT, {
    client,
    message: draft,
    conversation: id,
    ...(after !== undefined && { after }),
  });
  // Nothing was asked, so nothing that was typed is lost.
  if (!turn && state.user === user && state.chat.draft === '') changeChat({ draft });
}

export function decide(id: string, decisions: readonly Decision[]): Promise<TurnView | undefined> {
  return run(id, `${turnPath(id)}/decisions`, { decisions });
}

/** Runs a turn again from a model call, with the changed results that it has read. */
export function retry(id: string, modelCall: number, changes: Changes = {}): Promise<TurnView | undefined> {
  const read = editedCalls(id).filter(({ call }) => call.modelCall < modelCall);
  return run(id, `${turnPath(id)}/retry`, { modelCall, results: resultsOf(read), ...changes });
}

/** Runs a turn again from the model call that reads the last changed result. */
export function goOn(id: string): Promise<TurnView | undefined> {
  const edited = editedCalls(id);
  const next = 1 + Math.max(...edited.map(({ call }) => call.modelCall));
  const last = (turnOf(id)?.calls.length ?? 1) - 1;
  return retry(id, Math.min(last, next), { results: resultsOf(edited) });
}

const editedKey = (turn: string, call: string): string => `${turn} ${call}`;

export function useEdited(turn: string, call: string): string | undefined {
  return useStore(({ edited }) => edited.get(editedKey(turn, call)));
}

/** Changes the result of a call. @param text undefined undoes it */
export function editResult(turn: string, call: string, text: string | undefined): void {
  const edited = new Map(state.edited);
  edited.delete(editedKey(turn, call));
  if (text !== undefined) edited.set(editedKey(turn, call), text);
  set({ edited });
}

function editedCalls(id: string) {
  return (turnOf(id)?.tools ?? []).flatMap((call) => {
    const text = state.edited.get(editedKey(id, call.id));
    return text === undefined ? [] : [{ call, text }];
  });
}

const resultsOf = (edited: ReturnType<typeof editedCalls>): Record<string, string> =>
  Object.fromEntries(edited.map(({ call, text }) => [call.id, text]));

export function changeTrial(key: string, changes: Partial<Trial>): void {
  set({ trials: { ...state.trials, [key]: { ...UNTRIED, ...state.trials[key], ...changes } } });
}

/** Runs a tool, or decides about its call that waits. */
export async function runTool(key: string, args: unknown, decision?: object): Promise<void> {
  changeTrial(key, { given: args, error: '', isRunning: true, ...(!decision && { result: undefined }) });
  const { user } = state;
  const ended = await post<ToolRunView>('tool/run', { tool: key, arguments: args, ...decision }).then(
    (result) => ({ result }),
    (error: unknown) => {
      // A call that nobody has decided about still waits.
      const isGone = error instanceof ApiError && (error.status === 404 || error.status === 409);
      return { error: textOf(error), ...(isGone && { result: undefined }) };
    },
  );
  if (state.user === user) changeTrial(key, { ...ended, isRunning: false });
}
