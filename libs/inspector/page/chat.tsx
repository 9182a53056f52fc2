import type { JSX } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { count, ErrorText, Field, LongText } from './parts.js';
import { PendingCalls } from './pending-calls.js';
import { type RunningTurn, useRunningTurn } from './running-turn.js';
import { SaveTest } from './save-test.js';
import { SettingsContext } from './settings.js';
import { TurnDetail } from './turn-detail.js';

/** A conversation with a client of the application. */
export function Chat(): JSX.Element {
  const settings = useContext(SettingsContext);
  const [client, setClient] = useState(settings.clients[0] ?? '');
  const [user, setUser] = useState('');
  const [message, setMessage] = useState('');
  const [conversation, setConversation] = useState(newConversation);
  const [done, setDone] = useState<readonly TurnView[]>([]);
  const onEnd = useCallback((turn: TurnView | undefined): void => {
    if (turn) setDone((turns) => [...turns.filter(({ id }) => id !== turn.id), turn]);
  }, []);
  const running = useRunningTurn(onEnd);
  const as = user === '' ? {} : { as: user };
  const restart = (): void => {
    setConversation(newConversation());
    setDone([]);
    running.clear();
  };
  const ask = (): void => {
    if (message.trim() === '' || running.isRunning) return;
    const last = done.filter(({ status }) => status === 'completed').at(-1);
    void running.run('chat', { client, message, conversation, ...(last && { after: last.id }), ...as });
    setMessage('');
  };
  const shown = running.turn && !done.some(({ id }) => id === running.turn!.id) ? [...done, running.turn] : done;
  return (
    <section aria-labelledby="chat-title">
      <h2 id="chat-title">Chat</h2>
      <div class="row">
        <Field label="Client">
          {(id) => (
            <select
              id={id}
              value={client}
              onChange={({ currentTarget: { value } }) => {
                setClient(value);
                restart();
              }}
            >
              {settings.clients.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        {settings.impersonate && (
          <Field label="As user">
            {(id) => <input id={id} value={user} onInput={({ currentTarget: { value } }) => setUser(value)} />}
          </Field>
        )}
        <button type="button" class="quiet" onClick={restart}>
          New conversation
        </button>
      </div>
      {shown.map((turn) => (
        <ChatTurn key={turn.id} turn={turn} running={running} as={as} />
      ))}
      <LiveText running={running} />
      <ErrorText text={running.error} />
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Field label="Message">
          {(id) => (
            <textarea
              id={id}
              rows={2}
              value={message}
              onInput={({ currentTarget: { value } }) => setMessage(value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                ask();
              }}
            />
          )}
        </Field>
        <p class="buttons">
          <button type="submit" disabled={running.isRunning || client === ''}>
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

function LiveText({ running }: { running: RunningTurn }): JSX.Element {
  return (
    <div aria-live="polite">
      {running.isRunning && <p class="hint">The turn runs…</p>}
      {running.input && <LongText text={running.input} label="Arguments that the model writes" />}
      {running.text && <LongText text={running.text} label="Answer that the model writes" />}
    </div>
  );
}

interface ChatTurnProps {
  readonly turn: TurnView;
  readonly running: RunningTurn;
  readonly as: object;
}

function ChatTurn({ turn, running, as }: ChatTurnProps): JSX.Element {
  const { isRunning } = running;
  return (
    <article class="exchange" aria-label="Question and answer">
      <div class="question">
        <LongText text={turn.question} label="Question" />
      </div>
      {turn.answer && (
        <div class="reply">
          <LongText text={turn.answer} label="Answer" />
        </div>
      )}
      {turn.error !== undefined && <p class="error">{turn.error}</p>}
      {!isRunning && (
        <PendingCalls
          pending={turn.pending}
          onDecide={(decisions) => void running.run(`turns/${turn.id}/decisions`, { decisions, ...as })}
        />
      )}
      <details>
        <summary>
          {count(turn.calls.length, 'model call')}, {count(turn.tools.length, 'tool call')}
        </summary>
        <TurnDetail
          turn={turn}
          {...(!isRunning && {
            onRetry: (modelCall, results) => void running.run(`turns/${turn.id}/retry`, { modelCall, results, ...as }),
          })}
        />
      </details>
      {turn.status !== 'running' && <SaveTest turnId={turn.id} question={turn.question} />}
    </article>
  );
}

function newConversation(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
