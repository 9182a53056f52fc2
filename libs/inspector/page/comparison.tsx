import type { JSX } from 'preact';
import type { TurnView } from '../src/view/turn-view.js';
import { get } from './api.js';
import { type DiffLine, diffOf, linesOf } from './diff.js';
import { durationText, ErrorText } from './parts.js';
import { hashOf } from './place.js';
import { useLoaded } from './use-loaded.js';
import { visible } from './visible-text.js';

/** How many equal lines are shown before and after a difference. */
const AROUND = 2;

interface ComparisonProps {
  readonly one: string;
  readonly other: string;
  readonly onClose: () => void;
}

/** What two turns have in common, and what not. */
export function Comparison({ one, other, onClose }: ComparisonProps): JSX.Element {
  const loaded = useLoaded(`${one} ${other}`, () =>
    Promise.all([get<TurnView>(`turns/${one}`), get<TurnView>(`turns/${other}`)]),
  );
  const turns = [...(loaded.value ?? [])].sort((a, b) => a.begunAt - b.begunAt);
  const lines = turns.length === 2 ? diffOf(linesOf(turns[0]!), linesOf(turns[1]!)) : [];
  return (
    <section aria-label="Comparison">
      <div class="facts">
        <h2>Comparison</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <ErrorText text={loaded.error} />
      {turns.map(({ id, question, begunAt, duration }, index) => (
        <p key={id} class={index === 0 ? 'one' : 'other'}>
          {index === 0 ? '− ' : '+ '}
          <a href={hashOf({ path: `/turns/${id}`, query: {} })}>{question || id}</a>{' '}
          {new Date(begunAt).toLocaleTimeString()}, {durationText(duration)}
        </p>
      ))}
      {loaded.value && lines.every(({ side }) => side === 'same') && <p>The turns are the same.</p>}
      <pre class="diff code" tabIndex={0} role="region" aria-label="Differences">
        {shortened(lines).map(({ side, text }, index) => (
          <div key={index} class={side}>
            {side === 'same' ? '  ' : side === 'one' ? '− ' : '+ '}
            {visible(text)}
          </div>
        ))}
      </pre>
    </section>
  );
}

/** The differences, with what is around them. */
function shortened(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_line, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ side }) => side !== 'same'),
  );
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at]) return [line];
    return at > 0 && !isNear[at - 1] ? [] : [{ side: 'same', text: '…' }];
  });
}
