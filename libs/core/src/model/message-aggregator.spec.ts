import { describe, expect, it } from '@jest/globals';
import { concat, from, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { ChatResponse } from './chat-response.js';
import { AssistantMessage, type AssistantMessageInit } from './messages.js';
import { MessageAggregator } from './message-aggregator.js';

const chunk = (init: AssistantMessageInit, finishReason?: string, metadata?: Record<string, unknown>): ChatResponse =>
  new ChatResponse({
    results: [{ output: new AssistantMessage(init), ...(finishReason && { metadata: { finishReason } }) }],
    ...(metadata && { metadata }),
  });

async function aggregate(chunks: ChatResponse[]): Promise<ChatResponse[]> {
  const whole: ChatResponse[] = [];
  await lastValueFrom(
    new MessageAggregator().aggregate(from(chunks), (response) => whole.push(response)).pipe(toArray()),
  );
  return whole;
}

describe('MessageAggregator', () => {
  it('passes the chunks on unchanged and hands over the whole answer at the end', async () => {
    const chunks = [chunk({ text: 'Hello ' }), chunk({ text: 'world' }, 'stop', { id: '7', model: 'm' })];
    const whole: ChatResponse[] = [];
    const stream = new MessageAggregator().aggregate(from(chunks), (response) => whole.push(response));
    expect(await lastValueFrom(stream.pipe(toArray()))).toEqual(chunks);
    expect(whole[0]).toMatchObject({ text: 'Hello world', metadata: { id: '7', model: 'm' } });
    expect(whole[0]?.result?.metadata?.finishReason).toBe('stop');
  });

  it('joins fragments of interleaved tool calls by index', async () => {
    const [whole] = await aggregate([
      chunk({ toolCalls: [{ id: 'a', name: 'one', arguments: '{"x":', index: 0 }] }),
      chunk({ toolCalls: [{ id: 'b', name: 'two', arguments: '{"y"', index: 1 }] }),
      chunk({ toolCalls: [{ id: '', name: '', arguments: '1}', index: 0 }] }),
      chunk({ toolCalls: [{ id: '', name: '', arguments: ':2}', index: 1 }] }),
    ]);
    expect(whole?.result?.output.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}', index: 0 },
      { id: 'b', name: 'two', arguments: '{"y":2}', index: 1 },
    ]);
  });

  it('keeps complete tool calls separate, even if a model repeats an id', async () => {
    const call = { id: 'same', name: 'a', arguments: '{}' };
    const [whole] = await aggregate([chunk({ toolCalls: [call] }), chunk({ toolCalls: [call] })]);
    expect(whole?.result?.output.toolCalls).toHaveLength(2);
  });

  it('joins reasoning and keeps the last known usage with its cache counters', async () => {
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, cacheReadTokens: 1 };
    const none = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
    const [whole] = await aggregate([
      chunk({ reasoning: 'Let me ' }),
      chunk({ reasoning: 'think.' }, undefined, { usage }),
      chunk({ text: 'Yes' }, 'stop', { usage: none }),
    ]);
    expect(whole?.result?.output.reasoning).toBe('Let me think.');
    expect(whole?.metadata.usage).toEqual(usage);
  });

  it('starts from scratch for each subscription', async () => {
    const whole: string[] = [];
    const stream = new MessageAggregator().aggregate(of(chunk({ text: 'a' })), ({ text }) => whole.push(text!));
    await lastValueFrom(stream);
    await lastValueFrom(stream);
    expect(whole).toEqual(['a', 'a']);
  });

  it('hands over nothing when the stream fails or is empty', async () => {
    const whole: ChatResponse[] = [];
    const failing = concat(
      of(chunk({ text: 'a' })),
      throwError(() => new Error('broken')),
    );
    const stream = new MessageAggregator().aggregate(failing, (response) => whole.push(response));
    await expect(lastValueFrom(stream)).rejects.toThrow('broken');
    expect(await aggregate([])).toEqual([]);
    expect(whole).toEqual([]);
  });
});
