import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, Prompt, SystemMessage, ToolResponseMessage, UserMessage } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { warningsOfRequest } from './request-warnings.js';
import { toCallOptions } from './to-call-options.js';

const [v3, v4] = (['v3', 'v4'] as const).map(
  (specificationVersion) =>
    ({ specificationVersion, provider: 'anthropic.messages', modelId: 'm' }) as AiSdkLanguageModel,
) as [AiSdkLanguageModel, AiSdkLanguageModel];

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } };

it('texts are sent without halves of characters, which providers refuse as no JSON', async () => {
  const cut = '\u{1f600}'.repeat(2).slice(0, 3);
  const content = [
    { type: 'text', text: cut } as const,
    { type: 'image', mimeType: 'image/png', data: 'AA==' } as const,
  ];
  const prompt = new Prompt([
    new SystemMessage(cut),
    new UserMessage(cut),
    new AssistantMessage({ text: cut, metadata: { aiSdkContent: [{ type: 'text', text: cut }] } }),
    new AssistantMessage({ text: cut, metadata: { aiSdkContent: [{ type: 'text', text: 'Whole' }] } }),
    new AssistantMessage({
      text: cut,
      toolCalls: ['1', '2', '3'].map((id) => ({ id, name: 't', arguments: JSON.stringify({ cut }) })),
    }),
    new ToolResponseMessage({
      responses: [
        { id: '1', name: 't', responseData: cut },
        { id: '2', name: 't', responseData: cut, isError: true },
        { id: '3', name: 't', responseData: cut, content },
      ],
    }),
  ]);
  const sent = JSON.stringify((await toCallOptions(prompt, v3)).prompt);
  expect(sent.match(/\u{1f600}\ufffd/gu)).toHaveLength(12);
  expect(sent).not.toContain(String.raw`\ud83d`);
});

it.each([
  ['mistral.chat', 'call_h7dKzRcEqPwY', /^[a-z\d]{9}$/],
  ['mistral.chat', 'D681PevKs', /^D681PevKs$/],
  ['anthropic.messages', 'functions.save:0', /^[\w-]+$/],
  ['openai.chat', 'x'.repeat(41), /^.{1,40}$/],
  ['moonshot.chat', 'functions.save:0', /^functions\.save:0$/],
])('the ids of a call and its result fit %s: %j', async (provider, id, accepted) => {
  const call = { id, name: 't', arguments: '{}' };
  const kept = { aiSdkContent: [{ type: 'tool-call', toolCallId: id }] };
  for (const metadata of [{}, kept]) {
    const prompt = new Prompt([
      new AssistantMessage({ toolCalls: [call], metadata }),
      new ToolResponseMessage({ responses: [{ id, name: 't', responseData: 'R' }] }),
    ]);
    const sent = (await toCallOptions(prompt, { ...v3, provider })).prompt.flatMap(
      ({ content }) => content as object[],
    );
    const ids = sent.map((part) => (part as { toolCallId: string }).toolCallId);
    expect(ids).toEqual([expect.stringMatching(accepted), ids[0]]);
  }
});

describe('the options for one provider', () => {
  it.each([
    ['version 3', v3],
    ['version 4', v4],
  ])('reach the messages, files and results that they belong to (%s)', async (_version, model) => {
    const prompt = new Prompt([
      new SystemMessage({ text: 'S', providerOptions: marked }),
      new UserMessage({
        text: 'U',
        media: [{ mimeType: 'image/png', data: 'AA==', providerOptions: marked }],
        providerOptions: marked,
      }),
      new AssistantMessage({
        text: 'A',
        toolCalls: [{ id: '1', name: 't', arguments: '{}' }],
        providerOptions: marked,
      }),
      new ToolResponseMessage({ responses: [{ id: '1', name: 't', responseData: 'R', providerOptions: marked }] }),
      new UserMessage('again'),
    ]);
    expect((await toCallOptions(prompt, model)).prompt).toMatchObject([
      { role: 'system', providerOptions: marked },
      { role: 'user', providerOptions: marked, content: [{ type: 'text' }, { type: 'file', providerOptions: marked }] },
      { role: 'assistant', providerOptions: marked },
      { role: 'tool', content: [{ providerOptions: marked }] },
      { role: 'user' },
    ]);
    const plain = (await toCallOptions(new Prompt([new SystemMessage('S'), new UserMessage('U')]), model)).prompt;
    expect(JSON.stringify(plain)).not.toContain('providerOptions');
  });
});

describe('the options of a request', () => {
  it('contain its headers', async () => {
    const headers = { 'x-tenant': 'a' };
    expect(await toCallOptions(new Prompt('U', { headers }), v3)).toMatchObject({ headers });
    expect(await toCallOptions(new Prompt('U'), v3)).not.toHaveProperty('headers');
  });

  it.each([
    ['a line break in a value', { 'x-key': 'SECRET\r\nx-admin: 1' }, "The header 'x-key'"],
    ['a letter that is not Latin', { 'x-key': 'SECRETЖ' }, "The header 'x-key'"],
    ['a value that is no text', { 'x-key': 7 as unknown as string }, "The header 'x-key'"],
    ['a line break in a name', { 'x-key\r\n': 'SECRET' }, 'contains the name "x-key\\r\\n"'],
  ])('name a header that HTTP cannot carry, without its value: %s', (_what, headers, problem) => {
    const error = thrownBy(() => toCallOptions(new Prompt('U', { headers }), v3));
    expect(error).toMatchObject({ name: 'ChatModelException', message: expect.stringContaining(problem) });
    expect(inspect(error, { showHidden: true })).not.toContain('SECRET');
  });

  it('contain the reasoning effort for a model of version 4', async () => {
    const prompt = new Prompt('U', { reasoning: 'high' });
    expect(await toCallOptions(prompt, v4)).toMatchObject({ reasoning: 'high' });
    expect(warningsOfRequest(prompt, v4)).toEqual([]);
  });

  it('report that a model of version 3 has no reasoning effort', async () => {
    const prompt = new Prompt('U', { reasoning: 'high' });
    expect(await toCallOptions(prompt, v3)).not.toHaveProperty('reasoning');
    expect(warningsOfRequest(prompt, v3)).toMatchObject([{ type: 'unsupported', feature: 'reasoning' }]);
    expect(warningsOfRequest(new Prompt('U', { reasoning: 'provider-default' }), v3)).toEqual([]);
    expect(warningsOfRequest(new Prompt('U'), v3)).toEqual([]);
  });
});

describe('the files of a message', () => {
  const sent = async (data: string | URL, model = v3) => {
    const message = new UserMessage({ text: '', media: [{ mimeType: 'image/png', data }] });
    const [converted] = (await toCallOptions(new Prompt([message]), model)).prompt;
    return (converted!.content[0] as { data: unknown }).data;
  };

  it.each(['data:image/png;base64,AQID', new URL('data:image/png,%01%02%03')])(
    'are read from data: URLs',
    async (url) => {
      expect(await sent(url)).toBe('AQID');
      expect(await sent(url, v4)).toEqual({ type: 'data', data: 'AQID' });
    },
  );

  it('may be ids of uploaded files', async () => {
    expect(await sent('file-abc')).toBe('file-abc');
    expect(await sent('file-abc', v4)).toEqual({ type: 'data', data: 'file-abc' });
  });

  it('may be at URLs given as text', async () => {
    expect(await sent('https://x.example/a.png')).toEqual(new URL('https://x.example/a.png'));
  });

  it('are refused if a data: URL cannot be read', async () => {
    await expect(async () => sent('data:image/png')).rejects.toThrow(
      /type image\/png has a data: URL that cannot be read/,
    );
  });
});
