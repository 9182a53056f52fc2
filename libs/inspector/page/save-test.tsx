import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DraftedTool, SavedTest, TestDraft } from '../src/saved-tests/saved-tests.js';
import { ApiError, get, post, textOf } from './api.js';
import { Copy } from './json-tree.js';
import { Badge, ErrorText, Loading, LongText, SelectField, TextField } from './parts.js';
import { turnPath, useSettings } from './store.js';
import { visible } from './visible-text.js';

const DOUBTS: Readonly<Record<NonNullable<DraftedTool['doubt']>, string>> = {
  write: 'may change something',
  irreversible: 'does what cannot be undone',
  time: 'has a time in its arguments or results',
  id: 'has a random id in its arguments or results',
};

/** Makes a test of a turn: as files in the folder of tests, or to download. */
export function SaveTest({ turnId, question }: { turnId: string; question: string }): JSX.Element {
  const [draft, setDraft] = useState<TestDraft>();
  const [error, setError] = useState('');
  const load = (): void => {
    setError('');
    get<TestDraft>(`${turnPath(turnId)}/test`).then(setDraft, (failure: unknown) => setError(textOf(failure)));
  };
  return (
    <details class="save" onToggle={({ currentTarget: { open } }) => open && !draft && load()}>
      <summary>Save as test</summary>
      <ErrorText text={error} />
      {!draft && error === '' && <Loading />}
      {draft && <TestForm turnId={turnId} question={question} draft={draft} />}
    </details>
  );
}

interface TestFormProps {
  readonly turnId: string;
  readonly question: string;
  readonly draft: TestDraft;
}

function TestForm({ turnId, question, draft }: TestFormProps): JSX.Element {
  const { writesTests } = useSettings();
  const [name, setName] = useState(question.slice(0, 80));
  const [runner, setRunner] = useState('jest');
  const [module, setModule] = useState(draft.module);
  const [recorded, setRecorded] = useState(draft.tools.filter(({ doubt }) => doubt).map((tool) => tool.name));
  const [drifts, setDrifts] = useState<readonly string[]>();
  const [isTrying, setTrying] = useState(false);
  const [saved, setSaved] = useState<SavedTest>();
  const [error, setError] = useState('');
  const [exists, setExists] = useState(false);
  const toggle = (tool: string): void => {
    setDrifts(undefined);
    setSaved(undefined);
    setRecorded(recorded.includes(tool) ? recorded.filter((other) => other !== tool) : [...recorded, tool]);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setTrying(true);
    setError('');
    try {
      await work();
    } catch (failure) {
      setError(textOf(failure));
      setExists(failure instanceof ApiError && failure.status === 409);
    }
    setTrying(false);
  };
  const running = draft.tools.filter((tool) => !recorded.includes(tool.name));
  const risky = running.filter(({ doubt }) => doubt === 'write' || doubt === 'irreversible');
  const repeated = risky.map((tool) => tool.name);
  const replay = async (): Promise<void> => {
    setDrifts((await post<{ drifts: readonly string[] }>(`${turnPath(turnId)}/replay`, { recorded, repeated })).drifts);
  };
  const save = (write: boolean, overwrite = false): Promise<void> =>
    attempt(async () => {
      setSaved(undefined);
      setExists(false);
      const body = { name, runner, write, overwrite, module, recorded };
      const result = await post<SavedTest>(`${turnPath(turnId)}/test`, body);
      if (!result.paths) for (const { name: file, content } of result.files) download(file, content);
      setSaved(result);
      await replay();
    });
  return (
    <>
      <div class="row">
        <TextField label="Name of the test" value={name} onChange={setName} />
        <SelectField label="Test runner" options={['jest', 'vitest']} value={runner} onChange={setRunner} />
        <TextField
          label="Root module"
          value={module.name}
          onChange={(value) => setModule({ ...module, name: value })}
        />
        <TextField
          label="Imported from"
          value={module.from}
          onChange={(value) => setModule({ ...module, from: value })}
        />
      </div>
      {draft.tools.length > 0 && (
        <fieldset>
          <legend>Tools whose recorded results the test uses. The others run.</legend>
          {draft.tools.map((tool) => (
            <label key={tool.name} class="choice">
              <input type="checkbox" checked={recorded.includes(tool.name)} onChange={() => toggle(tool.name)} />{' '}
              <code>{visible(tool.name)}</code> {tool.doubt && <span class="hint">{DOUBTS[tool.doubt]}</span>}
            </label>
          ))}
        </fieldset>
      )}
      {risky.length > 0 && (
        <p class="error">Trying the test runs {repeated.map(visible).join(', ')} again, here and now.</p>
      )}
      <p class="buttons">
        <button type="button" class="quiet" disabled={isTrying} onClick={() => void attempt(replay)}>
          Try the test
        </button>
        {writesTests && (
          <button type="button" disabled={isTrying} onClick={() => void save(true)}>
            Write the test
          </button>
        )}
        <button type="button" class={writesTests ? 'quiet' : ''} disabled={isTrying} onClick={() => void save(false)}>
          Download the test
        </button>
        {exists && (
          <button type="button" class="danger" disabled={isTrying} onClick={() => void save(true, true)}>
            Replace the files
          </button>
        )}
      </p>
      <div role="status">
        {saved && (
          <p>
            {saved.paths
              ? `Written: ${saved.paths.join(', ')}`
              : `Downloaded: ${saved.files.map((file) => file.name).join(', ')}. The test runs with:`}
          </p>
        )}
        {saved && (
          <p class="facts">
            <code>{saved.command}</code>
            <Copy text={saved.command} />
          </p>
        )}
        {drifts && <Outcome drifts={drifts} />}
      </div>
      <ErrorText text={error} />
    </>
  );
}

function Outcome({ drifts }: { drifts: readonly string[] }): JSX.Element {
  if (drifts.length === 0)
    return (
      <p>
        <Badge text="passes" kind="good" /> The turn was run again, and is the same.
      </p>
    );
  return (
    <>
      <p>
        <Badge text="fails" kind="bad" /> If a result changes with each run, use the recorded one. If the tool needs a
        user, give <code>replayTurn()</code> a <code>request</code>.
      </p>
      {drifts.map((drift, index) => (
        <LongText key={index} text={drift} label="Difference" isCode />
      ))}
    </>
  );
}

function download(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
