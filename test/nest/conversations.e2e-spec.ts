import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Injectable, Post } from '@nestjs/common';
import {
  ChatClient,
  ChatMemory,
  ChatMemoryRepository,
  InMemoryChatMemoryRepository,
  MessageChatMemoryAdvisor,
  RegisterAdvisor,
  Tool,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import { startApplication } from './application.js';

@RegisterAdvisor()
@Injectable()
class Remembering extends MessageChatMemoryAdvisor {
  constructor(chatMemory: ChatMemory) {
    super({ chatMemory });
  }
}

@Injectable()
class Bank {
  readonly done: string[] = [];

  @Tool({ needsApproval: true })
  transfer(amount: number) {
    this.done.push(`${amount}`);
    return `${amount} transferred`;
  }
}

interface Question {
  conversation: string;
  text: string;
}
interface Decision {
  conversation: string;
  turnId: string;
  toolCallId: string;
  approved: boolean;
}

@Controller('chat')
class Chat {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  async ask(@Body() { conversation, text }: Question) {
    const response = await this.#in(conversation).user(text).call().chatResponse();
    const { finishReason, pendingApprovals } = response?.result?.metadata ?? {};
    if (finishReason !== 'toolApprovalRequired') return { answer: response?.text };
    return { turnId: response?.metadata['turnId'], pending: pendingApprovals };
  }

  @Post('decisions')
  async decide(@Body() { conversation, turnId, ...approval }: Decision) {
    const answer = await this.#in(conversation).toolApprovals([approval], { turnId }).call().content();
    return { answer };
  }

  #in(conversation: string) {
    return this.chatClient.prompt().advisors((a) => a.param(ChatMemory.CONVERSATION_ID, conversation));
  }
}

describe('a chat over HTTP', () => {
  const metadata = { controllers: [Chat], providers: [Bank, Remembering] };

  it('remembers each conversation by itself', async () => {
    const { app, model } = await startApplication(metadata, ['Hello Ann', 'Hello Bob', 'You are Ann']);
    const ask = async (conversation: string, text: string) => {
      const { body } = await request(app.getHttpServer()).post('/chat').send({ conversation, text }).expect(201);
      return (body as { answer: string }).answer;
    };
    await ask('a', 'I am Ann');
    await ask('b', 'I am Bob');
    expect(await ask('a', 'Who am I?')).toBe('You are Ann');
    expect(model.lastPrompt?.messages.map((message) => ('text' in message ? message.text : ''))).toEqual([
      'I am Ann',
      'Hello Ann',
      'Who am I?',
    ]);
  });

  it('waits for a decision, which comes in another request, and remembers the turn then', async () => {
    const script = [{ toolCalls: [toolCall('transfer', { amount: 5 }, 'c1')] }, 'Done'];
    const { app } = await startApplication(metadata, script);
    const http = request(app.getHttpServer());
    const asked = await http.post('/chat').send({ conversation: 'a', text: 'Send 5' }).expect(201);
    const { turnId, pending } = asked.body as { turnId: string; pending: unknown[] };
    expect(pending).toEqual([{ id: 'c1', name: 'transfer', arguments: '{"amount":5}' }]);
    expect(app.get(Bank).done).toEqual([]);

    const decision = { conversation: 'a', turnId, toolCallId: 'c1', approved: true };
    await http
      .post('/chat/decisions')
      .send({ ...decision, conversation: 'b' })
      .expect(404);
    const decided = await http.post('/chat/decisions').send(decision).expect(201);
    expect(decided.body).toEqual({ answer: 'Done' });
    expect(app.get(Bank).done).toEqual(['5']);
    expect((await app.get(ChatMemory).get('a')).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
});

describe('the memory of an application', () => {
  it('is stored where it says, as many messages as it says', async () => {
    class Counting extends InMemoryChatMemoryRepository {
      saved = 0;
      override saveAll(...given: Parameters<InMemoryChatMemoryRepository['saveAll']>): void {
        this.saved++;
        super.saveAll(...given);
      }
    }
    const { app, client } = await startApplication({ providers: [Remembering] }, ['1', '2', '3'], {
      providers: [{ provide: ChatMemoryRepository, useClass: Counting }],
      properties: { chat: { memory: { maxMessages: 2 } } },
    });
    for (const text of ['a', 'b', 'c']) {
      await client
        .prompt(text)
        .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, 'x'))
        .call()
        .content();
    }
    expect(await app.get(ChatMemory).get('x')).toHaveLength(2);
    expect(app.get<Counting>(ChatMemoryRepository).saved).toBe(3);
  });
});
