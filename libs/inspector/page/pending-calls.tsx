import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PendingCallView } from '../src/view/pending-call-view.js';
import { isComplete } from './form-inputs.js';
import { JsonForm } from './json-form.js';
import { EditedArguments, isObjectText } from './edited-arguments.js';
import { editable, JsonTree } from './json-tree.js';
import { Effect, TextField } from './parts.js';
import { type Decision, useSettings } from './store.js';
import { visible } from './visible-text.js';

interface PendingCallsProps {
  readonly pending: readonly PendingCallView[];
  /** Whether arguments may be changed. */
  readonly hasReadUntrusted?: boolean | undefined;
  readonly canEdit: boolean;
  readonly isRunning: boolean;
  readonly onDecide: (decisions: readonly Decision[]) => void;
}

/** The calls that wait for a human, with what decides them. */
export function PendingCalls(props: PendingCallsProps): JSX.Element | null {
  const { pending, hasReadUntrusted, canEdit, isRunning, onDecide } = props;
  if (pending.length === 0) return null;
  const { length } = pending.filter(({ deferred }) => !deferred);
  return (
    <section class="pending" aria-label="Calls that wait">
      <h3>
        {length === 0 ? 'Results come later' : length === 1 ? 'A call waits for you' : `${length} calls wait for you`}
      </h3>
      {hasReadUntrusted && <p class="error">The model had read text from strangers before it asked.</p>}
      {pending.map((call) => (
        <PendingCall
          key={call.id}
          call={call}
          canEdit={canEdit && !call.input && !call.deferred}
          isRunning={isRunning}
          onDecide={(decision) => onDecide([decision])}
        />
      ))}
    </section>
  );
}

interface PendingCallProps {
  readonly call: PendingCallView;
  readonly canEdit: boolean;
  readonly isRunning: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function PendingCall({ call, canEdit, isRunning, onDecide }: PendingCallProps): JSX.Element {
  const { content } = useSettings();
  const [reason, setReason] = useState('');
  const [input, setInput] = useState<unknown>({});
  const [args, setArgs] = useState<string>();
  const { id, effect, deferred, input: asked } = call;
  const name = visible(call.name);
  const decide = (approved: boolean): void =>
    onDecide({
      toolCallId: id,
      approved,
      ...(!approved && reason !== '' && { reason }),
      ...(approved && args !== undefined && { arguments: args }),
      ...(approved && asked?.schema && { input: input as Record<string, unknown> }),
    });
  const isFinal = effect === 'irreversible';
  return (
    <div class="tool-call">
      <p class="facts">
        <code>{name}</code>
        <Effect effect={effect} />
        {isFinal && <span class="error">What it does cannot be undone.</span>}
        {call.mayHaveRun && <span class="error">It may have run. If you approve it, it runs again.</span>}
      </p>
      {args === undefined ? (
        <JsonTree text={call.arguments} label={`Arguments of ${name}`} isExact />
      ) : (
        <EditedArguments name={name} value={args} onChange={setArgs} />
      )}
      {canEdit && (
        <button
          type="button"
          class="link"
          onClick={() => setArgs(args === undefined ? editable(call.arguments) : undefined)}
        >
          {args === undefined ? `Change the arguments of ${name}` : 'Undo the change'}
        </button>
      )}
      {asked && <p>{visible(asked.message)}</p>}
      {asked?.url !== undefined && <p class="hint">It asks you to open: {visible(asked.url)}</p>}
      {asked?.schema && <JsonForm schema={asked.schema} value={input} onChange={setInput} />}
      <p class="buttons">
        {deferred ? (
          <span class="hint">It runs, and its result comes later. A denial cancels it: it may have had an effect.</span>
        ) : asked && !content ? (
          <span class="hint">To read and answer the question of {name}, show contents.</span>
        ) : (
          <button
            type="button"
            class={isFinal ? 'danger' : ''}
            disabled={isRunning || !isComplete(input) || (args !== undefined && !isObjectText(args))}
            onClick={() => decide(true)}
          >
            {asked ? 'Answer' : 'Approve'} {name}
          </button>
        )}
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          decide(false);
        }}
      >
        <TextField label="Reason, if you deny it" value={reason} onChange={setReason} />
        <button type="submit" class="quiet" disabled={isRunning}>
          Deny {name}
        </button>
      </form>
    </div>
  );
}
