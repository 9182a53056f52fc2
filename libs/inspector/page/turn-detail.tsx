import type { JSX } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import type { MessageView } from '../src/view/message-view.js';
import type { ModelCallView, TurnView } from '../src/view/turn-view.js';
import { Message, Messages } from './messages.js';
import { isObjectText } from './edited-arguments.js';
import { AreaField, CodeField, count, durationText, LongText } from './parts.js';
import { SettingsContext } from './settings.js';
import { ToolCall } from './tool-call.js';
import { stepOf, Waterfall } from './waterfall.js';

/** What a retry changes. */
export interface Changes {
  readonly arguments?: Readonly<Record<string, string>>;
  readonly results?: Readonly<Record<string, string>>;
  readonly question?: string;
  readonly instructions?: string;
  readonly settings?: unknown;
}

/** Runs a turn again from a model call. */
export type Retry = (modelCall: number, changes: Changes) => void;

/** A turn with all its steps. */
export function TurnDetail({ turn, onRetry }: { turn: TurnView; onRetry?: Retry | undefined }): JSX.Element {
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const [chosen, setChosen] = useState<string>();
  const article = useRef<HTMLElement>(null);
  const { usage, cost, error, requester } = turn;
  const choose = (step: string): void => {
    setChosen(step);
    const shown = article.current!.querySelector<HTMLElement>(`[data-step="${step}"]`);
    if (shown instanceof HTMLDetailsElement) shown.open = true;
    shown?.focus();
  };
  const edit = (id: string) => (result: string | undefined) => {
    const others = [...results].filter(([other]) => other !== id);
    setResults(new Map(result === undefined ? others : [...others, [id, result]]));
  };
  const steps = (index: number): JSX.Element[] =>
    turn.tools
      .map((call, at) => ({ call, step: stepOf.tool(at) }))
      .filter(({ call: { modelCall } }) => (index < 0 ? modelCall < 0 : modelCall === index))
      .map(({ call, step }) => (
        <ToolCall
          key={`${call.id} ${step}`}
          call={call}
          step={step}
          isChosen={step === chosen}
          edited={results.get(call.id)}
          onEdit={onRetry && index >= 0 ? edit(call.id) : undefined}
          onGoOn={onRetry && (() => onRetry(firstAfter(turn, results), { results: Object.fromEntries(results) }))}
          onRun={
            onRetry && index >= 0 && turn.can.includes('edit')
              ? (args) =>
                  onRetry(index, { arguments: { [call.id]: args }, results: resultsBefore(turn, index, results) })
              : undefined
          }
        />
      ));
  return (
    <article class="turn" aria-label="Turn" ref={article}>
      <div>
        <p class="facts">
          <span>{turn.client}</span>
          {requester !== undefined && <span>user {requester}</span>}
          <time dateTime={new Date(turn.begunAt).toISOString()}>{new Date(turn.begunAt).toLocaleTimeString()}</time>
          <span>{durationText(turn.duration)}</span>
          {usage && <span>{usage.totalTokens.toLocaleString('en')} tokens</span>}
          {cost !== undefined && <span>cost {cost.toPrecision(3)}</span>}
          <code class="id">{turn.id}</code>
        </p>
        {error !== undefined && <p class="error">{error}</p>}
        <Waterfall turn={turn} chosen={chosen} onChoose={choose} />
        {onRetry && turn.calls.length > 0 && <AskAgain turn={turn} onRetry={onRetry} />}
      </div>
      <div class="steps">
        {steps(-1)}
        {turn.calls.map((call, index) => (
          <section
            key={index}
            class={stepOf.model(index) === chosen ? 'round chosen' : 'round'}
            tabIndex={-1}
            data-step={stepOf.model(index)}
            aria-label={`Model call ${index + 1}`}
          >
            <ModelCall
              call={call}
              index={index}
              answer={shownAnswer(call, turn, steps(index).length > 0)}
              onRetry={onRetry && (() => onRetry(index, { results: resultsBefore(turn, index, results) }))}
            />
            {steps(index)}
          </section>
        ))}
      </div>
    </article>
  );
}

/** Changes what was asked, and asks again. */
function AskAgain({ turn, onRetry }: { turn: TurnView; onRetry: Retry }): JSX.Element {
  const { content } = useContext(SettingsContext);
  const given = turn.calls[0]!.messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const [question, setQuestion] = useState(content ? turn.question : '');
  const [instructions, setInstructions] = useState(content ? given.join('\n\n') : '');
  const changed = instructions !== given.join('\n\n') && (content || instructions !== '');
  // The id of a model may be that of another provider than the client's.
  const { model: _model, ...options } = turn.calls[0]!.options;
  const asked = JSON.stringify(options, null, 2);
  const [settings, setSettings] = useState(asked);
  const isValid = isObjectText(settings);
  return (
    <details>
      <summary>Change the question, the instructions or the model</summary>
      <AreaField label="Question" value={question} onChange={setQuestion} />
      <AreaField label="Instructions" value={instructions} onChange={setInstructions} />
      <CodeField
        label="Settings"
        rows={2}
        value={settings}
        onChange={setSettings}
        error={isValid ? '' : 'This is no JSON object yet.'}
      />
      <p class="hint">Such as {'{"model": "fast", "temperature": 0.2}'}</p>
      <button
        type="button"
        disabled={question.trim() === '' || !isValid}
        onClick={() =>
          onRetry(0, {
            question,
            ...(changed && { instructions }),
            ...(settings !== asked && { settings: JSON.parse(settings) as unknown }),
          })
        }
      >
        Ask again
      </button>
    </details>
  );
}

interface ModelCallProps {
  readonly call: ModelCallView;
  readonly index: number;
  /** What is not shown elsewhere. */
  readonly answer: MessageView | undefined;
  readonly onRetry: (() => void) | undefined;
}

function ModelCall({ call, index, answer, onRetry }: ModelCallProps): JSX.Element {
  const { messages, repeated, options, tools, usage, finishReason, error } = call;
  return (
    <>
      <div class="facts">
        <h3>Model call {index + 1}</h3>
        <span>{call.model ?? 'model'}</span>
        <span>{durationText(call.duration)}</span>
        {usage && (
          <span>
            {usage.promptTokens.toLocaleString('en')} in, {usage.completionTokens.toLocaleString('en')} out
          </span>
        )}
        {finishReason !== undefined && <span>{finishReason}</span>}
        {onRetry && (
          <button type="button" class="link" onClick={onRetry}>
            Retry from model call {index + 1}
          </button>
        )}
      </div>
      <details>
        <summary>
          Sent:{' '}
          {repeated > 0
            ? `${count(repeated, 'message')} as before, ${count(messages.length, 'new message')}`
            : count(messages.length, 'message')}
          , {count(tools.length, 'tool')}
        </summary>
        <Messages messages={messages} />
        {Object.keys(options).length > 0 && <LongText text={JSON.stringify(options, null, 2)} label="Options" isCode />}
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

/** The answer of a model call, without the calls that follow as steps, and the text above the turn. */
function shownAnswer({ answer }: ModelCallView, turn: TurnView, hasSteps: boolean): MessageView | undefined {
  if (!answer) return undefined;
  const { text, reasoning, calls = [], attachments = [] } = answer;
  const shown = { ...answer, text: text === turn.answer ? '' : text, calls: hasSteps ? [] : calls };
  return shown.text !== '' || reasoning !== undefined || shown.calls.length + attachments.length > 0
    ? shown
    : undefined;
}

/** The changed results that a model call has read. */
function resultsBefore(turn: TurnView, index: number, results: ReadonlyMap<string, string>): Record<string, string> {
  const before = turn.tools.filter(({ id, modelCall }) => results.has(id) && modelCall < index);
  return Object.fromEntries(before.map(({ id }) => [id, results.get(id)!]));
}

/** The model call that reads the last changed result. */
function firstAfter(turn: TurnView, results: ReadonlyMap<string, string>): number {
  const last = Math.max(...turn.tools.filter(({ id }) => results.has(id)).map(({ modelCall }) => modelCall));
  return Math.min(turn.calls.length - 1, last + 1);
}
