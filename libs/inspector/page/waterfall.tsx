import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { durationText, memo } from './parts.js';
import { turnHash } from './place.js';
import { visible } from './visible-text.js';

interface Bar {
  /** What {@link WaterfallProps.onChoose} is told. */
  readonly step: string;
  /** The turn that it is, inside of a tool call. */
  readonly turnId?: string;
  readonly label: string;
  readonly kind: string;
  readonly begin: number;
  readonly duration: number | undefined;
}

interface WaterfallProps {
  readonly turn: TurnView;
  /** The step beside the timeline. */
  readonly chosen: string | undefined;
  readonly onChoose: (step: string) => void;
}

/** Each call of a model with the calls of tools that it asked for, and when they ran. */
export function Waterfall({ turn, chosen, onChoose }: WaterfallProps): JSX.Element {
  const bars = barsOf(turn);
  const now = useTime(turn.status === 'running') - turn.begunAt;
  const end = Math.max(turn.duration ?? now, ...bars.map(({ begin, duration = 0 }) => begin + duration), 0.001);
  return (
    <table class="waterfall">
      <caption>Timeline</caption>
      <colgroup>
        <col class="label-of-step" />
        <col />
        <col class="time-of-step" />
      </colgroup>
      <thead class="hidden">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">When</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      {/* Rows whose time has not changed are not drawn again: only this number is another. */}
      <tbody style={{ '--end': end }}>
        {bars.map((bar) => (
          <Row key={bar.step} {...bar} isChosen={bar.step === chosen} onChoose={onChoose} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Bar & { readonly isChosen: boolean; readonly onChoose: (step: string) => void };

const Row = memo(({ step, turnId, label, kind, begin, duration, isChosen, onChoose }: RowProps) => (
  <tr class={isChosen ? 'chosen' : ''}>
    <th scope="row" class={turnId !== undefined ? 'of-turn' : step.startsWith('tool') ? 'of-call' : ''}>
      {turnId !== undefined ? (
        <a class="link" href={turnHash(turnId)}>
          {label}
        </a>
      ) : (
        <button type="button" class="link" aria-current={isChosen} onClick={() => onChoose(step)}>
          {visible(label)}
        </button>
      )}
    </th>
    <td class="track">
      <span class="hidden">after {durationText(begin)}</span>
      <div
        class={duration === undefined ? `bar ${kind} runs` : `bar ${kind}`}
        style={{ '--begin': begin, '--took': duration }}
      />
    </td>
    <td class="number">{durationText(duration)}</td>
  </tr>
));

/** The time, again and again while something runs: milliseconds since 1970. 0 if nothing does. */
function useTime(isRunning: boolean): number {
  const [time, setTime] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTime(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? time : 0;
}

/** The names of the steps in the order of the page: a model call, then its tool calls. */
export const stepOf = {
  model: (index: number): string => `model ${index}`,
  tool: (at: number): string => `tool ${at}`,
};

function barsOf({ calls, tools, nested = [] }: TurnView): Bar[] {
  const turnsOf = (call: number): Bar[] =>
    nested.toReversed().flatMap(({ id, client, status, within, begunAt, duration }) => {
      if (within?.toolCall !== call) return [];
      const kind = status === 'failed' ? 'of-error' : status === 'suspended' ? 'of-waiting' : 'of-model';
      return { step: id, turnId: id, label: `→ ${client}`, kind, begin: begunAt - within.begunAt, duration };
    });
  const used = (modelCall: number): Bar[] =>
    tools.flatMap(({ name, begunAt, duration, isError, result, modelCall: asker }, at) => {
      if (Math.max(asker, -1) !== modelCall) return [];
      const kind = isError ? 'of-error' : result === undefined ? 'of-waiting' : 'of-tool';
      return [{ step: stepOf.tool(at), label: name, kind, begin: begunAt, duration }, ...turnsOf(at)];
    });
  const models = calls.flatMap(({ model, begunAt, duration, error }, index): Bar[] => [
    {
      step: stepOf.model(index),
      label: `${index + 1}. ${model ?? 'model'}`,
      kind: error === undefined ? 'of-model' : 'of-error',
      begin: begunAt,
      duration,
    },
    ...used(index),
  ]);
  return [...used(-1), ...models];
}
