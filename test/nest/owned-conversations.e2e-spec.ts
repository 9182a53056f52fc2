import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Injectable, Post, Query, Req } from '@nestjs/common';
import {
  AiModule,
  ApprovalPolicy,
  AssistantMessage,
  ChatClient,
  ChatMemory,
  ConversationLog,
  InMemoryChatMemoryRepository,
  MessageChatMemoryAdvisor,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import { startApplication } from './application.js';

interface WithUser {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: { readonly id: string } | undefined;
}

interface Question {
  readonly conversation: string;
  readonly text: string;
}

@Injectable()
class Bank {
  @Tool({ needsApproval: true })
  transfer(): string {
    return 'transferred';
  }
}

@Controller('chat')
class Chat {
  constructor(
    private readonly chatClient: ChatClient,
    private readonly log: ConversationLog,
  ) {}

  @Post()
  async ask(@Body() { conversation, text }: Question, @Req() req: WithUser) {
    const response = await this.#of(conversation, req).user(text).call().chatResponse();
    return { text: response?.text, turnId: response?.metadata['turnId'] };
  }

  @Post('stream')
  async stream(@Body() { conversation, text }: Question, @Req() req: WithUser) {
    const texts: string[] = [];
    await this.#of(conversation, req)
      .user(text)
      .stream()
      .content()
      .forEach((part) => void texts.push(part));
    return { text: texts.join('') };
  }

  @Post('decisions')
  async decide(@Body() { conversation, turnId }: { conversation: string; turnId: string }, @Req() req: WithUser) {
    const decision = { toolCallId: 'call', approved: true };
    return { text: await this.#of(conversation, req).toolApprovals([decision], { turnId }).call().content() };
  }

  @Get()
  mine(@Query('of') owner: string) {
    return this.log.list({ owner });
  }

  #of(conversation: string, req: WithUser) {
    const user = req.headers['x-user'];
    return this.chatClient
      .prompt()
      .conversation(conversation)
      .request({ ...req, user: user && { id: user } });
  }
}

class AllMayDecide extends ApprovalPolicy {
  override authorize() {
    return true;
  }
}

const insideTheLoop = {
  provide: MessageChatMemoryAdvisor,
  inject: [ChatMemory],
  useFactory: (chatMemory: ChatMemory) =>
    new MessageChatMemoryAdvisor({ chatMemory, order: ToolCallingAdvisor.DEFAULT_ORDER + 100 }),
};
const asList = { provide: ConversationLog, useFactory: () => new InMemoryChatMemoryRepository() };

async function start(
  options: Parameters<typeof AiModule.forRoot>[0] = {},
  model = new ScriptedChatModel(() => 'Noted.'),
) {
  const providers = [Bank];
  const settings = { memory: true, chatModel: model, ...options };
  const { app } = await startApplication({ controllers: [Chat], providers }, [], settings);
  const ask = async (user: string | undefined, conversation: string, text = 'Hello', path = '/chat') => {
    const asking = request(app.getHttpServer()).post(path);
    if (user !== undefined) void asking.set('x-user', user);
    const { status, body } = await asking.send({ conversation, text });
    return { status, ...(body as { text?: string; message?: string; turnId?: string }) };
  };
  return { app, model, ask };
}

const REFUSED = { status: 404, message: 'There is no such conversation, or you may not access it.' };

describe.each([
  ['before the tool loop', []],
  ['inside the tool loop', [insideTheLoop]],
  ['in a store of lists', [asList]],
])('conversations of users, remembered %s', (_where, providers) => {
  it('are closed to other users and to requests without a user', async () => {
    const { app, ask, model } = await start({ providers });
    await ask('ann', 'c', 'My code is 1234');
    for (const [user, path] of [
      ['bob', '/chat'],
      ['bob', '/chat/stream'],
      [undefined, '/chat'],
    ] as const)
      expect(await ask(user, 'c', 'What is the code?', path)).toMatchObject(REFUSED);
    expect(model.prompts).toHaveLength(1);
    expect(await ask('ann', 'c', 'And?')).toMatchObject({ status: 201 });
    expect(await app.get(ChatMemory).get('c')).toHaveLength(4);
  });

  it('go on for their user after another one has approved a call', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('transfer', {}, 'call')] }, 'Done.', 'You are Ann.']);
    const policy = { provide: ApprovalPolicy, useClass: AllMayDecide };
    const { app, ask } = await start({ providers: [...providers, policy] }, model);
    const { turnId } = await ask('ann', 'c', 'Transfer.');
    await request(app.getHttpServer()).post('/chat/decisions').set('x-user', 'bob').send({ conversation: 'c', turnId });
    expect(await ask('ann', 'c', 'Who am I?')).toMatchObject({ text: 'You are Ann.' });
    expect(await ask('bob', 'c')).toMatchObject(REFUSED);
  });

  it('are nobody’s when the application began them, until it gives them to a user', async () => {
    const { app, ask } = await start({ providers });
    await app.get(ChatMemory).add('c', new AssistantMessage('Welcome!'));
    expect(await ask('ann', 'c')).toMatchObject(REFUSED);
    await app.get(ConversationLog).adopt('c', 'ann');
    expect(await ask('ann', 'c')).toMatchObject({ status: 201 });
    expect(await ask('bob', 'c')).toMatchObject(REFUSED);
  });

  it('are listed for their user', async () => {
    const { app, ask } = await start({ providers });
    for (const [user, id] of [
      ['ann', 'a'],
      ['bob', 'b'],
      ['ann', 'c'],
      [undefined, 'd'],
    ] as const)
      await ask(user, id);
    const { body } = await request(app.getHttpServer()).get('/chat').query({ of: 'ann' });
    expect(body).toEqual(['a', 'c']);
  });

  it('are open with ai.chat.memory.owned=false', async () => {
    const { ask } = await start({ providers, properties: { chat: { memory: { owned: false } } } });
    for (const user of ['ann', 'bob', undefined]) expect(await ask(user, 'c')).toMatchObject({ status: 201 });
  });

  it('are open to requests without a user as long as no user has begun them', async () => {
    const { ask } = await start({ providers });
    for (const _turn of [1, 2]) expect(await ask(undefined, 'c')).toMatchObject({ status: 201 });
    expect(await ask('ann', 'c')).toMatchObject(REFUSED);
  });
});

describe('the refusal of a conversation', () => {
  it('tells the developer the reason and the remedy, and nothing of the conversation', async () => {
    const { app, ask } = await start();
    await ask('ann', 'secret-id', 'My code is 1234');
    const refused = (user?: { id: string }) =>
      app.get(ChatClient).prompt('Hi').conversation('secret-id').request({ user }).call().content();
    await expect(refused({ id: 'bob' })).rejects.toThrow(/belongs to another user.*TurnPrincipal/);
    await expect(refused()).rejects.toThrow(/belongs to a user, and the request has none\. Add \.request\(request\)/);
    await expect(refused({ id: 'bob' })).rejects.not.toThrow(/secret-id|1234|ann/);
  });
});
