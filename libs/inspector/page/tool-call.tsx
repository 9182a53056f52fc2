import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ToolCallView } from '../src/view/turn-view.js';
import { brief, JsonTree } from './json-tree.js';
import { Badge, durationText, Effect } from './parts.js';
import { visible } from './visible-text.js';

interface ToolCallProps {
  readonly call: ToolCallView;
  /** The result in place of the recorded one. */
  readonly edited: string | undefined;
  /** Undefined if the result cannot be changed. */
  readonly onEdit: ((result: string | undefined) => void) | undefined;
  /** Goes on with the changed results. */
  readonly onGoOn: (() => void) | undefined;
}

/** A tool call in one line, with everything about it below when it is opened. */
export function ToolCall({ call, edited, onEdit, onGoOn }: ToolCallProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { result, isError, isDenied, isApproved, effect, duration } = call;
  return (
    <details
      class={isError ? 'step bad' : result === undefined ? 'step waits' : 'step'}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>
        <code>{visible(call.name)}</code> <span class="hint">{brief(call.arguments)}</span>
        {result !== undefined && (
          <>
            {' → '}
            <span class={isError ? 'error' : 'hint'}>{brief(edited ?? result)}</span>
          </>
        )}
        <span class="facts">
          <span>{durationText(duration)}</span>
          <Effect effect={effect} />
          {isError && <Badge text={isDenied ? 'denied' : 'failed'} kind={isDenied ? 'waits' : 'bad'} />}
          {isApproved && <Badge text="approved" kind="good" />}
          {edited !== undefined && edited !== result && <Badge text="changed" kind="waits" />}
        </span>
      </summary>
      {(isOpen || edited !== undefined) && (
        <ToolCallDetail call={call} edited={edited} onEdit={onEdit} onGoOn={onGoOn} />
      )}
    </details>
  );
}

function ToolCallDetail({ call, edited, onEdit, onGoOn }: ToolCallProps): JSX.Element {
  const { ran, result, approver, error, hits = [] } = call;
  const wantsFocus = useRef(false);
  const name = visible(call.name);
  return (
    <>
      {approver !== undefined && <p class="hint">approved by {approver}</p>}
      <JsonTree text={ran ?? call.arguments} label={`Arguments of ${name}`} title="Arguments" isExact />
      {ran !== undefined && <p class="hint">The model wrote: {visible(call.arguments)}</p>}
      {result !== undefined && edited === undefined && (
        <JsonTree text={result} label={`Result of ${name}`} title={call.isError ? 'Error' : 'Result'} />
      )}
      {hits.length > 0 && (
        <ol class="hits" aria-label="Tools that were found">
          {hits.map(({ name: hit, score }) => (
            <li key={hit}>
              <code>{hit}</code> {score !== undefined && <span class="hint">score {score.toFixed(2)}</span>}
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && <p class="error">{error}</p>}
      {onEdit && result !== undefined && edited === undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            wantsFocus.current = true;
            onEdit(result);
          }}
        >
          Change the result of {name}
        </button>
      )}
      {onEdit && edited !== undefined && (
        <>
          <textarea
            rows={5}
            aria-label={`New result of ${name}`}
            value={edited}
            ref={(element) => {
              if (element && wantsFocus.current) element.focus();
              wantsFocus.current = false;
            }}
            onInput={({ currentTarget: { value } }) => onEdit(value)}
          />
          <p class="buttons">
            <button type="button" onClick={onGoOn}>
              Go on with the changed results
            </button>
            <button type="button" class="quiet" onClick={() => onEdit(undefined)}>
              Undo the change
            </button>
          </p>
        </>
      )}
    </>
  );
}
