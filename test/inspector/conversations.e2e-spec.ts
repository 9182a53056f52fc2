import { afterEach, expect, it, jest } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import {
  AiToolExecutionContext,
  ApprovalPolicy,
  ChatClient,
  ChatMemory,
  ConversationLog,
  type TurnAccess,
  UserMessage,
} from '@nestor-ai/core';
import { SummarizingChatMemory } from '@nestor-ai/advisors';
import { ScriptedChatModel } from '@nestor-ai/testing';
import type { ConversationListView, ConversationView } from '../../libs/inspector/src/view/conversations.js';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

jest.setTimeout(60_000);

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (AiToolExecutionContext.is(context)) return true;
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { id: request.headers['user'] };
    return true;
  }
}

/** May see what everybody says to the support. */
class SupportPolicy extends ApprovalPolicy {
  override authorize(access: TurnAccess) {
    const isOfSupport = String(access.turn.context[ChatMemory.CONVERSATION_ID]).startsWith('support ');
    return (isOfSupport && access.action === 'read') || super.authorize(access);
  }
}

let app: InspectedApplication;
afterEach(() => app.close());

async function start({ ai, ...options }: Partial<InspectedOptions> = {}): Promise<void> {
  const chatModel = new ScriptedChatModel(({ messages }) => `Answer ${messages.length}`);
  app = await InspectedApplication.start({ chatModel, ai: { memory: true, ...ai }, ...options });
}

const say = (text: string, id: string, user?: string) =>
  app
    .get(ChatClient)
    .prompt(text)
    .conversation(id)
    .request(user === undefined ? {} : { user: { id: user } })
    .call()
    .content();
const list = (user = 'ann') => app.json<ConversationListView>('conversations', undefined, { user });
const one = (id: string, user = 'ann', query = '') =>
  app.json<ConversationView>(`conversation?id=${encodeURIComponent(id)}${query}`, undefined, { user });
const briefOf = ({ turns }: ConversationView) =>
  turns.map(({ isInView, summarizes, messages }) => [
    isInView,
    summarizes,
    messages.map(({ text }) => text).join(' | '),
  ]);

it('shows what has left the view, and the tokens of each turn', async () => {
  await start({ ai: { properties: { chat: { memory: { maxMessages: 4 } } } } });
  for (const text of ['One?', 'Two?', 'Three?']) await say(text, 'a/b c');
  expect(await list()).toEqual({ conversations: [{ id: 'a/b c', question: 'Three?' }], hidden: 0, hasMore: false });
  const shown = await one('a/b c');
  expect(briefOf(shown)).toEqual([
    [false, undefined, 'One? | Answer 1'],
    [true, undefined, 'Two? | Answer 3'],
    [true, undefined, 'Three? | Answer 5'],
  ]);
  expect(shown.tokens).toBe(shown.turns[1]!.tokens + shown.turns[2]!.tokens);
  expect(shown.hasEarlier).toBe(false);
});

it('shows a summary, and what it stands for', async () => {
  const model = new ScriptedChatModel(() => 'They counted.');
  const memory = {
    provide: ChatMemory,
    inject: [ConversationLog],
    useFactory: (log: ConversationLog) => new SummarizingChatMemory({ log, model, at: 1000, keepTurns: 1 }),
  };
  await start({ ai: { providers: [memory] } });
  for (const text of ['One?', 'Two?', 'Three?']) await say(text, 'c');
  await (app.get<ChatMemory>(ChatMemory as never) as SummarizingChatMemory).summarizeNow('c');
  expect(briefOf(await one('c'))).toEqual([
    [false, undefined, 'One? | Answer 1'],
    [false, undefined, 'Two? | Answer 3'],
    [true, 2, 'What have we talked about so far? | They counted.'],
    [true, undefined, 'Three? | Answer 5'],
  ]);
  expect((await list()).conversations).toEqual([{ id: 'c', question: 'Three?' }]);
});

it('counts each of two turns that say the same', async () => {
  await start({
    ai: { properties: { chat: { memory: { maxMessages: 2 } } } },
    chatModel: new ScriptedChatModel(() => 'ok'),
  });
  await say('Again', 'c');
  await say('Again', 'c');
  expect(briefOf(await one('c')).map(([isInView]) => isInView)).toEqual([false, true]);
});

it('shows a user only their own conversations, unless the policy says otherwise', async () => {
  await start({
    inspector: { guards: [new UserGuard()], impersonate: (id) => ({ user: { id } }) },
    ai: { providers: [{ provide: ApprovalPolicy, useClass: SupportPolicy }] },
  });
  await say('Mine', 'a', 'ann');
  await say('His', 'b', 'bob');
  await say('Help', 'support 1', 'bob');
  const idsOf = ({ conversations }: ConversationListView) => conversations.map(({ id, owner }) => [id, owner]);
  const seen = await list();
  expect({ ids: idsOf(seen), hidden: seen.hidden }).toEqual({
    ids: [
      ['a', 'ann'],
      ['support 1', 'bob'],
    ],
    hidden: 1,
  });
  await expect(one('b')).rejects.toThrow(/^404: .*There is no such conversation/);
  await expect(one('nothing')).rejects.toThrow(/^404: .*There is no such conversation/);
  expect(briefOf(await one('b', 'ann', '&as=bob'))).toEqual([[true, undefined, 'His | Answer 1']]);
});

it('shows no contents where they are hidden', async () => {
  await start({ content: false });
  await say('My secret is 42.', 'c');
  const { conversations } = await list();
  const shown = await one('c');
  expect([conversations[0]!.question, shown.question, ...briefOf(shown)[0]!]).toEqual([
    '[16 characters]',
    '[16 characters]',
    true,
    undefined,
    '[16 characters] | [8 characters]',
  ]);
});

it('shows the chat of the page, and more of a long conversation when it is asked for', async () => {
  await start();
  await app.run('chat', question('Hello'));
  const { conversations } = await list();
  expect(conversations.map((row) => row.question)).toEqual(['Hello']);
  const { id } = conversations[0]!;
  const memory = app.get<ChatMemory>(ChatMemory as never);
  for (let index = 0; index < 150; index++) await memory.add(id, new UserMessage(`Note ${index}`));
  const newest = await one(id);
  expect([newest.turns.length, newest.hasEarlier]).toEqual([100, true]);
  const all = await one(id, 'ann', '&limit=1000');
  expect([all.turns.length, all.hasEarlier, all.turns[0]!.messages[0]!.text]).toEqual([151, false, 'Hello']);
  for (const limit of ['-1', 'x', '', '1e999', '5&limit=7'])
    expect((await one(id, 'ann', `&limit=${limit}`)).turns.length).toBeGreaterThanOrEqual(100);
});
