import type { JSX } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';
import type { TurnListView } from '../src/view/turn-lists.js';
import type { TurnView } from '../src/view/turn-view.js';
import { get, post, textOf } from './api.js';
import { diffOf, linesOf } from './diff.js';
import { durationText, ErrorText, Field, Status } from './parts.js';
import { PendingCalls } from './pending-calls.js';
import { useRunningTurn } from './running-turn.js';
import { SaveTest } from './save-test.js';
import { SettingsContext } from './settings.js';
import { TurnDetail } from './turn-detail.js';
import { useLoaded } from './use-loaded.js';

const STATUSES = ['running', 'suspended', 'completed', 'failed'];

/** The last turns of the application. */
export function Turns({ open }: { open: (turnId: string) => void }): JSX.Element {
  const { clients } = useContext(SettingsContext);
  const [filter, setFilter] = useState({ client: '', status: '', tool: '', text: '' });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const list = useLoaded(JSON.stringify(filter), () => get<TurnListView>('turns', filter));
  const { turns, omitted = 0, hidden = 0 } = list.value ?? {};
  const change = (key: keyof typeof filter) => (value: string) => setFilter({ ...filter, [key]: value });
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2));
  return (
    <section aria-labelledby="turns-title">
      <h2 id="turns-title">Turns</h2>
      <div class="row">
        <Select label="Client" options={clients} value={filter.client} onChange={change('client')} />
        <Select label="Status" options={STATUSES} value={filter.status} onChange={change('status')} />
        <Text label="Tool" value={filter.tool} onChange={change('tool')} />
        <Text label="Text" value={filter.text} onChange={change('text')} />
        <button type="button" class="quiet" onClick={list.reload}>
          Refresh
        </button>
      </div>
      <ErrorText text={list.error} />
      {turns?.length === 0 && hidden === 0 && <p class="hint">There are no turns yet. Ask something in the chat.</p>}
      {omitted > 0 && (
        <p class="hint">
          {omitted} turns are not listed, because there were more than the option maxTurnsPerSecond allows.
        </p>
      )}
      {hidden > 0 && (
        <p class="hint">
          {hidden} turns of other users are hidden. To see them, allow the action read in your ApprovalPolicy.
        </p>
      )}
      {turns && turns.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="List of turns">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Compare</th>
                <th scope="col">Question</th>
                <th scope="col">Status</th>
                <th scope="col">Client</th>
                <th scope="col">Tools</th>
                <th scope="col" class="number">
                  Time
                </th>
                <th scope="col" class="number">
                  Tokens
                </th>
              </tr>
            </thead>
            <tbody>
              {turns.map((turn) => (
                <tr key={turn.id}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Compare ${turn.question || turn.id}`}
                      checked={chosen.includes(turn.id)}
                      onChange={() => toggle(turn.id)}
                    />
                  </td>
                  <td>
                    <button type="button" class="link" onClick={() => open(turn.id)}>
                      {turn.question || '(no question)'}
                    </button>
                  </td>
                  <td>
                    <Status status={turn.status} />
                  </td>
                  <td>{turn.client}</td>
                  <td>{[...new Set(turn.toolCalls)].slice(0, 5).join(', ')}</td>
                  <td class="number">{durationText(turn.duration)}</td>
                  <td class="number">{turn.usage?.totalTokens ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {chosen.length === 2 && <Comparison one={chosen[0]!} other={chosen[1]!} />}
    </section>
  );
}

/** One turn on a page of its own. */
export function OneTurn({ id }: { id: string }): JSX.Element {
  const loaded = useLoaded(id, () => get<TurnView>(`turns/${id}`));
  const onEnd = useCallback(() => undefined, []);
  const running = useRunningTurn(onEnd);
  const [error, setError] = useState('');
  const stop = (): void => {
    post(`turns/${id}/stop`, {}).then(loaded.reload, (failure: unknown) => setError(textOf(failure)));
  };
  const turn = loaded.value;
  return (
    <section aria-labelledby="turn-title">
      <h2 id="turn-title">Turn</h2>
      <p class="row">
        <a href="#/turns">All turns</a>
        <button type="button" class="quiet" onClick={loaded.reload}>
          Refresh
        </button>
        {turn && (turn.status === 'running' || turn.status === 'suspended') && (
          <button type="button" class="danger" onClick={stop}>
            Stop
          </button>
        )}
      </p>
      <ErrorText text={loaded.error || error} />
      {turn && (
        <>
          <PendingCalls
            pending={turn.pending}
            onDecide={(decisions) => void running.run(`turns/${id}/decisions`, { decisions }).then(loaded.reload)}
          />
          <TurnDetail
            turn={turn}
            {...(turn.status !== 'running' && {
              onRetry: (modelCall, results) => void running.run(`turns/${id}/retry`, { modelCall, results }),
            })}
          />
          {turn.status !== 'running' && <SaveTest turnId={id} question={turn.question} />}
        </>
      )}
      <ErrorText text={running.error} />
      {running.turn && running.turn.id !== id && (
        <>
          <h3>Retried</h3>
          <p>{running.turn.answer}</p>
          <PendingCalls
            pending={running.turn.pending}
            onDecide={(decisions) => void running.run(`turns/${running.turn!.id}/decisions`, { decisions })}
          />
          <TurnDetail turn={running.turn} />
        </>
      )}
    </section>
  );
}

function Comparison({ one, other }: { one: string; other: string }): JSX.Element {
  const loaded = useLoaded(`${one} ${other}`, () =>
    Promise.all([get<TurnView>(`turns/${one}`), get<TurnView>(`turns/${other}`)]),
  );
  const lines = loaded.value ? diffOf(linesOf(loaded.value[0]), linesOf(loaded.value[1])) : [];
  return (
    <section aria-label="Comparison">
      <h3>Comparison</h3>
      <ErrorText text={loaded.error} />
      <pre class="diff" tabIndex={0} role="region" aria-label="Differences">
        {lines.map(({ side, text }, index) => (
          <div key={index} class={side}>
            {side === 'same' ? '  ' : side === 'one' ? '− ' : '+ '}
            {text}
          </div>
        ))}
      </pre>
    </section>
  );
}

interface ControlProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Select({ label, value, onChange, options }: ControlProps & { options: readonly string[] }): JSX.Element {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">all</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Text({ label, value, onChange }: ControlProps): JSX.Element {
  return (
    <Field label={label}>
      {(id) => <input id={id} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />}
    </Field>
  );
}
