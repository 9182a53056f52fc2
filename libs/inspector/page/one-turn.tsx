import type { JSX } from 'preact';
import type { TurnView } from '../src/view/turn-view.js';
import { Exchange } from './exchange.js';
import { NotLoaded } from './parts.js';
import { stop, turnPath, useLoaded, useStore } from './store.js';

/** One turn beside the list, and below it what was tried again last. */
export function OneTurn({ id, back }: { id: string; back: string }): JSX.Element {
  const loaded = useLoaded<TurnView>(turnPath(id));
  const turn = loaded.value;
  const retried = useStore(({ runs }) => runs.findLast(({ from, at }) => from === id && at !== id)?.at);
  return (
    <>
      <section aria-labelledby={`title-${id}`}>
        <div class="facts">
          <h2 id={`title-${id}`}>Turn</h2>
          <a class="back" href={back}>
            All turns
          </a>
          {turn?.can.includes('stop') && (
            <button type="button" class="danger" onClick={() => void stop(id)}>
              Stop
            </button>
          )}
        </div>
        <NotLoaded of={loaded} />
        {turn && <Exchange turn={turn} isRetry={turn.retryOf !== undefined} isOpen />}
      </section>
      {retried !== undefined && <OneTurn key={retried} id={retried} back={back} />}
    </>
  );
}
