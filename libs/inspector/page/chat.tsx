import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ToolRow } from '../src/tools/tool-views.js';
import type { TurnView } from '../src/view/turn-view.js';
import { Exchange, LiveRun } from './exchange.js';
import { Field, SelectField } from './parts.js';
import * as store from './store.js';
import { CHAT, changeChat, startConversation, useAllLoaded, useLoaded, useSettings, useStore } from './store.js';

/** A conversation with a client of the application. */
export function Chat(): JSX.Element {
  const { clients } = useSettings();
  const chat = useStore((state) => state.chat);
  const { draft, adopted, before } = chat;
  // Those that one may go back to stay, as the server forgets the oldest.
  const ids = [...new Set([...chat.turns, ...(before?.turns ?? [])])];
  const loaded = useAllLoaded<TurnView>(ids.map(store.turnPath)).slice(0, chat.turns.length);
  const turns = loaded.flatMap(({ value }) => value ?? []);
  const asked = useStore(({ runs }) => runs.findLast(({ from }) => from === CHAT)?.at ?? CHAT);
  const running = useStore(
    ({ runs }) => runs.findLast(({ isRunning, from }) => isRunning && (from === CHAT || chat.turns.includes(from)))?.at,
  );
  const client = clients.includes(chat.client) ? chat.client : (clients[0] ?? '');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), [chat.id]);
  useEffect(() => {
    if (running !== undefined && box.current?.checkVisibility()) scrollTo({ top: document.body.scrollHeight });
  }, [running]);

  const isRetry = ({ id, retryOf }: TurnView): boolean => retryOf !== undefined && !adopted.includes(id);
  const line = turns.filter((turn) => !isRetry(turn));
  /** The turn of the conversation that a retry tries again. */
  const originOf = ({ retryOf }: TurnView): string | undefined => {
    const tried = turns.find(({ id }) => id === retryOf);
    return tried && isRetry(tried) ? originOf(tried) : retryOf;
  };
  // A turn that is decided later would be missing in what the model reads.
  const waits = line.some(({ can }) => can.includes('decide'));
  /** A retry takes the place of the turn that it tries again, and of all after it. */
  const goOnFrom = (retry: TurnView): void => {
    const at = line.findIndex(({ id }) => id === originOf(retry));
    const kept = [...line.slice(0, at), retry].map(({ id }) => id);
    startConversation({ turns: kept, adopted: [...adopted, retry.id], before: chat });
  };
  const ask = (): void => {
    if (draft.trim() === '' || running !== undefined || waits) return;
    box.current?.focus();
    void store.ask(client, line.findLast(({ status }) => status === 'completed')?.id);
  };
  return (
    <section class="chat" aria-labelledby="chat-title">
      <h2 id="chat-title" class="hidden">
        Chat
      </h2>
      <div class="row">
        {clients.length > 1 && (
          <SelectField
            label="Client"
            options={clients}
            value={client}
            onChange={(name) => startConversation({ client: name })}
          />
        )}
        <button type="button" class="quiet" disabled={running !== undefined} onClick={() => startConversation()}>
          New conversation
        </button>
      </div>
      {turns.length === 0 && running === undefined && (
        <div class="empty">
          Ask something that one of your <a href="#/tools">tools</a> can answer. You see what the model is sent, what it
          calls, and what each step takes.
          <Examples
            onChoose={(question) => {
              changeChat({ draft: question });
              box.current?.focus();
            }}
          />
        </div>
      )}
      {line.map((turn) => (
        <div key={turn.id}>
          <Exchange turn={turn} />
          {turns
            .filter((retry) => isRetry(retry) && originOf(retry) === turn.id)
            .map((retry) => (
              <Exchange
                key={retry.id}
                turn={retry}
                isRetry
                onContinue={retry.status === 'completed' ? () => goOnFrom(retry) : undefined}
              />
            ))}
        </div>
      ))}
      {before && running === undefined && (
        <p class="hint">
          The conversation goes on from a retry.{' '}
          <button type="button" class="link" onClick={() => startConversation({ ...before, draft })}>
            Go back
          </button>
        </p>
      )}
      {!turns.some(({ id }) => id === asked) && <LiveRun at={asked} />}
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
              ref={box}
              rows={2}
              value={draft}
              onInput={({ currentTarget: { value } }) => changeChat({ draft: value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                ask();
              }}
            />
          )}
        </Field>
        {waits && <p class="hint">Decide about the call first, or begin a new conversation.</p>}
        <p class="buttons">
          <button type="submit" disabled={running !== undefined || waits || client === ''}>
            Send
          </button>
          {running !== undefined && (
            <button type="button" class="danger" onClick={() => void store.stop(running)}>
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
  const { value: tools = [] } = useLoaded<readonly ToolRow[]>('tools');
  const read = tools.filter(({ effect }) => effect === 'read').slice(0, 2);
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
