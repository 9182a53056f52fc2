import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TurnListView } from '../src/view/turn-lists.js';
import type { TurnRow } from '../src/view/turn-view.js';
import { Comparison } from './comparison.js';
import { OneTurn } from './one-turn.js';
import { Badge, count, durationText, ErrorText, Hidden, NotLoaded, SelectField, Status, TextField } from './parts.js';
import { go, hashOf, idIn, type Place, turnHash } from './place.js';
import { useLoaded, useSettings, useStore } from './store.js';
import { visible } from './visible-text.js';

/** As the address and the page name them. */
const STATUSES = {
  running: 'running',
  waiting: 'waiting',
  completed: 'completed',
  stopped: 'stopped',
  failed: 'failed',
  lost: 'lost',
  'tool-failed': 'a tool has failed',
};
const MORE = 1000;
/** How many rows are drawn together, when they come into sight. */
const DRAWN = 50;
/** About how high a row is, in pixels. */
const ROW = 56;

/** The last turns of the application, and the chosen one beside them. */
export function Turns(): JSX.Element {
  const place = useStore((state) => state.place);
  const { clients } = useSettings();
  const { compare = '', ...query } = place.query;
  const { sort = '', ...filters } = query;
  const [limit, setLimit] = useState('');
  const compared = compare.split(',').filter(Boolean);
  const chosen = idIn(place, '/turns/');
  const { status = '' } = query;
  const asked = { ...query, status: status === 'waiting' ? 'suspended' : status, limit };
  const list = useLoaded<TurnListView>(`turns?${new URLSearchParams(asked).toString()}`);
  const { turns, more = 0, omitted = 0, hidden = 0, failure } = list.value ?? {};
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const filter = (key: string) => (value: string) => go({ ...place, query: { ...place.query, [key]: value } }, true);
  const setCompared = (ids: readonly string[]): void => go({ ...place, query: { ...query, compare: ids.join(',') } });
  const toggle = (id: string): void =>
    setCompared(compared.includes(id) ? compared.filter((other) => other !== id) : [...compared, id].slice(-2));
  useListKeys(turns ?? [], chosen, query);
  useEffect(() => document.querySelector('.list .chosen')?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <section
      class={compared.length === 2 ? 'split chosen compares' : chosen === undefined ? 'split' : 'split chosen'}
      aria-label="Turns"
    >
      <div class="side">
        <h2>Turns</h2>
        <div class="row">
          <TextField label="Text" value={query['text'] ?? ''} onChange={filter('text')} />
          <TextField label="Tool" value={query['tool'] ?? ''} onChange={filter('tool')} />
          <SelectField label="Status" options={STATUSES} all="all" value={status} onChange={filter('status')} />
          {clients.length > 1 && (
            <SelectField
              label="Client"
              options={clients}
              all="all"
              value={query['client'] ?? ''}
              onChange={filter('client')}
            />
          )}
        </div>
        <NotLoaded of={list} />
        {turns?.length === 0 && (
          <p class="empty">
            {isFiltered
              ? 'No turn passes the filters. '
              : hidden === 0
                ? 'There are no turns yet. Ask something in the chat, or call your application.'
                : ''}
            {isFiltered && <a href={hashOf({ path: '/turns', query: { sort } })}>Show all turns</a>}
          </p>
        )}
        {turns && turns.length > 0 && (
          <TurnTable
            turns={turns}
            query={query}
            chosen={chosen}
            compared={compared}
            onCompare={toggle}
            onSort={(key) => filter('sort')(sort === key ? '' : key)}
          />
        )}
        {more > 0 && (
          <p class="hint">
            {count(turns?.length ?? 0, 'turn')} are listed, and at least {more.toLocaleString('en')} more are kept.{' '}
            <button type="button" class="link" onClick={() => setLimit(String(Number(limit) + MORE))}>
              Show more
            </button>
          </p>
        )}
        {failure !== undefined && (
          <ErrorText text={`The turns of other processes are missing: the TurnJournal fails with ${failure}.`} />
        )}
        {omitted > 0 && (
          <p class="hint">
            {count(omitted, 'turn')} are not listed, because there were more than the option maxTurnsPerSecond allows.
          </p>
        )}
        <Hidden number={hidden} noun="turn" />
        {compared.length === 1 && <p class="hint">Choose another turn to compare it with.</p>}
      </div>
      <div class="detail">
        {compared.length === 2 ? (
          <Comparison one={compared[0]!} other={compared[1]!} onClose={() => setCompared([])} />
        ) : chosen === undefined ? (
          <p class="empty">Choose a turn to see its steps: with a click, or with j, k and Enter.</p>
        ) : (
          <OneTurn key={chosen} id={chosen} back={hashOf({ path: '/turns', query })} />
        )}
      </div>
    </section>
  );
}

interface TurnTableProps {
  readonly turns: readonly TurnRow[];
  readonly query: Place['query'];
  readonly chosen: string | undefined;
  readonly compared: readonly string[];
  readonly onCompare: (id: string) => void;
  readonly onSort: (key: string) => void;
}

function TurnTable({ turns, query, chosen, compared, onCompare, onSort }: TurnTableProps): JSX.Element {
  const { clients } = useSettings();
  const hasTokens = turns.some(({ usage }) => usage);
  const parts = Array.from({ length: Math.ceil(turns.length / DRAWN) }, (_, part) =>
    turns.slice(part * DRAWN, (part + 1) * DRAWN),
  );
  return (
    <table class="list">
      <caption class="hidden">Turns, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Compare</span>
          </th>
          <th scope="col">Turn</th>
          <th scope="col">Status</th>
          <SortHeader text="Time" isSorted={query['sort'] === 'time'} onSort={() => onSort('time')} />
          <SortHeader text="Slowest tool" isSorted={query['sort'] === 'tool'} onSort={() => onSort('tool')} />
          {hasTokens && (
            <th scope="col" class="number">
              Tokens
            </th>
          )}
        </tr>
      </thead>
      {parts.map((part, at) => (
        <Rows key={at} turns={part}>
          {(turn) => (
            <tr key={turn.id} class={turn.id === chosen ? 'chosen' : ''}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Compare ${turn.question || turn.id}`}
                  checked={compared.includes(turn.id)}
                  onChange={() => onCompare(turn.id)}
                />
              </td>
              <td>
                <a href={turnHash(turn.id, query)} {...(turn.id === chosen && { 'aria-current': 'true' as const })}>
                  {turn.question || (turn.modelCalls === 0 ? 'Tools without a model' : 'No question')}
                </a>
                <p class="hint">
                  {new Date(turn.begunAt).toLocaleTimeString()} {clients.length > 1 && `${turn.client} `}
                  {[...new Set(turn.toolCalls)].slice(0, 5).join(', ')}
                </p>
              </td>
              <td>
                <Status status={turn.status} />
                {turn.retryOf !== undefined && <Badge text="retry" kind="runs" />}
                {turn.within && <Badge text="nested" kind="runs" />}
                {turn.hasToolErrors && <Badge text="tool failed" kind="bad" />}
              </td>
              <td class="number">{durationText(turn.duration)}</td>
              <td class="number">
                {turn.slowest && (
                  <>
                    {durationText(turn.slowest.duration)}
                    <p class="hint">{visible(turn.slowest.name)}</p>
                  </>
                )}
              </td>
              {hasTokens && <td class="number">{turn.usage?.totalTokens.toLocaleString('en') ?? ''}</td>}
            </tr>
          )}
        </Rows>
      ))}
    </table>
  );
}

/** Rows that are drawn while they are in sight, or nearly. Thousands would make each change slow. */
function Rows({
  turns,
  children,
}: {
  turns: readonly TurnRow[];
  children: (turn: TurnRow) => JSX.Element;
}): JSX.Element {
  const body = useRef<HTMLTableSectionElement>(null);
  const [{ isNear, height }, see] = useState({ isNear: false, height: ROW * turns.length });
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        const { isIntersecting, boundingClientRect } = seen.at(-1)!;
        // A list that is hidden has no height.
        see((before) => ({ isNear: isIntersecting, height: boundingClientRect.height || before.height }));
      },
      { rootMargin: '1000px' },
    );
    observer.observe(body.current!);
    return () => observer.disconnect();
  }, []);
  return <tbody ref={body}>{isNear ? turns.map(children) : <tr style={{ height: `${height}px` }} />}</tbody>;
}

function SortHeader({ text, isSorted, onSort }: { text: string; isSorted: boolean; onSort: () => void }): JSX.Element {
  return (
    <th scope="col" class="number" aria-sort={isSorted ? 'descending' : 'none'}>
      <button type="button" class="link" onClick={onSort}>
        {text}
        {isSorted && ' ↓'}
      </button>
    </th>
  );
}

/** `j` and `k` go to the next and the previous turn, Escape back to the list. */
function useListKeys(turns: readonly TurnRow[], chosen: string | undefined, query: Place['query']): void {
  useEffect(() => {
    const press = ({ key, target, metaKey, ctrlKey, altKey }: KeyboardEvent): void => {
      const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyping || metaKey || ctrlKey || altKey) return;
      if (key === 'Escape' && chosen !== undefined) go({ path: '/turns', query });
      const step = key === 'j' ? 1 : key === 'k' ? -1 : 0;
      const next = turns[turns.findIndex(({ id }) => id === chosen) + step];
      if (step !== 0 && next) location.hash = turnHash(next.id, query);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
