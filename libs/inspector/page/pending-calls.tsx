import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { PendingCallView } from '../src/view/pending-call-view.js';
import { JsonForm } from './json-form.js';
import { Call } from './messages.js';
import { Field } from './parts.js';
import { SettingsContext } from './settings.js';

/** A decision about a call that waits. */
export interface Decision {
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly input?: Record<string, unknown>;
}

/** The calls that wait for a human, with what decides them. */
export function PendingCalls({
  pending,
  onDecide,
}: {
  pending: readonly PendingCallView[];
  onDecide: (decisions: readonly Decision[]) => void;
}): JSX.Element | null {
  if (pending.length === 0) return null;
  return (
    <section class="pending" aria-label="Calls that wait">
      <h3>{pending.length === 1 ? 'A call waits for you' : `${pending.length} calls wait for you`}</h3>
      {pending.map((call) => (
        <PendingCall key={call.id} call={call} onDecide={(decision) => onDecide([decision])} />
      ))}
    </section>
  );
}

function PendingCall({
  call,
  onDecide,
}: {
  call: PendingCallView;
  onDecide: (decision: Decision) => void;
}): JSX.Element {
  const { content } = useContext(SettingsContext);
  const [reason, setReason] = useState('');
  const [input, setInput] = useState<unknown>({});
  const { id, name, input: asked } = call;
  const decide = (approved: boolean): void =>
    onDecide({
      toolCallId: id,
      approved,
      ...(!approved && reason !== '' && { reason }),
      ...(approved && asked?.schema && { input: input as Record<string, unknown> }),
    });
  return (
    <div class="tool-call">
      <Call call={call} />
      {asked && <p>{asked.message}</p>}
      {asked?.url !== undefined && <p class="hint">It asks you to open: {asked.url}</p>}
      {asked?.schema && <JsonForm schema={asked.schema} value={input} onChange={setInput} />}
      <Field label="Reason, if you deny it">
        {(field) => <input id={field} value={reason} onInput={({ currentTarget: { value } }) => setReason(value)} />}
      </Field>
      <p class="buttons">
        {asked && !content ? (
          <span class="hint">To read and answer the question of {name}, show contents.</span>
        ) : (
          <button type="button" onClick={() => decide(true)}>
            {asked ? 'Answer' : 'Approve'} {name}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => decide(false)}>
          Deny {name}
        </button>
      </p>
    </div>
  );
}
