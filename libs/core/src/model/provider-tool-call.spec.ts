import { describe, expect, it } from '@jest/globals';
import { ChatResponse } from './chat-response.js';
import { ChatResponseAggregation } from './message-aggregator.js';
import { AssistantMessage } from './messages.js';
import type { ProviderToolCall } from './provider-tool-call.js';

function aggregated(...calls: readonly ProviderToolCall[]): readonly ProviderToolCall[] | undefined {
  const aggregation = new ChatResponseAggregation();
  for (const call of calls) {
    aggregation.add(new ChatResponse({ results: [{ output: new AssistantMessage({ providerToolCalls: [call] }) }] }));
  }
  return aggregation.response!.result!.output.providerToolCalls;
}

describe('the calls of provider tools in the chunks of an answer', () => {
  const call = { id: 's1', name: 'web_search', arguments: '{"query":"x"}' };

  it('have the last of their results, and the arguments of the call', () => {
    const chunks = [call, { ...call, arguments: '', result: 'half' }, { ...call, arguments: '', result: 'all' }];
    expect(aggregated(...chunks)).toEqual([{ ...call, result: 'all' }]);
  });

  it('may fail after a first result', () => {
    const failed = { ...call, result: 'too many requests', isError: true };
    expect(aggregated(call, { ...call, result: 'half' }, failed)).toEqual([failed]);
  });
});
