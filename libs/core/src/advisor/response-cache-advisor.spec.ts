import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { createCache } from 'cache-manager';
import { ChatClient } from '../client/chat-client.js';
import { ScriptedChatModel, toolCall } from '../testing/index.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ResponseCacheAdvisor } from './response-cache-advisor.js';

describe.each(bothWays)('the cache of responses (%s)', (_how, ask) => {
  it('answers an equal question without the model, and says so', async () => {
    const model = new ScriptedChatModel(['first', 'second']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client, 'A?'), await ask(client, 'A?'), await ask(client, 'B?')]).toEqual([
      'first',
      'first',
      'second',
    ]);
    expect((await client.prompt('A?').call().chatResponse())?.metadata['cached']).toBe(true);
  });

  it('keeps what the model asks of tools, which run each time', async () => {
    let runs = 0;
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('now', {}, 'x')] }, 'Noon']);
    const client = ChatClient.builder(model)
      .defaultTools(
        new FunctionToolCallback({
          name: 'now',
          toolFunction: () => {
            runs++;
            return '12:00';
          },
        }),
      )
      .defaultAdvisors(new ResponseCacheAdvisor({ cache: createCache() }))
      .build();
    expect(await ask(client)).toBe('Noon');
    expect(await ask(client)).toBe('Noon');
    expect(runs).toBe(2);
  });

  it('tells questions apart by options, tools, and the form of the answer', async () => {
    const model = new ScriptedChatModel(['1', '2', '3', '4']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    await ask(client, 'Q');
    await client.prompt('Q').options({ temperature: 1 }).call().content();
    await client
      .prompt('Q')
      .tools(new FunctionToolCallback({ name: 'x', toolFunction: () => 1 }))
      .call()
      .content();
    await client.prompt('Q').call().entity(Number);
    model.assertDone();
  });

  it('is as good as empty when it fails', async () => {
    const cache = { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) };
    expect(await ask(clientOf(new ScriptedChatModel(['Hello']), new ResponseCacheAdvisor({ cache })))).toBe('Hello');
  });

  it('does not keep an answer that was cut off', async () => {
    const model = new ScriptedChatModel([{ text: 'Once upon', finishReason: 'length' }, 'whole']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client), await ask(client)]).toEqual(['Once upon', 'whole']);
  });
});
