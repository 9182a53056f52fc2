import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { brief, Copy } from './json-tree.js';
import { Markdown } from './markdown.js';
import { Badge, Bounded, count, durationText, ErrorText, focusOn, LongText, memo, Status } from './parts.js';
import { PendingCalls } from './pending-calls.js';
import { hashOf, turnHash } from './place.js';
import { SaveTest } from './save-test.js';
import { decide, useSettings, useStore } from './store.js';
import { visible } from './visible-text.js';
import { TurnDetail } from './turn-detail.js';

interface ExchangeProps {
  readonly turn: TurnView;
  /** Whether it is no part of the conversation. */
  readonly isRetry?: boolean;
  /** Whether its steps are shown at once. */
  readonly isOpen?: boolean;
  /** Makes a retry the last turn of the conversation. Undefined if it is none, or has no answer. */
  readonly onContinue?: (() => void) | undefined;
}

/** A question with its answer, what waits in it, and how it came about. */
export const Exchange = memo((props: ExchangeProps) => (
  <Bounded name={`The turn ${props.turn.id}`}>
    <Shown {...props} />
  </Bounded>
));

function Shown({ turn, isRetry = false, isOpen = false, onContinue }: ExchangeProps): JSX.Element {
  const { id, can } = turn;
  const { impersonate } = useSettings();
  const [isSeen, setSeen] = useState(isOpen);
  const isBusy = useStore(({ runs }) =>
    runs.some(({ isRunning, at, from }) => isRunning && (at === id || from === id)),
  );
  return (
    <article
      data-turn={id}
      tabIndex={-1}
      class={isRetry ? 'exchange retry' : 'exchange'}
      aria-label={isRetry ? 'Retry' : 'Question and answer'}
    >
      {isRetry && (
        <p class="facts">
          <Badge text="retry" kind="runs" />
          <span class="hint">It is no part of the conversation.</span>
          <a href={turnHash(turn.retryOf ?? '')}>First turn</a>
          <a href={hashOf({ path: '/turns', query: { compare: `${turn.retryOf},${id}` } })}>Compare</a>
          {onContinue && (
            <button type="button" class="link" onClick={onContinue}>
              Go on from here
            </button>
          )}
        </p>
      )}
      {turn.within && (
        <p class="facts">
          <Badge text="nested" kind="runs" />
          <span class="hint">
            It has begun inside of <code>{visible(turn.within.toolName)}</code>.
          </span>
          <a href={turnHash(turn.within.turnId)}>The turn around it</a>
        </p>
      )}
      <div class="question">
        <LongText text={turn.question} label="Question" />
      </div>
      {/* What the model had said before it was stopped. */}
      {turn.status === 'stopped' && turn.calls.at(-1)?.answer?.text && (
        <Markdown text={turn.calls.at(-1)!.answer!.text} label="Text until the stop" />
      )}
      {turn.answer && (
        <>
          <Markdown text={turn.answer} label="Answer" />
          <p class="facts">
            <Copy text={turn.answer} />
          </p>
        </>
      )}
      {turn.status === 'lost' && (
        <p class="error">
          A call waited in memory, and the application has ended. It did not run. With a TurnJournal, it would still
          wait.
        </p>
      )}
      {turn.error !== undefined && <p class="error">{turn.error}</p>}
      {can.includes('continue') && (
        <p class="facts">
          <button type="button" disabled={isBusy} onClick={() => void decide(id, []).then(focusOn)}>
            Continue the turn
          </button>
          <span class="hint">Tools that have run do not run again.</span>
        </p>
      )}
      {can.includes('decide') && (
        <PendingCalls
          pending={turn.pending}
          hasReadUntrusted={turn.hasReadUntrusted}
          canEdit={can.includes('edit')}
          isRunning={isBusy}
          onDecide={(decisions) => void decide(id, decisions).then(focusOn)}
        />
      )}
      {turn.status === 'suspended' && !can.includes('decide') && turn.pending.some(({ deferred }) => !deferred) && (
        <p class="note">
          A call waits for somebody else, and you may not decide.{' '}
          {impersonate ? 'Enter its user under "As user".' : 'To decide as its user, set the option impersonate.'}
        </p>
      )}
      <LiveRun at={id} turn={turn} />
      <details open={isOpen} onToggle={() => setSeen(true)}>
        <summary>
          {count(turn.calls.length, 'model call')}, {count(turn.tools.length, 'tool call')}
          <span class="hint">
            {' '}
            {durationText(turn.duration)} {[...new Set(turn.toolCalls)].slice(0, 5).map(visible).join(', ')}
          </span>
          <Status status={turn.status} />
          {turn.hasToolErrors && <Badge text="tool failed" kind="bad" />}
        </summary>
        {isSeen && <TurnDetail turn={turn} mayRetry={can.includes('retry') && !isBusy} />}
      </details>
      {can.includes('save') && <SaveTest turnId={id} question={turn.question} />}
    </article>
  );
}

/** What the model of a run writes now, or why the run has failed. Screen readers hear the end. */
export function LiveRun({ at, turn }: { at: string; turn?: TurnView }): JSX.Element | null {
  const run = useStore(({ runs }) => runs.findLast((one) => one.at === at));
  if (!run?.isRunning) return run ? <ErrorText text={run.error} /> : null;
  const isOpen = (id: string): boolean => turn?.tools.some((call) => call.id === id && !call.result) === true;
  return (
    <div aria-busy="true">
      {run.reasoning && <LongText text={run.reasoning} label="Reasoning that the model writes" />}
      {run.calls.map(({ id, name, text }) => (
        <div key={id} class="step waits">
          <code>{visible(name)}</code>
          <LongText text={text} label={`Arguments of ${name} that the model writes`} isCode />
        </div>
      ))}
      {run.progress
        .filter(({ id }) => isOpen(id))
        .map(({ id, name, text }) => (
          <p key={id} class="step waits">
            <code>{visible(name)}</code> <span class="hint">{brief(text)}</span>
          </p>
        ))}
      {run.text && <LongText text={run.text} label="Answer that the model writes" />}
      <p class="hint">The turn runs…</p>
    </div>
  );
}
