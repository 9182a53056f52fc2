import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ToolCallView } from '../src/view/turn-view.js';
import { EditedArguments, isObjectText } from './edited-arguments.js';
import { brief, editable, JsonTree } from './json-tree.js';
import { Badge, durationText, Effect, focusOn, LongText, memo } from './parts.js';
import { editResult, goOn, retry, useEdited } from './store.js';
import { visible } from './visible-text.js';

interface ToolCallProps {
  readonly turn: string;
  readonly call: ToolCallView;
  /** Its name in the timeline. */
  readonly step: string;
  readonly isChosen: boolean;
  /** Whether the turn may go on with another result. */
  readonly mayChange: boolean;
  /** Whether it may run with other arguments. */
  readonly mayRun: boolean;
}

/** A tool call in one line, with everything about it below when it is opened. */
export const ToolCall = memo((props: ToolCallProps) => {
  const { turn, call, step, isChosen } = props;
  const edited = useEdited(turn, call.id);
  const [isOpen, setOpen] = useState(false);
  const { ran, result, isError, isDenied, isApproved, effect, duration } = call;
  const kind = isError ? 'step bad' : result === undefined ? 'step waits' : 'step';
  return (
    <details
      class={isChosen ? `${kind} chosen` : kind}
      tabIndex={-1}
      data-step={step}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>
        <code>{visible(call.name)}</code> <span class="hint">{brief(ran ?? call.arguments)}</span>
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
          {ran !== undefined && <Badge text="other arguments" kind="waits" />}
          {edited !== undefined && edited !== result && <Badge text="changed" kind="waits" />}
        </span>
      </summary>
      {(isOpen || edited !== undefined) && <ToolCallDetail {...props} edited={edited} />}
    </details>
  );
});

function ToolCallDetail({
  turn,
  call,
  edited,
  mayChange,
  mayRun,
}: ToolCallProps & { edited: string | undefined }): JSX.Element {
  const { ran, result, approver, error, thrownAt, hits = [] } = call;
  const wantsFocus = useRef(false);
  const name = visible(call.name);
  const edit = (text: string | undefined): void => editResult(turn, call.id, text);
  return (
    <>
      {approver !== undefined && <p class="hint">approved by {approver}</p>}
      <JsonTree text={ran ?? call.arguments} label={`Arguments of ${name}`} title="Arguments" isExact />
      {ran !== undefined && <p class="hint">The model wrote: {visible(call.arguments)}</p>}
      {mayRun && (
        <OtherArguments
          name={name}
          given={ran ?? call.arguments}
          onRun={(args) => void retry(turn, call.modelCall, { arguments: { [call.id]: args } }).then(focusOn)}
        />
      )}
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
      {thrownAt !== undefined && <LongText text={thrownAt} label={`Where ${name} failed`} isCode />}
      {mayChange && result !== undefined && edited === undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            wantsFocus.current = true;
            edit(result);
          }}
        >
          Change the result of {name}
        </button>
      )}
      {mayChange && edited !== undefined && (
        <>
          <textarea
            rows={5}
            aria-label={`New result of ${name}`}
            value={edited}
            ref={(element) => {
              if (element && wantsFocus.current) element.focus();
              wantsFocus.current = false;
            }}
            onInput={({ currentTarget: { value } }) => edit(value)}
          />
          <p class="buttons">
            <button type="button" onClick={() => void goOn(turn).then(focusOn)}>
              Go on with the changed results
            </button>
            <button type="button" class="quiet" onClick={() => edit(undefined)}>
              Undo the change
            </button>
          </p>
        </>
      )}
    </>
  );
}

/** Changes the arguments of a call, and runs it with them. */
function OtherArguments({
  name,
  given,
  onRun,
}: {
  name: string;
  given: string;
  onRun: (args: string) => void;
}): JSX.Element {
  const [args, setArgs] = useState<string>();
  if (args === undefined)
    return (
      <button type="button" class="link" onClick={() => setArgs(editable(given))}>
        Change the arguments of {name}
      </button>
    );
  return (
    <>
      <EditedArguments name={name} value={args} onChange={setArgs} />
      <p class="buttons">
        <button type="button" disabled={!isObjectText(args)} onClick={() => onRun(args)}>
          Call {name} with these arguments
        </button>
        <button type="button" class="quiet" onClick={() => setArgs(undefined)}>
          Undo the change
        </button>
      </p>
    </>
  );
}
