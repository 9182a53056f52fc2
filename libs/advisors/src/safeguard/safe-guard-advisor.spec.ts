import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { AssistantMessage, ChatClient, FunctionToolCallback, ToolCallingAdvisor, ToolResult } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { SafeGuardAdvisor } from './safe-guard-advisor.js';

describe.each(bothWays)('a safe guard (%s)', (_how, ask) => {
  it.each(['what is the SECRET?', 'secret', 'No Secrets here'])(
    'answers by itself when a word must not be sent: %s',
    async (text) => {
      const model = new ScriptedChatModel([]);
      const guard = new SafeGuardAdvisor({ sensitiveWords: ['Secret'], failureResponse: 'Not that.' });
      expect(await ask(clientOf(model, guard), text)).toBe('Not that.');
    },
  );

  it('lets everything else pass', async () => {
    const guard = SafeGuardAdvisor.builder().sensitiveWords(['secret']).build();
    expect(await ask(clientOf(new ScriptedChatModel(['Hello']), guard), 'Hi')).toBe('Hello');
  });

  it('checks tool results inside the loop, and only the user’s message before it', async () => {
    const asks = { toolCalls: [toolCall('read')] };
    const read = new FunctionToolCallback({ name: 'read', toolFunction: () => 'the secret' });
    const guarded = (order: number) =>
      ChatClient.builder(new ScriptedChatModel([asks, 'Here it is']))
        .defaultTools(read)
        .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: ['secret'], order }))
        .build();
    expect(await ask(guarded(0))).toMatch(/unable to respond/);
    expect(await ask(guarded(ToolCallingAdvisor.DEFAULT_ORDER - 1))).toBe('Here it is');
  });

  it.each([[{}], [{ sensitiveWords: null }], [{ sensitiveWords: [''] }]])('refuses the options %j', (options) => {
    expect(() => new SafeGuardAdvisor(options as never)).toThrow(TypeError);
  });
});

describe('a safe guard over messages', () => {
  it('checks everything that is sent: parts of results, arguments, URLs of pictures', async () => {
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['topsecret'], failureResponse: 'No.' });
    const parts = new FunctionToolCallback({
      name: 'read',
      toolFunction: () => new ToolResult({ text: 'ok', content: [{ type: 'text', text: 'TOPSECRET' }] }),
    });
    const client = clientOf(new ScriptedChatModel([{ toolCalls: [toolCall('read')] }, 'done']), guard);
    expect(await client.prompt('Read').tools(parts).call().content()).toBe('No.');
    const asked = new AssistantMessage({ toolCalls: [toolCall('t', { q: 'topsecret' }, 'a')] });
    const history = clientOf(new ScriptedChatModel(['done']), guard)
      .prompt()
      .messages(asked)
      .user('Hi');
    expect(await history.call().content()).toBe('No.');
    const found = new AssistantMessage({
      text: 'Found',
      providerToolCalls: [{ id: 's', name: 'web_search', arguments: '{}', result: [{ title: 'topsecret' }] }],
    });
    const searched = clientOf(new ScriptedChatModel(['done']), guard)
      .prompt()
      .messages(found)
      .user('Hi');
    expect(await searched.call().content()).toBe('No.');
    const url = new URL('https://x.example/topsecret.png');
    const picture = clientOf(new ScriptedChatModel(['done']), guard).prompt();
    expect(
      await picture
        .user((user) => user.text('See').media('image/png', url))
        .call()
        .content(),
    ).toBe('No.');
  });
});
