import type { JSX } from 'preact';
import type { TurnView } from '../src/view/turn-view.js';
import { diffOf, type DiffRow, linesOf, partsOf } from './diff.js';
import { Badge, count, durationText, NotLoaded, Status } from './parts.js';
import { turnHash } from './place.js';
import { turnPath, useAllLoaded } from './store.js';
import { visible } from './visible-text.js';

/** How many equal lines are shown before and after a difference. */
const AROUND = 2;
/** With more lines that differ, words are not compared. */
const MAX_MARKED = 100;

interface ComparisonProps {
  readonly one: string;
  readonly other: string;
  readonly onClose: () => void;
}

/** Two turns side by side: what differs, with what is around it. */
export function Comparison({ one, other, onClose }: ComparisonProps): JSX.Element {
  const loaded = useAllLoaded<TurnView>([one, other].map(turnPath));
  const error = loaded.find((turn) => turn.error)?.error ?? '';
  const turns = loaded.flatMap(({ value }) => value ?? []).sort((a, b) => a.begunAt - b.begunAt);
  const [first, second] = turns;
  const rows = first && second ? diffOf(linesOf(first), linesOf(second)) : [];
  const isMarked = rows.filter(isDifferent).length <= MAX_MARKED;
  return (
    <section aria-label="Comparison">
      <div class="facts">
        <h2>Comparison</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <NotLoaded of={{ value: second, error }} />
      {second && !rows.some(isDifferent) && <p>The turns are the same.</p>}
      <div tabIndex={0} role="region" aria-label="Differences">
        <table class="diff">
          <thead>
            <tr>
              {turns.map((turn) => (
                <th key={turn.id} scope="col">
                  <a href={turnHash(turn.id)}>{turn.question || turn.id}</a>
                  <p class="facts">
                    <Status status={turn.status} />
                    {turn.retryOf !== undefined && <Badge text="retry" kind="runs" />}
                    {turn.hasToolErrors && <Badge text="tool failed" kind="bad" />}
                    <span>{new Date(turn.begunAt).toLocaleTimeString()}</span>
                    <span>{durationText(turn.duration)}</span>
                    {turn.usage && <span>{count(turn.usage.totalTokens, 'token')}</span>}
                  </p>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shortened(rows).map((row, index) => (
              <tr key={index} class={isDifferent(row) ? 'differs' : ''}>
                <td class="bad">
                  <Line sign="− " text={row.one} other={row.other} isMarked={isMarked} />
                </td>
                <td class="other good">
                  <Line sign="+ " text={row.other} other={row.one} isMarked={isMarked} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function isDifferent({ one, other }: DiffRow): boolean {
  return one !== other;
}

interface LineProps {
  readonly sign: string;
  readonly text: string | undefined;
  /** The line beside it. */
  readonly other: string | undefined;
  readonly isMarked: boolean;
}

/** A line, with a mark on what the line beside it does not have. */
function Line({ sign, text, other, isMarked }: LineProps): JSX.Element | null {
  if (text === undefined) return null;
  if (text === other) return <>{visible(text)}</>;
  const parts = other === undefined || !isMarked ? [{ text, isOwn: false }] : partsOf(text, other);
  return (
    <>
      {sign}
      {parts.map((part, at) => (part.isOwn ? <mark key={at}>{visible(part.text)}</mark> : visible(part.text)))}
    </>
  );
}

/** The differences, with what is around them. */
function shortened(rows: readonly DiffRow[]): DiffRow[] {
  const isNear = rows.map((_row, at) => rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isDifferent));
  return rows.flatMap((row, at): DiffRow[] => {
    if (isNear[at]) return [row];
    return at > 0 && !isNear[at - 1] ? [] : [{ one: '…', other: '…' }];
  });
}
