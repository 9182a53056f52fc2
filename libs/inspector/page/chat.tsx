import type { JSX } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ToolRow } from '../src/tools/tool-views.js';
import type { TurnView } from '../src/view/turn-view.js';
import { acting, get, OFFLINE } from './api.js';
import { useChanges } from './connection.js';
import { Exchange, LiveText } from './exchange.js';
import { ErrorText, Field, SelectField } from './parts.js';
import { useRunningTurn } from './running-turn.js';
import { SettingsContext } from './settings.js';
import { useLoaded } from './use-loaded.js';

/** What a reload of the page keeps. */
interface Kept {
  readonly client: string;
  readonly conversation: string;
  /** The ids of the turns of the conversation, and of their retries. */
  readonly ids: readonly string[];
  /** The retries that the conversation goes on with. */
  readonly adopted: readonly string[];
  readonly draft: string;
}

/** Each user that somebody acts as has a conversation. */
const keyOf = (): string => `nestor-inspector-chat ${acting.as}`;

/** A conversation with a client of the application. */
export function Chat(): JSX.Element {
  const settings = useContext(SettingsContext);
  const [kept, setKept] = useState(() => read(settings.clients));
  const [turns, setTurns] = useState<readonly TurnView[]>([]);
  /** The conversation before it went on from a retry. */
  const [before, setBefore] = useState<{ readonly kept: Kept; readonly turns: readonly TurnView[] }>();
  const running = useRunningTurn();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { client, conversation, draft, adopted } = kept;
  const change = (changes: Partial<Kept>): void => setKept((old) => ({ ...old, ...changes }));

  const load = useCallback(async (ids: readonly string[]): Promise<void> => {
    const found = await Promise.all(ids.map((id) => get<TurnView>(`turns/${id}`).catch(() => undefined)));
    setTurns((old) => found.reduce((all, turn) => (turn ? withTurn(all, turn) : all), old));
  }, []);
  useEffect(() => void load(kept.ids), []);
  // A turn that waits may go on in another tab, and is lost when the application ends.
  const open = turns.filter(({ status }) => status === 'suspended' || status === 'running').map(({ id }) => id);
  const isOffline = running.error === OFFLINE && !running.isRunning;
  useChanges(
    useCallback(
      (isBack) => {
        void load(isBack ? turns.map(({ id }) => id) : open);
        if (isOffline) running.clear();
      },
      [turns, open.join(), isOffline],
    ),
  );

  const shown = running.isRunning && running.turn ? withTurn(turns, running.turn) : turns;
  useEffect(() => {
    if (running.turn) setTurns((old) => withTurn(old, running.turn!));
  }, [running.turn]);
  useEffect(() => {
    if (running.isRunning) scrollTo({ top: document.body.scrollHeight });
  }, [running.isRunning, running.turn?.id]);
  const ids = shown.map(({ id }) => id);
  useEffect(() => write({ ...kept, ids }), [kept, ids.join()]);

  const isRetry = ({ id, retryOf }: TurnView): boolean => retryOf !== undefined && !adopted.includes(id);
  const line = shown.filter((turn) => !isRetry(turn));
  /** The turn of the conversation that a retry tries again. */
  const originOf = ({ retryOf }: TurnView): string | undefined => {
    const tried = shown.find(({ id }) => id === retryOf);
    return tried && isRetry(tried) ? originOf(tried) : retryOf;
  };
  // A turn that is decided later would be missing in what the model reads.
  const waits = line.some(({ can }) => can.includes('decide'));
  const restart = (changes: Partial<Kept>, from: readonly TurnView[] = []): void => {
    setBefore(undefined);
    change({ conversation: newConversation(), ...changes });
    box.current?.focus();
    setTurns(from);
    running.clear();
  };
  /** A retry takes the place of the turn that it tries again, and of all after it. */
  const goOnFrom = (retry: TurnView): void => {
    const at = line.findIndex(({ id }) => id === originOf(retry));
    restart({ adopted: [...adopted, retry.id] }, [...line.slice(0, at), retry]);
    setBefore({ kept, turns: shown });
  };
  const ask = async (): Promise<void> => {
    if (draft.trim() === '' || running.isRunning || waits) return;
    const last = line.findLast(({ status }) => status === 'completed');
    change({ draft: '' });
    box.current?.focus();
    const turn = await running.run('chat', { client, message: draft, conversation, ...(last && { after: last.id }) });
    // Nothing was asked, so nothing that was typed is lost.
    if (!turn) setKept((old) => (old.draft === '' ? { ...old, draft } : old));
  };
  return (
    <section class="chat" aria-labelledby="chat-title">
      <h2 id="chat-title" class="hidden">
        Chat
      </h2>
      <div class="row">
        {settings.clients.length > 1 && (
          <SelectField
            label="Client"
            options={settings.clients}
            value={client}
            onChange={(name) => restart({ client: name, adopted: [] })}
          />
        )}
        <button type="button" class="quiet" disabled={running.isRunning} onClick={() => restart({ adopted: [] })}>
          New conversation
        </button>
      </div>
      {shown.length === 0 && !running.isRunning && (
        <div class="empty">
          Ask something that one of your <a href="#/tools">tools</a> can answer. You see what the model is sent, what it
          calls, and what each step takes.
          <Examples
            onChoose={(question) => {
              change({ draft: question });
              box.current?.focus();
            }}
          />
        </div>
      )}
      {line.map((turn) => (
        <div key={turn.id}>
          <Exchange turn={turn} running={running} />
          {shown
            .filter((retry) => isRetry(retry) && originOf(retry) === turn.id)
            .map((retry) => (
              <Exchange
                key={retry.id}
                turn={retry}
                running={running}
                isRetry
                onContinue={retry.status === 'completed' ? () => goOnFrom(retry) : undefined}
              />
            ))}
        </div>
      ))}
      {before && !running.isRunning && (
        <p class="hint">
          The conversation goes on from a retry.{' '}
          <button type="button" class="link" onClick={() => restart({ ...before.kept, draft }, before.turns)}>
            Go back
          </button>
        </p>
      )}
      {running.isRunning && !running.turn && <LiveText running={running} />}
      {!running.turn && <ErrorText text={running.error} />}
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Field label="Message">
          {(id) => (
            <textarea
              id={id}
              ref={box}
              rows={2}
              value={draft}
              onInput={({ currentTarget: { value } }) => change({ draft: value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                void ask();
              }}
            />
          )}
        </Field>
        {waits && <p class="hint">Decide about the call first, or begin a new conversation.</p>}
        <p class="buttons">
          <button type="submit" disabled={running.isRunning || waits || client === ''}>
            Send
          </button>
          {running.isRunning && (
            <button type="button" class="danger" onClick={running.stop}>
              Stop
            </button>
          )}
        </p>
      </form>
    </section>
  );
}

/** Questions to begin with: about tools that only read. */
function Examples({ onChoose }: { onChoose: (question: string) => void }): JSX.Element {
  const tools = useLoaded('tools', () => get<ToolRow[]>('tools'));
  const read = (tools.value ?? []).filter(({ effect }) => effect === 'read').slice(0, 2);
  const questions = [
    'What can you do for me?',
    ...read.map(({ name }) => `Call ${name} with an example, and explain the result.`),
  ];
  return (
    <p class="buttons">
      {questions.map((question) => (
        <button key={question} type="button" class="quiet" onClick={() => onChoose(question)}>
          {question}
        </button>
      ))}
    </p>
  );
}

/** The turns with this one in its place, or at the end. */
function withTurn(turns: readonly TurnView[], turn: TurnView): readonly TurnView[] {
  const at = turns.findIndex(({ id }) => id === turn.id);
  if (at < 0) return [...turns, turn];
  return turns.with(at, turn);
}

function newConversation(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function read(clients: readonly string[]): Kept {
  const fresh = { client: clients[0] ?? '', conversation: newConversation(), ids: [], adopted: [], draft: '' };
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf()) ?? '{}') as Kept;
    const texts = [kept.client, kept.conversation, kept.draft];
    const isKept = texts.every((text) => typeof text === 'string') && [kept.ids, kept.adopted].every(Array.isArray);
    return isKept && clients.includes(kept.client) ? kept : fresh;
  } catch {
    return fresh;
  }
}

/** The browser may refuse it. Then a reload begins anew. */
function write(kept: Kept): void {
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(kept));
  } catch {
    // Nothing else depends on it.
  }
}
