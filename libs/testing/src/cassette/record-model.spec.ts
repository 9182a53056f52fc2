import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { firstValueFrom, lastValueFrom, of, tap, throwError, toArray } from 'rxjs';
import {
  ChatModelException,
  type ChatResponse,
  FunctionToolCallback,
  Prompt,
  SystemMessage,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '../scripted-answer.js';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { recordModel, type RecordModelOptions } from './record-model.js';

let folder: string;
let file: string;
const { CI } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cassette-'));
  file = join(folder, 'nested', 'model.json');
  delete process.env['CI'];
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  delete process.env['NESTOR_CASSETTES'];
  if (CI !== undefined) process.env['CI'] = CI;
});

const recording = (script: readonly ScriptEntry[], options: RecordModelOptions = {}) =>
  recordModel(new ScriptedChatModel(script, { temperature: 0.5 }), file, { record: true, ...options });
const replaying = (options: RecordModelOptions = {}) =>
  recordModel(
    () => {
      throw new Error('There is no API key.');
    },
    file,
    options,
  );
const chunksOf = (model: ReturnType<typeof recording>, prompt: Prompt): Promise<ChatResponse[]> =>
  lastValueFrom(model.stream(prompt).pipe(toArray()));
const written = (): string => readFileSync(file, 'utf8');

const weather = new FunctionToolCallback({ name: 'weather', description: 'The weather', toolFunction: () => 'sunny' });
const answer = {
  reasoning: 'A city.',
  text: 'Let me look.',
  toolCalls: [toolCall('weather', { city: 'Paris' }, 'call_1')],
  usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
};

describe('a recorded model', () => {
  it('replays the responses and chunks that the model gave', async () => {
    const prompt = new Prompt('Weather?', { toolCallbacks: [weather], toolContext: { tenant: 'acme' } });
    const real = recording([answer, answer]);
    const called = await real.call(prompt);
    const chunks = await chunksOf(real, prompt);

    const model = replaying();
    expect(await model.call(prompt)).toEqual(called);
    expect(await chunksOf(model, prompt)).toEqual(chunks);
    model.assertDone();
    expect(written()).not.toContain('acme');
  });

  it('has the traits of the model, which it does not create', async () => {
    class NamedModel extends ScriptedChatModel {
      override readonly provider = 'acme';
      override readonly modelName = 'acme-1';
      override supportsOutputSchema(schema: object): boolean {
        return !('oneOf' in schema);
      }
    }
    const real = recordModel(new NamedModel(['Hi'], { temperature: 0.5, headers: { a: 'b' } }), file, { record: true });
    expect([real.supportsOutputSchema({ oneOf: [] }, undefined), real.supportsOutputSchema({}, undefined)]).toEqual([
      false,
      true,
    ]);
    await real.call(new Prompt('Hello'));
    const model = replaying();
    expect(model).toMatchObject({
      provider: 'acme',
      modelName: 'acme-1',
      supportsStructuredOutput: true,
      defaultOptions: { temperature: 0.5 },
      isRecording: false,
    });
    expect([model.supportsOutputSchema({ oneOf: [] }, undefined), model.supportsOutputSchema({}, undefined)]).toEqual([
      false,
      true,
    ]);
  });

  it('replays errors with their fields, also after chunks, and no headers', async () => {
    const refused = new ChatModelException('Refused', {
      httpStatus: 429,
      isRetryable: true,
      code: 'E1',
      responseBody: 'slow down',
      responseHeaders: { 'set-cookie': 'session' },
    });
    const real = recording([{ error: refused }, { text: 'Half of', error: new ChatModelException('Broken off') }]);
    await expect(real.call(new Prompt('A'))).rejects.toBe(refused);
    await expect(chunksOf(real, new Prompt('B'))).rejects.toThrow('Broken off');

    const model = replaying();
    const { name, message, httpStatus, isRetryable, code, responseBody } = refused;
    const fields = { name, message, httpStatus, isRetryable, code, responseBody };
    await expect(model.call(new Prompt('A'))).rejects.toMatchObject(fields);
    const texts: (string | undefined)[] = [];
    const stream = model.stream(new Prompt('B')).pipe(tap((chunk) => texts.push(chunk.text)));
    await expect(lastValueFrom(stream)).rejects.toThrow(ChatModelException);
    expect(texts).toEqual(['Half ', 'of']);
    expect(written()).not.toContain('session');
  });

  it('does not record what the caller aborts or leaves', async () => {
    const real = recording([{ text: 'Slow', delay: 2000 }, 'Left early', 'Done']);
    const caller = new AbortController();
    const aborted = real.call(new Prompt('A', { signal: caller.signal }));
    caller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await firstValueFrom(real.stream(new Prompt('B')));
    await real.call(new Prompt('C'));
    expect((JSON.parse(written()) as { interactions: unknown[] }).interactions).toHaveLength(1);
  });

  it('ends a replayed call or stream that is aborted', async () => {
    await chunksOf(recording(['One two three']), new Prompt('Count'));
    const caller = new AbortController();
    const model = replaying();
    const stream = model
      .stream(new Prompt('Count', { signal: caller.signal }))
      .pipe(tap(() => caller.abort(new Error('enough'))));
    await expect(lastValueFrom(stream.pipe(toArray()))).rejects.toThrow('enough');
    await expect(model.call(new Prompt('Count', { signal: caller.signal }))).rejects.toThrow('enough');
    model.assertDone();
  });

  it('answers equal requests in the recorded order, and others in any order', async () => {
    const real = recording(['1', '2', '3']);
    for (const text of ['A', 'A', 'B']) await real.call(new Prompt(text));
    const model = replaying();
    const asked = ['B', 'A', 'A'].map(async (text) => (await model.call(new Prompt(text))).text);
    expect(await Promise.all(asked)).toEqual(['3', '1', '2']);
    await expect(model.call(new Prompt('A'))).rejects.toThrow(/has 3 interactions, and all of them are used/);
  });

  it('records requests at the same time in the order of the requests', async () => {
    const real = recording([{ text: 'slow', delay: 20 }, 'fast']);
    await Promise.all([real.call(new Prompt('A')), real.call(new Prompt('B'))]);
    const { interactions } = JSON.parse(written()) as { interactions: { response: { message: { text: string } } }[] };
    expect(interactions.map(({ response }) => response.message.text)).toEqual(['slow', 'fast']);
  });
});

describe('a request that is not in the cassette', () => {
  const prompt = (system: string, description = 'The weather', temperature = 0.5) =>
    new Prompt([new SystemMessage(system), new UserMessage('Hi')], {
      temperature,
      toolCallbacks: [new FunctionToolCallback({ name: 'weather', description, toolFunction: () => 1 })],
    });

  it('fails with the path, the recorded value and the current value of each difference', async () => {
    await recording(['Hello']).call(prompt('Be brief.'));
    const model = replaying();
    const error = await model.call(prompt('Be kind.', 'The weather of a city', 0.7)).catch((reason: Error) => reason);
    expect((error as Error).message.split('\n').slice(1)).toEqual([
      '  messages[0].text',
      '    recorded: "Be brief."',
      '    now:      "Be kind."',
      '  options.temperature',
      '    recorded: 0.5',
      '    now:      0.7',
      '  tools[0].description',
      '    recorded: "The weather"',
      '    now:      "The weather of a city"',
      expect.stringContaining('NESTOR_CASSETTES=record'),
    ]);
    expect(() => model.assertDone()).toThrow(error as Error);
  });

  it('is compared by default options, the method and what the model reads of tool results', async () => {
    const results = (responseData: string, value: unknown) =>
      new Prompt(new ToolResponseMessage({ responses: [{ id: '1', name: 'weather', responseData, value }] }));
    await recording(['Hello']).call(results('sunny', 1));
    const instance = (temperature: number) => recordModel(new ScriptedChatModel([], { temperature }), file);
    expect((await instance(0.5).call(results('sunny', 2))).text).toBe('Hello');
    await expect(instance(0.7).call(results('sunny', 1))).rejects.toThrow(/options\.temperature/);
    await expect(chunksOf(instance(0.5), results('sunny', 1))).rejects.toThrow(/method\n.*"call"\n.*"stream"/);
    await expect(instance(0.5).call(results('rainy', 1))).rejects.toThrow(
      /messages\[0\]\.responses\[0\]\.responseData/,
    );
  });

  it.each(['constructor', '__proto__'])(
    'shows an argument that has come or gone, also if its name is %s',
    async (name) => {
      const withArguments = (...names: string[]) => {
        const properties = Object.fromEntries(names.map((one) => [one, { type: 'string' }]));
        const inputSchema = { type: 'object', properties } as const;
        const tool = new FunctionToolCallback({ name: 'weather', inputSchema, toolFunction: () => 1 });
        return new Prompt('Hi', { toolCallbacks: [tool] });
      };
      await recording(['Hello']).call(withArguments('city'));
      await expect(replaying().call(withArguments('city', name))).rejects.toThrow(
        `properties.${name}\n    recorded: (none)\n    now:      {"type":"string"}`,
      );
      rmSync(file);
      await recording(['Hello']).call(withArguments('city', name));
      await expect(replaying().call(withArguments('city'))).rejects.toThrow(
        `properties.${name}\n    recorded: {"type":"string"}\n    now:      (none)`,
      );
    },
  );

  it('shows where long texts begin to differ', async () => {
    const long = 'word '.repeat(200);
    await recording(['Hello']).call(new Prompt(`${long}one`));
    await expect(replaying().call(new Prompt(`${long}two`))).rejects.toThrow(/recorded: ….*one"\n.*now: {6}….*two"/);
  });

  it('can differ in what normalize() replaces', async () => {
    const normalize: RecordModelOptions['normalize'] = (request) => ({
      ...request,
      messages: request.messages.map((message) => ({
        ...message,
        text: String(message['text']).replace(/\d{4}/, 'YEAR'),
      })),
    });
    await recording(['Hello'], { normalize }).call(new Prompt('It is 2024'));
    expect((await replaying({ normalize }).call(new Prompt('It is 2031'))).text).toBe('Hello');
    expect(written()).toContain('It is YEAR');
  });

  it('is named by assertDone() if no request has used it', async () => {
    await recording(['Hello']).call(new Prompt('Forgotten'));
    expect(() => replaying().assertDone()).toThrow(
      /has 1 interactions that no request has used:\n.*call\(\).*Forgotten/,
    );
  });
});

describe('the file', () => {
  it('cannot be written: the error tells so', async () => {
    writeFileSync(join(folder, 'nested'), 'a file in place of the folder');
    await expect(recording(['Hello']).call(new Prompt('Hi'))).rejects.toMatchObject({
      name: 'CassetteException',
      message: expect.stringMatching(/model\.json' cannot be written \(E\w+\)\. Make its folder writable/),
    });
  });

  it('changes nothing of the model but what it describes', async () => {
    await recording(['Hello']).call(new Prompt('Hi'));
    const traits = '"model": { "__proto__": { "isPlanted": true }, "call": 1, "isRecording": true,';
    writeFileSync(file, written().replace('"model": {', traits));
    const model = replaying();
    expect((await model.call(new Prompt('Hi'))).text).toBe('Hello');
    expect([model.isRecording, 'isPlanted' in model]).toEqual([false, false]);
  });

  it.each(['call', 'stream'])('is refused if somebody has changed the method %s of a request', async (method) => {
    const model = recording(['Hello']);
    await (method === 'call' ? model.call(new Prompt('Hi')) : chunksOf(model, new Prompt('Hi')));
    writeFileSync(file, written().replace(`"${method}"`, method === 'call' ? '"stream"' : '"call"'));
    expect(() => replaying()).toThrow(
      /Interaction 1 .* has no request, or no answer of its method\. .*NESTOR_CASSETTES/,
    );
  });

  it('is missing: the error tells how to record it', () => {
    expect(() => replaying()).toThrow(/There is no cassette '.*model\.json'\. .*NESTOR_CASSETTES=record/);
  });

  it.each([
    ['{ "format": ', /is not valid JSON/],
    ['{ "name": "x" }', /is not a cassette/],
    ['{ "format": "nestor-cassette", "version": 1, "model": null, "interactions": [] }', /is not a cassette/],
    ['{ "format": "nestor-cassette", "version": 1, "model": {}, "interactions": [null] }', /is not a cassette/],
    [
      '{ "format": "nestor-cassette", "version": 9, "model": {}, "interactions": [] }',
      /has version 9.*reads version 1/,
    ],
  ])('is refused with the content %s', (content, message) => {
    file = join(folder, 'model.json');
    writeFileSync(file, content);
    expect(() => replaying()).toThrow(message);
  });

  it.each([
    {},
    { request: 'x', response: {} },
    { request: { method: 'call' }, response: {} },
    { request: { method: 'call', messages: [] } },
    { request: { method: 'call', messages: [] }, response: 'x' },
    { request: { method: 'stream', messages: [] }, chunks: {} },
    { request: { method: 'call', messages: [] }, error: 'x' },
  ])('is refused with an interaction that somebody has broken: %j', (interaction) => {
    file = join(folder, 'model.json');
    writeFileSync(
      file,
      JSON.stringify({ format: 'nestor-cassette', version: 1, model: {}, interactions: [interaction] }),
    );
    expect(() => replaying()).toThrow(/Interaction 1 of .*model\.json.* NESTOR_CASSETTES=record/);
  });

  it('is readable, the same after each recording, and replaced in one step', async () => {
    await chunksOf(recording([answer]), new Prompt('Weather?'));
    const first = written();
    await chunksOf(recording([answer]), new Prompt('Weather?'));
    expect(written()).toBe(first);
    expect(readdirSync(join(folder, 'nested'))).toEqual(['model.json']);
    expect(first.split('\n').slice(0, 3)).toEqual(['{', '  "format": "nestor-cassette",', '  "version": 1,']);
    expect(first.split('\n')).toEqual(expect.arrayContaining(['            "text": "Let "', '      "request": {']));
  });

  it('is not shared by two models that record', async () => {
    const [one, two] = [recording(['1', '3']), recording(['2'])];
    await one.call(new Prompt('A'));
    await expect(two.call(new Prompt('A'))).rejects.toThrow(/Another model or another test process has written/);
    await one.call(new Prompt('B'));
    const model = replaying();
    expect([(await model.call(new Prompt('A'))).text, (await model.call(new Prompt('B'))).text]).toEqual(['1', '3']);
  });

  it('may be a URL', async () => {
    const url = pathToFileURL(join(folder, 'by-url.json'));
    await recordModel(new ScriptedChatModel(['Hi']), url, { record: true }).call(new Prompt('Hello'));
    expect((await recordModel(new ScriptedChatModel([]), url).call(new Prompt('Hello'))).text).toBe('Hi');
  });

  it('that cannot be written fails the stream that should be in it', async () => {
    const real = recording(['Hi']);
    writeFileSync(join(folder, 'nested'), 'a file where a folder should be');
    await expect(chunksOf(real, new Prompt('Hello'))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('recording', () => {
  it('is turned on by the environment, also in CI', async () => {
    process.env['NESTOR_CASSETTES'] = 'record';
    process.env['CI'] = 'true';
    await recordModel(() => new ScriptedChatModel(['Hi']), file).call(new Prompt('Hello'));
    expect(existsSync(file)).toBe(true);
  });

  it('is refused in CI if only the code asks for it', () => {
    process.env['CI'] = 'true';
    expect(() => recording([])).toThrow(/option 'record', which calls the model on every run in CI/);
  });

  it('passes the errors of a model on that no provider reported', async () => {
    class Faulty extends ScriptedChatModel {
      override stream(prompt: Prompt) {
        return prompt.messages.length > 1 ? of() : throwError(() => new TypeError('a bug'));
      }
    }
    const real = recordModel(new Faulty([]), file, { record: true });
    await expect(chunksOf(real, new Prompt('A'))).rejects.toThrow(TypeError);
    await expect(chunksOf(replaying(), new Prompt('A'))).rejects.toMatchObject({ name: 'TypeError', message: 'a bug' });
  });
});
