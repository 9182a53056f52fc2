import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PromptPreview } from '../src/chat/previews.js';
import type { ToolRow, ToolView } from '../src/tools/tool-views.js';
import { post, textOf } from './api.js';
import { JsonForm } from './json-form.js';
import { Messages } from './messages.js';
import { isComplete } from './form-inputs.js';
import { JsonTree } from './json-tree.js';
import { Badge, count, durationText, Effect, ErrorText, SelectField, TextField } from './parts.js';
import { go, hashOf, idIn } from './place.js';
import { PendingCalls } from './pending-calls.js';
import { changeTrial, runTool, UNTRIED, useLoaded, useSettings, useStore } from './store.js';

const MAX_ROWS = 200;

/** All tools, and the chosen one beside them. */
export function Tools(): JSX.Element {
  const place = useStore((state) => state.place);
  const { query } = place;
  const { text = '' } = query;
  const chosen = idIn(place, '/tools/');
  const list = useLoaded<readonly ToolRow[]>('tools');
  const words = text.toLowerCase().split(/\s+/);
  const found = (list.value ?? []).filter(({ name, description, origin }) => {
    const all = `${name} ${description} ${origin}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const tokens = found.reduce((sum, tool) => sum + tool.tokens, 0);
  return (
    <section class={chosen === undefined ? 'split' : 'split chosen'} aria-labelledby="tools-title">
      <div class="side">
        <h2 id="tools-title">Tools</h2>
        <TextField
          label="Find a tool"
          value={text}
          onChange={(value) => go({ ...place, query: { ...query, text: value } }, true)}
        />
        <ErrorText text={list.error} />
        <p role="status" class="hint">
          {list.value ? `${count(found.length, 'tool')}, about ${count(tokens, 'token')}` : 'Loading…'}
          {found.length > MAX_ROWS && `. The first ${MAX_ROWS} are shown`}
        </p>
        {list.value?.length === 0 && (
          <p class="empty">The application has no tools. Put @Tool() on a method of a provider.</p>
        )}
        <ul class="tools">
          {found.slice(0, MAX_ROWS).map((tool) => (
            <li key={tool.key} class={tool.key === chosen ? 'chosen' : ''}>
              <a
                href={hashOf({ path: `/tools/${encodeURIComponent(tool.key)}`, query })}
                {...(tool.key === chosen && { 'aria-current': 'true' as const })}
              >
                {tool.name}
              </a>{' '}
              <Effect effect={tool.effect} /> {tool.needsApproval && <Badge text="needs approval" kind="waits" />}
              <p class="hint">{tool.description}</p>
            </li>
          ))}
        </ul>
        <Preview />
      </div>
      <div class="detail">
        {chosen === undefined ? (
          <p class="empty">Choose a tool to see its schema, and to run it.</p>
        ) : (
          <Tool key={chosen} toolKey={chosen} back={hashOf({ path: '/tools', query })} />
        )}
      </div>
    </section>
  );
}

function Tool({ toolKey, back }: { toolKey: string; back: string }): JSX.Element {
  const loaded = useLoaded<ToolView>(`tool?key=${encodeURIComponent(toolKey)}`);
  const tool = loaded.value;
  return (
    <section class="tool-view" aria-labelledby="tool-title">
      <p>
        <a class="back" href={back}>
          All tools
        </a>
      </p>
      <ErrorText text={loaded.error} />
      {tool && (
        <>
          <h2 id="tool-title">{tool.name}</h2>
          <p>{tool.description}</p>
          <p class="hint">
            {[tool.origin, `about ${tool.tokens} tokens`, ...tool.policies].join(', ')}. {tool.visibility}
          </p>
          <ToolRun tool={tool} />
          <details>
            <summary>Schema</summary>
            <JsonTree text={JSON.stringify(tool.inputSchema)} label="Schema of the arguments" />
            {tool.outputSchema && <JsonTree text={JSON.stringify(tool.outputSchema)} label="Schema of the result" />}
            {tool.sources !== undefined && (
              <>
                <p>Where each part comes from:</p>
                <JsonTree text={JSON.stringify(tool.sources)} label="Sources of the schema" />
              </>
            )}
          </details>
        </>
      )}
    </section>
  );
}

function ToolRun({ tool }: { tool: ToolView }): JSX.Element {
  const { key } = tool;
  const { value, given, result, error, isRunning } = useStore(({ trials }) => trials[key] ?? UNTRIED);
  useEffect(() => {
    // The text that was no JSON is gone.
    if (!isComplete(value)) changeTrial(key, { value: {} });
  }, []);
  return (
    <>
      <form
        aria-label={`Run ${tool.name}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void runTool(key, value ?? {});
        }}
      >
        <JsonForm schema={tool.inputSchema} value={value} onChange={(typed) => changeTrial(key, { value: typed })} />
        <button
          type="submit"
          class={tool.effect === 'irreversible' ? 'danger' : ''}
          disabled={isRunning || !isComplete(value)}
        >
          Run {tool.name}
        </button>
      </form>
      <ErrorText text={error} />
      <div aria-live="polite">
        {result?.status === 'answered' && (
          <div class={result.isError ? 'tool-call bad' : 'tool-call'}>
            <p class="facts">
              <span>{result.isError ? 'Failed' : 'Returned'}</span>
              <span>{durationText(result.duration)}</span>
            </p>
            <JsonTree text={result.result} label="Result" />
            {result.error !== undefined && <p class="error">{result.error}</p>}
          </div>
        )}
        {result?.status === 'waiting' && (
          <PendingCalls
            canEdit={false}
            pending={[result.call]}
            isRunning={isRunning}
            onDecide={([decision]) => {
              const { approved, input } = decision!;
              void runTool(key, given, { approvalId: result.approvalId, approved, ...(input && { input }) });
            }}
          />
        )}
      </div>
    </>
  );
}

/** What a model would see of a request of a client. */
function Preview(): JSX.Element {
  const { clients } = useSettings();
  const [client, setClient] = useState(clients[0] ?? '');
  const [preview, setPreview] = useState<PromptPreview>();
  const [error, setError] = useState('');
  const show = (): void => {
    setError('');
    post<PromptPreview>('preview', { client }).then(setPreview, (failure: unknown) => setError(textOf(failure)));
  };
  return (
    <details>
      <summary>What would the model see?</summary>
      <div class="row">
        <SelectField label="Client" options={clients} value={client} onChange={setClient} />
        <button type="button" onClick={show}>
          Show
        </button>
      </div>
      <ErrorText text={error} />
      {preview && (
        <>
          <Messages messages={preview.messages} />
          <p>
            {count(preview.tools.length, 'tool')}, about {count(preview.toolTokens, 'token')}:
          </p>
          <ul>
            {preview.tools.slice(0, MAX_ROWS).map(({ name, description, tokens }) => (
              <li key={name}>
                <code>{name}</code> ({tokens}) {description.slice(0, 200)}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
