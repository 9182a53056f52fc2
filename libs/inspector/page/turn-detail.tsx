import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelCallView, ToolCallView, TurnView } from '../src/view/turn-view.js';
import { Call, Message, Messages } from './messages.js';
import { Badge, count, durationText, LongText, prettyJson, Status } from './parts.js';
import { Waterfall } from './waterfall.js';

/** Runs a turn again from a model call. */
export type Retry = (modelCall: number, results: Readonly<Record<string, string>>) => void;

/** A turn with all its steps. */
export function TurnDetail({ turn, onRetry }: { turn: TurnView; onRetry?: Retry }): JSX.Element {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const { usage, cost, error, requester } = turn;
  return (
    <article class="turn" aria-label="Turn">
      <p class="facts">
        <Status status={turn.status} />
        <span>{turn.client}</span>
        {requester !== undefined && <span>user {requester}</span>}
        <span>{durationText(turn.duration)}</span>
        {usage && <span>{usage.totalTokens.toLocaleString('en')} tokens</span>}
        {cost !== undefined && <span>cost {cost.toPrecision(3)}</span>}
        <code class="id">{turn.id}</code>
      </p>
      {error !== undefined && <p class="error">{error}</p>}
      <Waterfall turn={turn} />
      {turn.tools
        .filter(({ modelCall }) => modelCall < 0)
        .map((call) => (
          <ToolCall key={call.id} call={call} results={results} onEdit={setResults} canEdit={false} />
        ))}
      {turn.calls.map((call, index) => (
        <section key={index} class="round">
          <h3>Model call {index + 1}</h3>
          <ModelCall call={call} index={index} />
          {onRetry && (
            <button type="button" class="link" onClick={() => onRetry(index, resultsBefore(turn, index, results))}>
              Retry from model call {index + 1}
            </button>
          )}
          {turn.tools
            .filter(({ modelCall }) => modelCall === index)
            .map((tool, at) => (
              <ToolCall
                key={`${tool.id} ${at}`}
                call={tool}
                results={results}
                onEdit={setResults}
                canEdit={!!onRetry}
              />
            ))}
        </section>
      ))}
      {onRetry && Object.keys(results).length > 0 && turn.calls.length > 0 && (
        <button type="button" onClick={() => onRetry(firstAfter(turn, results), results)}>
          Go on with the changed results
        </button>
      )}
    </article>
  );
}

function ModelCall({ call, index }: { call: ModelCallView; index: number }): JSX.Element {
  const { messages, repeated, options, tools, answer, usage, finishReason, error } = call;
  return (
    <>
      <p class="facts">
        <span>{call.model ?? 'model'}</span>
        <span>{durationText(call.duration)}</span>
        {usage && (
          <span>
            {usage.promptTokens.toLocaleString('en')} in, {usage.completionTokens.toLocaleString('en')} out
          </span>
        )}
        {finishReason !== undefined && <span>{finishReason}</span>}
      </p>
      <details open={index === 0}>
        <summary>
          Sent: {repeated > 0 && `${count(repeated, 'message')} as before, `}
          {count(messages.length, 'new message')}, {count(tools.length, 'tool')}
        </summary>
        <Messages messages={messages} />
        {Object.keys(options).length > 0 && <LongText text={JSON.stringify(options, null, 2)} label="Options" />}
        <p class="hint">
          Tools: {tools.slice(0, 50).join(', ')}
          {tools.length > 50 && ` and ${tools.length - 50} more`}
        </p>
      </details>
      {answer && (
        <div class="answer">
          <Message message={answer} />
        </div>
      )}
      {error !== undefined && <p class="error">{error}</p>}
    </>
  );
}

interface ToolCallProps {
  readonly call: ToolCallView;
  readonly results: Readonly<Record<string, string>>;
  readonly onEdit: (results: Readonly<Record<string, string>>) => void;
  readonly canEdit: boolean;
}

function ToolCall({ call, results, onEdit, canEdit }: ToolCallProps): JSX.Element {
  const { id, name, ran, result, isError, isDenied, approver, error, effect, hits = [] } = call;
  const edited = results[id];
  return (
    <div class={isError ? 'tool-call bad' : 'tool-call'}>
      <p class="facts">
        <strong>{name}</strong>
        <Badge text={effect} kind={effect} />
        <span>{durationText(call.duration)}</span>
        {isDenied && <Badge text="denied" kind="bad" />}
        {approver !== undefined && <span>approved by {approver}</span>}
      </p>
      <Call call={ran === undefined ? call : { id, name, arguments: ran }} />
      {ran !== undefined && <p class="hint">The model wrote: {call.arguments}</p>}
      {result !== undefined && edited === undefined && (
        <LongText text={prettyJson(result)} label={`Result of ${name}`} />
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
      {canEdit && result !== undefined && edited === undefined && (
        <button type="button" class="link" onClick={() => onEdit({ ...results, [id]: result })}>
          Change the result of {name}
        </button>
      )}
      {edited !== undefined && (
        <>
          <textarea
            rows={5}
            aria-label={`New result of ${name}`}
            value={edited}
            onInput={({ currentTarget: { value } }) => onEdit({ ...results, [id]: value })}
          />
          <button type="button" class="link" onClick={() => onEdit(without(results, id))}>
            Keep the result
          </button>
        </>
      )}
    </div>
  );
}

function without(results: Readonly<Record<string, string>>, id: string): Record<string, string> {
  const { [id]: _removed, ...others } = results;
  return others;
}

/** The changed results that a model call has read. */
function resultsBefore(
  turn: TurnView,
  index: number,
  results: Readonly<Record<string, string>>,
): Record<string, string> {
  const before = turn.tools.filter(({ id, modelCall }) => id in results && modelCall < index);
  return Object.fromEntries(before.map(({ id }) => [id, results[id]!]));
}

/** The model call that reads the last changed result. */
function firstAfter(turn: TurnView, results: Readonly<Record<string, string>>): number {
  const last = Math.max(...turn.tools.filter(({ id }) => id in results).map(({ modelCall }) => modelCall));
  return Math.min(turn.calls.length - 1, last + 1);
}
