import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import type { TurnView } from '../src/view/turn-view.js';
import { get, post, textOf } from './api.js';
import { useChanges } from './connection.js';
import { Exchange } from './exchange.js';
import { ErrorText, Loading } from './parts.js';
import { useRunningTurn } from './running-turn.js';
import { useLoaded } from './use-loaded.js';

/** One turn beside the list. */
export function OneTurn({ id, back }: { id: string; back: string }): JSX.Element {
  const loaded = useLoaded(id, () => get<TurnView>(`turns/${id}`));
  const running = useRunningTurn();
  const [error, setError] = useState('');
  const turn = running.isRunning && running.turn?.id === id ? running.turn : loaded.value;
  // The application may have told of the last change before the turn ended here.
  useLayoutEffect(() => {
    if (!running.isRunning && running.turn?.id === id) loaded.put(running.turn);
  }, [running.isRunning]);
  const other = running.turn?.id === id ? undefined : running.turn;
  const isOpen = turn?.status === 'running' || turn?.status === 'suspended' || turn === undefined;
  useChanges(useCallback((isBack) => (isOpen || isBack) && loaded.reload(), [isOpen, loaded.reload]));
  const stop = (): void => {
    setError('');
    post(`turns/${id}/stop`, {}).then(loaded.reload, (failure: unknown) => setError(textOf(failure)));
  };
  return (
    <section aria-labelledby="turn-title">
      <div class="facts">
        <h2 id="turn-title">Turn</h2>
        <a class="back" href={back}>
          All turns
        </a>
        {turn?.can.includes('stop') && (
          <button type="button" class="danger" onClick={stop}>
            Stop
          </button>
        )}
      </div>
      <ErrorText text={loaded.error || error} />
      {!turn && loaded.error === '' && <Loading />}
      {turn && <Exchange turn={turn} running={running} isRetry={turn.retryOf !== undefined} isOpen />}
      {other && running.isRunning && <Exchange turn={other} running={running} isRetry />}
      {other && !running.isRunning && <OneTurn key={other.id} id={other.id} back={back} />}
      {!running.turn && <ErrorText text={running.error} />}
    </section>
  );
}
