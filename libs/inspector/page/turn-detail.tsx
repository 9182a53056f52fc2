import type { JSX } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { MessageView } from '../src/view/message-view.js';
import type { ModelCallView, TurnView } from '../src/view/turn-view.js';
import { Message, Messages } from './messages.js';
import { isObjectText } from './edited-arguments.js';
import { AreaField, CodeField, count, durationText, focusOn, LongText, memo } from './parts.js';
import { retry, useSettings } from './store.js';
import { ToolCall } from './tool-call.js';
import { stepOf, Waterfall } from './waterfall.js';

/** A turn with all its steps. */
export function TurnDetail({ turn, mayRetry }: { turn: TurnView; mayRetry: boolean }): JSX.Element {
  const [chosen, setChosen] = useState<string>();
  const article = useRef<HTMLElement>(null);
  const { id, calls, tools, can, usage, cost, error, requester } = turn;
  const choose = useCallback((step: string): void => {
    setChosen(step);
    const shown = article.current!.querySelector<HTMLElement>(`[data-step="${step}"]`);
    if (shown instanceof HTMLDetailsElement) shown.open = true;
    shown?.focus();
  }, []);
  /** The calls of tools by the model call that asked for them. Without one: -1. */
  const asked = new Map<number, JSX.Element[]>();
  tools.forEach((call, at) => {
    const step = stepOf.tool(at);
    const isAsked = call.modelCall >= 0;
    const drawn = (
      <ToolCall
        key={`${call.id} ${step}`}
        turn={id}
        call={call}
        step={step}
        isChosen={step === chosen}
        mayChange={mayRetry && isAsked}
        mayRun={mayRetry && isAsked && can.includes('edit')}
      />
    );
    const index = Math.max(call.modelCall, -1);
    asked.set(index, [...(asked.get(index) ?? []), drawn]);
  });
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
        {mayRetry && calls.length > 0 && <AskAgain turn={turn} />}
      </div>
      <div class="steps">
        {asked.get(-1)}
        {calls.map((call, index) => (
          <section
            key={index}
            class={stepOf.model(index) === chosen ? 'round chosen' : 'round'}
            tabIndex={-1}
            data-step={stepOf.model(index)}
            aria-label={`Model call ${index + 1}`}
          >
            <ModelCall
              turn={id}
              answer={turn.answer}
              call={call}
              index={index}
              hasSteps={asked.has(index)}
              mayRetry={mayRetry}
            />
            {asked.get(index)}
          </section>
        ))}
      </div>
    </article>
  );
}

/** Changes what was asked, and asks again. */
function AskAgain({ turn }: { turn: TurnView }): JSX.Element {
  const { content } = useSettings();
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
          void retry(turn.id, 0, {
            question,
            ...(changed && { instructions }),
            ...(settings !== asked && { settings: JSON.parse(settings) as unknown }),
          }).then(focusOn)
        }
      >
        Ask again
      </button>
    </details>
  );
}

interface ModelCallProps {
  readonly turn: string;
  /** The text above the turn. */
  readonly answer: string;
  readonly call: ModelCallView;
  readonly index: number;
  /** Whether its calls follow as steps. */
  readonly hasSteps: boolean;
  readonly mayRetry: boolean;
}

const ModelCall = memo((props: ModelCallProps) => {
  const { turn, call, index, mayRetry } = props;
  const { messages, repeated, options, tools, usage, finishReason, error } = call;
  const answer = shownAnswer(props);
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
        {mayRetry && (
          <button type="button" class="link" onClick={() => void retry(turn, index).then(focusOn)}>
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
});

/** The answer of a model call, without what is shown elsewhere. */
function shownAnswer({ call, answer: said, hasSteps }: ModelCallProps): MessageView | undefined {
  const { answer } = call;
  if (!answer) return undefined;
  const { text, reasoning, calls = [], attachments = [] } = answer;
  const shown = { ...answer, text: text === said ? '' : text, calls: hasSteps ? [] : calls };
  return shown.text !== '' || reasoning !== undefined || shown.calls.length + attachments.length > 0
    ? shown
    : undefined;
}
