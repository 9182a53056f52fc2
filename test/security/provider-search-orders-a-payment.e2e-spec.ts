import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  BaseAdvisor,
  ChatMemory,
  type ChatClientResponse,
  MessageChatMemoryAdvisor,
  providerTool,
  UserMessage,
} from '@nestor-ai/core';
import type { ScriptEntry } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';
import { askedAbout, Bank, BOTH_WAYS, inConversation, ORDER, wiring, whenUntrusted } from './bank.js';

const ID = 'anthropic.web_search_20250305';
const CALL = { id: 'srv_1', name: 'web_search', arguments: '{"query":"shop"}' };
const SEARCH = { ...CALL, result: [{ title: 'Shop', text: ORDER }] };
const PAGE = { type: 'url' as const, id: 's1', url: 'https://shop.example' };

const start = (script: readonly ScriptEntry[], options = {}) =>
  startApplication({ providers: [Bank] }, script, options);

/** Removes what the provider ran, as an advisor does that writes a new answer. */
class Rewriting extends BaseAdvisor {
  readonly name = 'rewriting';
  override readonly order = 0;
  override after(response: ChatClientResponse): ChatClientResponse {
    const results = response.chatResponse!.results.map(({ output: { text, toolCalls }, metadata }) => ({
      output: new AssistantMessage({ text, toolCalls }),
      ...(metadata && { metadata }),
    }));
    return { ...response, chatResponse: response.chatResponse!.with({ results }) };
  }
}

describe.each(BOTH_WAYS)('a web page that the provider found, in %s', (_way, answer) => {
  it.each<[string, ScriptEntry]>([
    ['the result of a call', { providerToolCalls: [SEARCH], toolCalls: [wiring()] }],
    ['an error of a call', { providerToolCalls: [{ ...CALL, isError: true, result: ORDER }], toolCalls: [wiring()] }],
    ['a source without a call', { text: 'I found this.', sources: [PAGE], toolCalls: [wiring()] }],
  ])('makes a payment in the same answer wait: %s', async (_what, entry) => {
    const { app, client } = await start([entry]);
    const asked = await answer(client.prompt('What does the shop say?'));
    expect(askedAbout(asked)).toEqual(['wire']);
    expect(asked?.result?.output.metadata).toEqual({ untrusted: true });
    expect(app.get(Bank).wired).toEqual([]);
  });

  it('makes a payment in a later round wait, also behind an advisor that removes the search', async () => {
    const script = [{ providerToolCalls: [SEARCH], toolCalls: [{ ...wiring(), name: 'balance', arguments: '{}' }] }];
    const { app, client } = await start([...script, { toolCalls: [wiring()] }]);
    expect(askedAbout(await answer(client.prompt('Go').advisors(new Rewriting())))).toEqual(['wire']);
    expect(app.get(Bank).wired).toEqual([]);
  });

  it('refuses the payment if the application says so', async () => {
    const script = [{ providerToolCalls: [SEARCH], toolCalls: [wiring()] }, 'I may not.'];
    const { app, client } = await start(script, whenUntrusted('refuse'));
    expect((await answer(client.prompt('Go')))?.text).toBe('I may not.');
    expect(app.get(Bank).wired).toEqual([]);
  });

  it.each([
    ['all messages', []],
    ['answers without the search', [new Rewriting()]],
  ])('makes a payment in a later turn wait where the memory has %s', async (_what, others) => {
    const script = [{ text: 'Shall I?', providerToolCalls: [SEARCH] }, { toolCalls: [wiring()] }];
    const { app, client } = await start(script);
    const memory = new MessageChatMemoryAdvisor({ chatMemory: app.get(ChatMemory) });
    const ask = (text: string) =>
      answer(
        inConversation(client)
          .user(text)
          .advisors(memory, ...others),
      );
    expect((await ask('What does the shop say?'))?.text).toBe('Shall I?');
    expect(askedAbout(await ask('Yes'))).toEqual(['wire']);
    expect(app.get(Bank).wired).toEqual([]);
  });

  it('makes a payment wait after a message from an earlier version, without a mark', async () => {
    const { client } = await start([{ toolCalls: [wiring()] }]);
    const known = new AssistantMessage({ text: 'Shall I?', providerToolCalls: [SEARCH] });
    const asked = await answer(client.prompt().messages(new UserMessage('Go'), known, new UserMessage('Yes')));
    expect(askedAbout(asked)).toEqual(['wire']);
  });

  it('does not hold back payments after a call without a result, or a document of the application', async () => {
    const sources = [{ type: 'document' as const, id: 'd1', title: 'Terms' }];
    const { app, client } = await start([{ providerToolCalls: [CALL], sources, toolCalls: [wiring()] }, 'Done.']);
    const answered = await answer(client.prompt('Go'));
    expect(answered?.text).toBe('Done.');
    expect(answered?.result?.output.metadata?.['untrusted']).toBeUndefined();
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
  });

  it('lets the payment run if the application trusts all tools of the provider', async () => {
    const script = [{ providerToolCalls: [SEARCH], toolCalls: [wiring()] }, 'Done.', 'And again.'];
    const { app, client } = await start(script);
    const trusted = providerTool(ID, {}, { untrusted: false });
    const answered = await answer(client.prompt('Go').tools(trusted, 'wire'));
    expect(answered?.text).toBe('Done.');
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
  });

  it('makes the payment wait if the application trusts only one of two tools', async () => {
    const { client } = await start([{ providerToolCalls: [SEARCH], toolCalls: [wiring()] }]);
    const trusted = providerTool('anthropic.tool_search_tool_regex_20251119', {}, { untrusted: false });
    expect(askedAbout(await answer(client.prompt('Go').tools(trusted, providerTool(ID), 'wire')))).toEqual(['wire']);
  });

  it('makes the payment wait if the model has read a page before a tool that the application trusts', async () => {
    const { client } = await start([{ providerToolCalls: [SEARCH], toolCalls: [wiring()] }]);
    const known = new AssistantMessage({ text: 'A page.', metadata: { untrusted: true } });
    const asked = client.prompt().messages(new UserMessage('Go'), known, new UserMessage('Yes'));
    const trusted = providerTool(ID, {}, { untrusted: false });
    expect(askedAbout(await answer(asked.tools(trusted, 'wire')))).toEqual(['wire']);
  });
});
