import { describe, expect, it } from '@jest/globals';
import type { ContentPart, ToolResponse } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import { toToolResult } from './tool-result.js';

const image = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const;
const pdf = { type: 'file', mimeType: 'application/pdf', data: new Uint8Array([1, 2]), name: 'a.pdf' } as const;
const audio = { type: 'file', mimeType: 'audio/wav', data: 'AAAA' } as const;

const modelOf = (model: string, specificationVersion: 'v3' | 'v4' = 'v3') => {
  const [provider, modelId = 'some-model'] = model.split(':');
  return { specificationVersion, provider, modelId } as AiSdkLanguageModel;
};
const outputOf = (model: string, content: readonly ContentPart[], response: Partial<ToolResponse> = {}) =>
  toToolResult({ id: '1', name: 't', responseData: '', content, ...response }, modelOf(model)).output;
/** `image`, `file` or `words` for each part. */
const kindsOf = (model: string, ...content: readonly ContentPart[]): string[] => {
  const output = outputOf(model, content);
  if (output.type !== 'content') return content.map(() => 'words');
  return (output.value as { type: string }[]).map(({ type }) => (type === 'text' ? 'words' : type.split('-')[0]!));
};

describe('the files of a tool result', () => {
  it.each([
    ['anthropic.messages', ['image', 'file', 'words']],
    ['bedrock.anthropic.messages', ['image', 'file', 'words']],
    ['vertex.anthropic.messages', ['image', 'file', 'words']],
    ['gateway:anthropic/claude-test', ['image', 'file', 'words']],
    ['amazon-bedrock:anthropic.claude-test', ['image', 'file', 'words']],
    ['google.generative-ai:gemini-2.5-flash', ['image', 'file', 'file']],
    ['google.generative-ai:gemini-3-pro', ['image', 'file', 'words']],
    ['openai.responses', ['image', 'file', 'words']],
    ['azure.responses', ['image', 'file', 'words']],
    ['xai.responses', ['image', 'words', 'words']],
    ['openai.chat', ['words', 'words', 'words']],
    ['mistral.chat', ['words', 'words', 'words']],
    ['groq.chat', ['words', 'words', 'words']],
    ['acme.chat:anthropic/claude-test', ['words', 'words', 'words']],
    ['gateway:openai/gpt-test', ['words', 'words', 'words']],
  ])('are sent to %s by their types: image, PDF and recording are %j', (model, kinds) => {
    expect(kindsOf(model, image, pdf, audio)).toEqual(kinds);
  });

  it('are described if they cannot be sent, and the others are sent', () => {
    expect(outputOf('anthropic.messages', [image, audio], { responseData: 'Two files' })).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'Two files' },
        { type: 'image-data', mediaType: 'image/png', data: 'AA==' },
        { type: 'text', text: '[audio/wav, 3 bytes; not shown]' },
      ],
    });
    expect(outputOf('anthropic.messages', [audio])).toEqual({ type: 'text', value: '[audio/wav, 3 bytes; not shown]' });
  });

  it('are images if their type says so, also if the tool calls them files', () => {
    expect(kindsOf('anthropic.messages', { ...image, type: 'file' })).toEqual(['image']);
    expect(kindsOf('anthropic.messages', { ...pdf, type: 'image' })).toEqual(['file']);
  });

  it.each([
    ['anthropic.messages', 'https://x.example/a.png', 'image-url'],
    ['anthropic.messages', 's3://bucket/a.png', 'text'],
    ['amazon-bedrock:anthropic.claude-test', 's3://bucket/a.png', 'image-url'],
    ['amazon-bedrock:anthropic.claude-test', 'https://x.example/a.png', 'text'],
    ['google.generative-ai', 'https://x.example/a.png', 'text'],
  ])('stay at URLs that %s reads: %s', (model, url, type) => {
    const output = outputOf(model, [{ ...image, data: new URL(url) }, pdf]);
    expect((output.value as { type: string }[])[0]!.type).toBe(type);
  });

  it('are read from data: URLs, and described if such a URL is broken', () => {
    const [ok, broken] = ['data:image/png;base64,AQID', 'data:image/png;base64,%'].map(
      (url) => outputOf('anthropic.messages', [{ ...image, data: url }]).value,
    );
    expect(ok).toEqual([{ type: 'image-data', mediaType: 'image/png', data: 'AQID' }]);
    expect(broken).toMatchObject([{ type: 'text', text: expect.stringContaining('not shown') }]);
  });

  it('carry the options for one provider, as does the result', () => {
    const providerOptions = { openai: { imageDetail: 'low' } };
    const ofResult = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const response = { id: '1', name: 't', responseData: '', content: [{ ...image, providerOptions }] };
    for (const version of ['v3', 'v4'] as const) {
      const model = modelOf('openai.responses', version);
      const result = toToolResult({ ...response, providerOptions: ofResult }, model);
      expect(result).toMatchObject({ providerOptions: ofResult, output: { value: [{ providerOptions }] } });
    }
  });
});
