import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { firstValueFrom, from, lastValueFrom, map, of, throwError, toArray } from 'rxjs';
import { ConversationLockTimeoutException } from '../advisor/conversation-lock-timeout.exception.js';
import { ConversationOwnerException } from '../memory/conversation-owner.exception.js';
import { AiShutdownException } from '../model/ai-shutdown.exception.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { EmptyPromptException } from './empty-prompt.exception.js';
import type { ChatClientEvent } from './response-events.js';
import { ModelEventMapper } from './model-event-mapper.js';
import type { ModelEvent } from './model-events.js';
import { toSse } from './to-sse.js';

const call = { id: 'c1', name: 'find', arguments: '{"id":7}' };
const { arguments: _written, ...named } = call;
const usage = { promptTokens: 3, completionTokens: 2, totalTokens: 5 };
const outcome = { toolCall: call, result: '7', response: { id: 'c1', name: 'find', responseData: '7' } };
const pending = { turnId: 't', pendingApprovals: [call], approvalTokens: { c1: 'signed' } };

/** The events in which a model writes arguments. */
function writing(...deltas: readonly string[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  const mapper = new ModelEventMapper([], (event) => events.push(event));
  for (const delta of deltas) {
    mapper.next({ output: {}, toolInput: { ...named, delta, isProviderExecuted: true } } as never, 0, []);
  }
  return events;
}

/** An event of each type, with everything that docs/reference/events.md lists. */
const EVENTS: { [Type in ChatClientEvent['type']]: Extract<ChatClientEvent, { type: Type }> } = {
  text: { type: 'text', text: 'Hi', round: 0, toolName: 'find' },
  reasoning: { type: 'reasoning', text: 'Hm', round: 0 },
  'tool-input-delta': writing('', '{"id":', '7').at(-1) as never,
  'tool-call': { type: 'tool-call', toolCall: call },
  'tool-progress': { type: 'tool-progress', toolCall: named, value: { found: 1 } },
  'tool-result': { type: 'tool-result', ...outcome },
  'tool-error': { type: 'tool-error', ...outcome, isDenied: true },
  'provider-tool-call': { type: 'provider-tool-call', toolCall: call, round: 0 },
  'provider-tool-result': { type: 'provider-tool-result', toolCall: call, result: { found: 1 }, round: 0 },
  source: { type: 'source', source: { type: 'url', id: 's', url: 'https://a.test', title: 'A' }, round: 0 },
  file: { type: 'file', media: { mimeType: 'image/png', data: 'data:image/png;base64,AQID', name: 'a.png' }, round: 0 },
  usage: { type: 'usage', usage, usageByRound: [usage] },
  finish: { type: 'finish', finishReason: 'toolApprovalRequired', ...pending, untrusted: true },
};

const sent = async (event: ChatClientEvent): Promise<object> => {
  const { type, data } = await firstValueFrom(toSse(of(event), { heartbeat: false }));
  return { type, ...(JSON.parse(data as string) as object) };
};

describe('a server-sent event', () => {
  it.each(Object.values(EVENTS))('has what the $type event has', async (event) => {
    expect(await sent(event)).toEqual({ ...event });
  });

  it('has nothing that only the application may see', async () => {
    const secret = { providerMetadata: { secret: 1 }, value: { secret: 1 } };
    const events: ChatClientEvent[] = [
      { type: 'usage', usage: { ...usage, native: secret }, usageByRound: [{ ...usage, native: secret }] },
      { ...EVENTS['tool-result'], response: { ...outcome.response, ...secret }, approval: { by: 'secret' } as never },
      { ...EVENTS['tool-call'], toolCall: { ...call, ...secret }, ui: 'all' },
      { ...EVENTS.source, source: { ...EVENTS.source.source, ...secret } as never },
      { ...EVENTS.file, media: { ...EVENTS.file.media, ...secret } as never },
    ];
    for (const event of events) expect(JSON.stringify(await sent(event))).not.toContain('secret');
  });

  it('does not repeat long arguments for each word of them', async () => {
    const deltas = ['{"text":"', ...Array.from({ length: 5000 }, () => 'word ')];
    const messages = await lastValueFrom(
      toSse(from(writing(...deltas)), { heartbeat: false }).pipe(
        map(({ data }) => String(data)),
        toArray(),
      ),
    );
    const length = messages.reduce((sum, data) => sum + data.length, 0);
    expect(messages).toHaveLength(5001);
    expect(length).toBeLessThan(5_000_000);
    expect(messages.filter((data) => data.includes('"input"')).length).toBeGreaterThan(200);
  });
});

describe('a failure', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  afterEach(() => void error.mockClear());
  const told = (failure: Error) => firstValueFrom(toSse(throwError(() => failure)));

  it.each([
    [new ConversationOwnerException('secret'), 'There is no such conversation, or you may not access it.'],
    [new ToolApprovalException('secret', 'conflict'), 'The tool call has already been decided.'],
    [new EmptyPromptException('secret'), 'The request has no message.'],
    [new AiShutdownException(), 'The application is shutting down.'],
  ])('that callers can act on has the text of an HTTP answer, and is not logged: %p', async (failure, message) => {
    expect(await told(failure)).toMatchObject({ type: 'error', data: JSON.stringify({ message }) });
    expect(error).not.toHaveBeenCalled();
  });

  it.each([
    [new ConversationLockTimeoutException('secret', 50), 'The conversation is busy.'],
    [new ChatModelException('secret'), 'The answer could not be completed.'],
    [new Error('secret'), 'The answer could not be completed.'],
  ])('of the application or its model is logged: %p', async (failure, message) => {
    expect(await told(failure)).toMatchObject({ type: 'error', data: JSON.stringify({ message }) });
    expect(error).toHaveBeenCalledWith(`A streamed answer failed: ${failure.name}`, expect.anything());
  });
});
