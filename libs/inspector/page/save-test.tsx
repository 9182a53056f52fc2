import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { ApiError, post, textOf } from './api.js';
import { ErrorText, Field } from './parts.js';
import { SettingsContext } from './settings.js';

interface SavedTest {
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly paths?: readonly string[];
}

/** Makes a test of a turn: as files in the folder of tests, or to download. */
export function SaveTest({ turnId, question }: { turnId: string; question: string }): JSX.Element {
  const { writesTests } = useContext(SettingsContext);
  const [name, setName] = useState(question.slice(0, 80));
  const [runner, setRunner] = useState('jest');
  const [result, setResult] = useState('');
  const [error, setError] = useState('');
  const [exists, setExists] = useState(false);
  const save = async (write: boolean, overwrite = false): Promise<void> => {
    setError('');
    setResult('');
    setExists(false);
    try {
      const saved = await post<SavedTest>(`turns/${turnId}/test`, { name, runner, write, overwrite });
      if (!saved.paths) for (const { name: file, content } of saved.files) download(file, content);
      setResult(saved.paths ? `Written: ${saved.paths.join(', ')}` : 'Downloaded. Put both files beside each other.');
    } catch (failure) {
      setError(textOf(failure));
      setExists(failure instanceof ApiError && failure.status === 409 && write);
    }
  };
  return (
    <details class="save">
      <summary>Save as test</summary>
      <Field label="Name of the test">
        {(id) => <input id={id} value={name} onInput={({ currentTarget: { value } }) => setName(value)} />}
      </Field>
      <Field label="Test runner">
        {(id) => (
          <select id={id} value={runner} onChange={({ currentTarget: { value } }) => setRunner(value)}>
            <option value="jest">Jest</option>
            <option value="vitest">Vitest</option>
          </select>
        )}
      </Field>
      <p class="buttons">
        {writesTests && (
          <button type="button" onClick={() => void save(true)}>
            Write the test
          </button>
        )}
        <button type="button" class={writesTests ? 'quiet' : ''} onClick={() => void save(false)}>
          Download the test
        </button>
        {exists && (
          <button type="button" class="danger" onClick={() => void save(true, true)}>
            Replace the files
          </button>
        )}
      </p>
      <p role="status">{result}</p>
      <ErrorText text={error} />
    </details>
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
