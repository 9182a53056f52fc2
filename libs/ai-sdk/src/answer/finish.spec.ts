import { describe, expect, it } from '@jest/globals';
import { AskAgain } from '../../../../test/ask-again.js';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { ContentItem, StreamPart } from '../specification.js';

const usage = { inputTokens: { total: 1, cacheRead: undefined, cacheWrite: undefined }, outputTokens: { total: 1 } };

/** Ends like Gemini when it fails to write a tool call. The second call answers normally. */
class StumblingModel implements AiSdkLanguageModel {
  readonly specificationVersion = 'v3';
  readonly provider = 'google';
  readonly modelId = 'gemini-test';
  requests = 0;

  constructor(
    private readonly content: readonly ContentItem[],
    private readonly raw = 'MALFORMED_FUNCTION_CALL',
  ) {}

  #answer() {
    return this.requests++ === 0
      ? { content: this.content, finishReason: { unified: 'error', raw: this.raw }, usage }
      : { content: [{ type: 'text', text: 'Hello' }], finishReason: { unified: 'stop', raw: 'STOP' }, usage };
  }

  doGenerate() {
    return Promise.resolve(this.#answer());
  }

  doStream() {
    const { content, ...end } = this.#answer();
    const parts: StreamPart[] = content.map(({ text, ...item }, at) =>
      item.type === 'tool-call' ? item : { type: `${item.type}-delta`, id: String(at), delta: text ?? '' },
    );
    const stream = new ReadableStream<StreamPart>({
      start(controller) {
        for (const part of [...parts, { type: 'finish', ...end }]) controller.enqueue(part);
        controller.close();
      },
    });
    return Promise.resolve({ stream });
  }
}

describe.each(bothWays)('a model that ends with an error (%s)', (_how, ask) => {
  it.each<[string, ContentItem[]]>([
    ['no content', []],
    ['an empty text', [{ type: 'text', text: '' }]],
  ])('and %s has failed and is called again', async (_what, content) => {
    const failing = ask(clientOf(new AiSdkChatModel(new StumblingModel(content))));
    await expect(failing).rejects.toMatchObject({
      name: 'ChatModelException',
      message: 'The model ended with an error (MALFORMED_FUNCTION_CALL) before it wrote any content.',
      isRetryable: true,
    });
    const model = new StumblingModel(content);
    expect(await ask(clientOf(new AiSdkChatModel(model), new AskAgain()))).toBe('Hello');
    expect(model.requests).toBe(2);
  });

  it('after some content has answered with that content', async () => {
    const model = new StumblingModel([{ type: 'text', text: 'So far' }]);
    expect(await ask(clientOf(new AiSdkChatModel(model)))).toBe('So far');
  });

  it('and a sentence as its reason is not quoted', async () => {
    const failing = ask(clientOf(new AiSdkChatModel(new StumblingModel([], 'the key is 4711'))));
    await expect(failing).rejects.toThrow('The model ended with an error before it wrote any content.');
  });
});
