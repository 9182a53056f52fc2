import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { AssistantMessage, ChatResponse, Prompt, UserMessage } from '@nestor-ai/core';
import { type ScriptEntry } from '../scripted-answer.js';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { recordModel, type RecordModelOptions } from './record-model.js';

let folder: string;
let file: string;
const { CI } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cassette-'));
  file = join(folder, 'model.json');
  delete process.env['CI'];
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  if (CI !== undefined) process.env['CI'] = CI;
});

const recording = (script: readonly ScriptEntry[], options: RecordModelOptions = {}) =>
  recordModel(new ScriptedChatModel(script), file, { record: true, ...options });
const replaying = (options: RecordModelOptions = {}) => recordModel(new ScriptedChatModel([]), file, options);
const chunksOf = (model: ReturnType<typeof recording>, prompt: Prompt): Promise<ChatResponse[]> =>
  lastValueFrom(model.stream(prompt).pipe(toArray()));
const written = (): string => readFileSync(file, 'utf8');

describe('secrets', () => {
  it('are removed by form, by name and by the option, before anything is written', async () => {
    const key = `sk-proj-${'a1'.repeat(20)}`;
    const options: RecordModelOptions = {
      redact: ['Ada Lovelace', /\S+@\S+\.\w+/, (text) => text.replace('ZZ', '--')],
    };
    const prompt = new Prompt(`My key is ${key}, I am Ada Lovelace, ada@example.com, ZZ`, {
      headers: { 'x-tenant': 'hidden-tenant' },
      providerOptions: { acme: { apiKey: 'hidden-key', mcp: { headers: { 'X-Auth': 'hidden-header' } } } },
    });
    await recording([`Dear Ada Lovelace, use Bearer ${'b2'.repeat(16)}.`], options).call(prompt);
    expect(written()).not.toMatch(/sk-proj|Ada|ada@|hidden|b2b2|ZZ/);
    expect((await replaying(options).call(prompt)).text).toBe('Dear [redacted], use [redacted].');
  });

  it('are removed if a stream splits them between chunks, and the first chunk has the whole text', async () => {
    const chunks = ['Dear A', 'da Love', 'lace, ', 'hello'];
    const options = { redact: 'Ada Lovelace' };
    await chunksOf(recording([{ chunks }], options), new Prompt('Hi'));
    expect(written()).not.toMatch(/da Love|lace/);
    const texts = (await chunksOf(replaying(options), new Prompt('Hi'))).map(({ text }) => text);
    expect(texts).toEqual(['Dear [redacted], hello', '', '', '', '']);
  });

  it('in an empty text are refused', () => {
    expect(() => recording([], { redact: '' })).toThrow("an empty text in 'redact'");
  });
});

describe('media', () => {
  class Painter extends ScriptedChatModel {
    override call() {
      const media = [
        { mimeType: 'image/png', data: Buffer.from('picture') },
        { mimeType: 'image/png', data: new URL('https://example.com/a.png') },
      ];
      return Promise.resolve(new ChatResponse({ results: [{ output: new AssistantMessage({ media }) }] }));
    }
  }

  it('is kept as a hash of its bytes, equal for bytes and base64, and addresses as they are', async () => {
    const photo = (data: Uint8Array | string) =>
      new Prompt(new UserMessage({ text: 'Paint', media: [{ mimeType: 'image/png', data }] }));
    const real = recordModel(new Painter([]), file, { record: true });
    const first = await real.call(photo(Buffer.from('photo')));
    await real.call(new Prompt([first.result!.output]));
    expect(written()).not.toContain(Buffer.from('photo').toString('base64'));

    const model = replaying();
    const painted = await model.call(photo(Buffer.from('photo').toString('base64')));
    const [picture, address] = painted.result!.output.media!;
    expect(picture?.data).toMatch(/^sha256:/);
    expect(address?.data).toEqual(new URL('https://example.com/a.png'));
    // The replayed picture in the next request is the recorded one.
    await model.call(new Prompt([painted.result!.output]));
    model.assertDone();
  });
});
