import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { durationText } from './parts.js';

interface Bar {
  readonly label: string;
  readonly kind: string;
  readonly begin: number;
  readonly duration: number | undefined;
}

/** When each call of a model and of a tool ran. */
export function Waterfall({ turn }: { turn: TurnView }): JSX.Element {
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
      <tbody>
        {bars.map(({ label, kind, begin, duration }, index) => (
          <tr key={index}>
            <th scope="row">{label}</th>
            <td class="track">
              <span class="hidden">after {durationText(begin)}</span>
              <div
                class={duration === undefined ? `bar ${kind} runs` : `bar ${kind}`}
                style={{
                  left: `${(100 * begin) / end}%`,
                  width: `${Math.max(0.5, (100 * (duration ?? end - begin)) / end)}%`,
                }}
              />
            </td>
            <td class="number">{durationText(duration)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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

function barsOf({ calls, tools }: TurnView): Bar[] {
  const models = calls.map(({ model, begunAt, duration, error }, index): Bar => ({
    label: `${index + 1}. ${model ?? 'model'}`,
    kind: error === undefined ? 'of-model' : 'of-error',
    begin: begunAt,
    duration,
  }));
  const used = tools.map(({ name, begunAt, duration, isError, result }): Bar => ({
    label: name,
    kind: isError ? 'of-error' : result === undefined ? 'of-waiting' : 'of-tool',
    begin: begunAt,
    duration,
  }));
  return [...models, ...used].sort((a, b) => a.begin - b.begin);
}
