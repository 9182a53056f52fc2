import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { AssistantMessage, ChatClient, Prompt } from '@nestor-ai/core';
import { ChatResponseAggregation } from '@nestor-ai/core/internal';
import { toolCall } from './scripted-answer.js';
import { ScriptedChatModel } from './scripted-chat-model.js';

const ask = (model: ScriptedChatModel, text: string): Promise<string> =>
  ChatClient.create(model).prompt(text).call().content();

describe('a scripted model', () => {
  it('gives its answers in order, and then says that the script has ended', async () => {
    const model = new ScriptedChatModel(['One', ({ userMessage }) => `${userMessage?.text}!`]);
    expect([await ask(model, 'A'), await ask(model, 'B')]).toEqual(['One', 'B!']);
    model.assertDone();
    await expect(ask(model, 'C')).rejects.toThrow('The script has 2 answers, but the model was called 3 times.');
    expect(() => model.assertDone()).toThrow('called 3 times');
  });

  it('answers every prompt with a function', async () => {
    const model = new ScriptedChatModel(({ userMessage }) => `${userMessage?.text}!`);
    expect([await ask(model, 'A'), await ask(model, 'B'), await ask(model, 'C')]).toEqual(['A!', 'B!', 'C!']);
    expect(model.prompts).toHaveLength(3);
    model.assertDone();
  });

  it('has calls of the provider, sources and files in its answer, and in the chunks of a stream', async () => {
    const answer = {
      text: 'Found it.',
      providerToolCalls: [{ id: 's1', name: 'web_search', arguments: '{"q":1}', result: ['a'] }],
      sources: [{ type: 'url' as const, id: '1', url: 'https://a.example' }],
      media: [{ mimeType: 'image/png', data: 'AQID' }],
    };
    const client = ChatClient.create(new ScriptedChatModel(() => answer));
    const called = await client.prompt('A').call().chatResponse();
    const chunks = await lastValueFrom(client.prompt('A').stream().chatResponse().pipe(toArray()));
    const streamed = new ChatResponseAggregation();
    for (const chunk of chunks) streamed.add(chunk);
    // Results of a search are text from strangers, so the client marks the answer.
    const expected = new AssistantMessage({ ...answer, metadata: { untrusted: true } });
    expect(called!.result!.output).toEqual(expected);
    expect(streamed.response!.result!.output).toEqual(expected);
  });

  it('writes the input of tools before the calls, if the script says so', async () => {
    const call = toolCall('look', { city: 'Paris' }, 'call-1');
    const model = new ScriptedChatModel(() => ({ toolCalls: [call], streamToolInput: true }));
    const chunks = await lastValueFrom(model.stream(new Prompt('A')).pipe(toArray()));
    const inputs = chunks.flatMap(({ result }) => result?.toolInput ?? []);
    expect(inputs.map(({ delta }) => delta)).toEqual(['', '{"city":', '"Paris"}']);
    expect(chunks.at(-1)!.result!.output.toolCalls).toEqual([call]);
  });

  it('ends a stream that is aborted while its first chunk is read', async () => {
    const controller = new AbortController();
    const model = new ScriptedChatModel([{ chunks: ['One', 'Two'] }]);
    const read: unknown[] = [];
    const chunks = model.stream(new Prompt('A', { signal: controller.signal }));
    const reading = chunks.forEach(({ text }) => {
      read.push(text);
      controller.abort(new Error('enough'));
    });
    await expect(reading).rejects.toThrow('enough');
    expect(read).toEqual(['One']);
  });
});
