import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  ChatClient,
  ChatMemory,
  ChatMemoryRepository,
  ConversationLockTimeoutException,
  InMemoryChatMemoryRepository,
  type Message,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  RegisterAdvisor,
  Tool,
  ToolCallingAdvisor,
  ToolContext,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { signalled } from '../recipes/http-application.js';
import { bootstrapError, callOf, startApplication } from './application.js';

type Operation = 'find' | 'save';

/** A database that does not answer while it is told not to. */
@Injectable()
class Database extends ChatMemoryRepository {
  readonly #stored = new InMemoryChatMemoryRepository();
  hanging: Operation | undefined;
  onHang: () => void = () => undefined;

  findConversationIds() {
    return this.#stored.findConversationIds();
  }
  async findByConversationId(id: string): Promise<readonly Message[]> {
    await this.#reach('find');
    return this.#stored.findByConversationId(id);
  }
  async saveAll(id: string, messages: readonly Message[]): Promise<void> {
    await this.#reach('save');
    this.#stored.saveAll(id, messages);
  }
  deleteByConversationId(id: string) {
    this.#stored.deleteByConversationId(id);
  }

  /** Hangs at an operation, and tells when it does. */
  hangAt(operation: Operation): Promise<void> {
    this.hanging = operation;
    return new Promise((resolve) => (this.onHang = resolve));
  }

  async #reach(operation: Operation): Promise<void> {
    if (this.hanging !== operation) return;
    this.onHang();
    await new Promise(() => undefined);
  }
}

@RegisterAdvisor()
@Injectable()
class BeforeTheLoop extends MessageChatMemoryAdvisor {
  constructor(chatMemory: ChatMemory) {
    super({ chatMemory });
  }
}

@RegisterAdvisor()
@Injectable()
class InsideTheLoop extends MessageChatMemoryAdvisor {
  constructor(chatMemory: ChatMemory) {
    super({ chatMemory, order: ToolCallingAdvisor.DEFAULT_ORDER + 100 });
  }
}

/** The application does not wait long for what hangs. */
const ENDS_SOON = { shutdown: { drainTimeout: 20 }, tools: { shutdownTimeout: 20 } };

type Ask = (client: ChatClient, text: string, signal?: AbortSignal, conversation?: string) => Promise<string>;

const requestOf = (client: ChatClient, text: string, signal?: AbortSignal, conversation = 'c') =>
  client
    .prompt(text)
    .options(signal ? { signal } : {})
    .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, conversation));

const ways: [string, Ask][] = [
  [
    'call',
    async (...asked) =>
      (await requestOf(...asked)
        .call()
        .content()) ?? '',
  ],
  [
    'stream',
    async (...asked) =>
      (
        await lastValueFrom(
          requestOf(...asked)
            .stream()
            .content()
            .pipe(toArray()),
        )
      ).join(''),
  ],
];

const cases = [BeforeTheLoop, InsideTheLoop].flatMap((advisor) =>
  ways.flatMap(([way, ask]) =>
    (['find', 'save'] as const).map(
      (operation) => [operation, advisor.name, way, { advisor, ask, operation }] as const,
    ),
  ),
);

describe.each(cases)('a database that hangs at %s (%s, %s)', (_operation, _place, _way, scene) => {
  const { advisor, ask, operation } = scene;
  const start = async (script: ScriptEntry[]) => {
    const { app, client, model } = await startApplication({ providers: [advisor] }, script, {
      properties: ENDS_SOON,
      providers: [{ provide: ChatMemoryRepository, useClass: Database }],
    });
    const database = app.get<ChatMemoryRepository, Database>(ChatMemoryRepository);
    return { app, client, model, database };
  };

  it('does not hold a caller who gives up, and the next turn finds nothing of his', async () => {
    const { client, model, database } = await start(['one', 'two', 'three'].slice(operation === 'find' ? 1 : 0));
    const caller = new AbortController();
    const hanging = database.hangAt(operation);
    const given = ask(client, 'First', caller.signal);
    await hanging;
    caller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    database.hanging = undefined;
    expect(await ask(client, 'Second')).toBe('two');
    expect(await ask(client, 'Third')).toBe('three');
    expect(model.lastPrompt?.messages.map((message) => 'text' in message && message.text)).toEqual([
      'Second',
      'two',
      'Third',
    ]);
  });

  it('does not keep those waiting who come behind him', async () => {
    const { client, database } = await start(['one', 'two'].slice(operation === 'find' ? 1 : 0));
    const caller = new AbortController();
    const hanging = database.hangAt(operation);
    const given = ask(client, 'First', caller.signal);
    await hanging;
    const behind = ask(client, 'Second');
    database.hanging = undefined;
    caller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    expect(await behind).toBe('two');
  });

  it('does not hold the application, nor who asks when it ends', async () => {
    const { app, client, database } = await start(['one']);
    const hanging = database.hangAt(operation);
    const told = expect(ask(client, 'First')).rejects.toThrow(/application is shutting down/);
    await hanging;
    const behind = expect(ask(client, 'Second')).rejects.toThrow(/application is shutting down/);
    await app.close();
    await told;
    await behind;
  });
});

describe('a stream that is left while its turn is stored', () => {
  it.each([BeforeTheLoop, InsideTheLoop])('lets the next turn in (%p)', async (advisor) => {
    const { app, client } = await startApplication({ providers: [advisor] }, ['one', 'two'], {
      properties: ENDS_SOON,
      providers: [{ provide: ChatMemoryRepository, useClass: Database }],
    });
    const database = app.get<ChatMemoryRepository, Database>(ChatMemoryRepository);
    const hanging = database.hangAt('save');
    const stream = requestOf(client, 'First').stream().content().subscribe();
    await hanging;
    stream.unsubscribe();
    database.hanging = undefined;
    expect(await requestOf(client, 'Second').call().content()).toBe('two');
  });
});

@Injectable()
class Tools {
  readonly hangs = signalled();

  constructor(private readonly chatClient: ChatClient) {}

  @Tool() hang() {
    this.hangs.give();
    return new Promise(() => undefined);
  }

  @Tool() async askOther(other: string, { signal }: ToolContext) {
    return requestOf(this.chatClient, `From beside ${other}`, signal, other).call().content();
  }
}

describe('a conversation whose tool hangs', () => {
  it.each([
    ['as configured', BeforeTheLoop, { properties: { ...ENDS_SOON, chat: { memory: { lockTimeout: 20 } } } }],
    ['as configured', InsideTheLoop, { properties: { ...ENDS_SOON, chat: { memory: { lockTimeout: 20 } } } }],
  ])('is waited for no longer than %s (%p)', async (_how, advisor, options) => {
    const { app, client } = await startApplication(
      { providers: [advisor, Tools] },
      [...callOf('hang').slice(0, 1), 'elsewhere'],
      options,
    );
    const caller = new AbortController();
    const first = expect(requestOf(client, 'First', caller.signal).call().content()).rejects.toThrow('enough');
    await app.get(Tools).hangs.seen;
    for (const [, ask] of ways) {
      const error = await ask(client, 'Secret').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConversationLockTimeoutException);
      expect(error).toMatchObject({ conversationId: 'c', timeout: 20 });
      expect((error as Error).message).not.toMatch(/Secret|First/);
    }
    expect(await requestOf(client, 'Other', undefined, 'other').call().content()).toBe('elsewhere');
    caller.abort(new Error('enough'));
    await first;
  });

  it.each(['5m', 'none', 250])('may be waited for %p', async (lockTimeout) => {
    await startApplication({}, [], { properties: { chat: { memory: { lockTimeout: lockTimeout as number } } } });
  });

  it('cannot be waited for some time that is none', async () => {
    const { message } = await bootstrapError({}, { properties: { chat: { memory: { lockTimeout: -1 } } } });
    expect(message).toMatch(/ai\.chat\.memory\.lock-timeout.*-1.*none for no limit/);
  });
});

describe('conversations that ask in each other', () => {
  it.each([BeforeTheLoop, InsideTheLoop])(
    'end by the lock timeout, and go on without that answer (%p)',
    async (advisor) => {
      const answers = (prompt: { messages: readonly Message[] }) => {
        const last = prompt.messages.at(-1)!;
        if (last.role === 'tool') return 'done';
        if (last.role === 'user' && !last.text.startsWith('I am')) return 'fine';
        const other = last.role === 'user' && last.text === 'I am a' ? 'b' : 'a';
        return { toolCalls: [toolCall('askOther', { other })] };
      };
      const { client } = await startApplication({ providers: [advisor, Tools] }, Array(6).fill(answers), {
        properties: { ...ENDS_SOON, chat: { memory: { lockTimeout: 50 } } },
      });
      const both = await Promise.all([
        requestOf(client, 'I am a', undefined, 'a').call().content(),
        requestOf(client, 'I am b', undefined, 'b').call().content(),
      ]);
      expect(both).toEqual(['done', 'done']);
    },
  );
});

describe('a client without a container', () => {
  it('takes the limit of its memory advisor', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const held = signalled();
    class Held extends ScriptedChatModel {
      override async call(...[prompt]: Parameters<ScriptedChatModel['call']>) {
        await held.seen;
        return super.call(prompt);
      }
    }
    const client = ChatClient.builder(new Held(['slow']))
      .defaultAdvisors(MessageChatMemoryAdvisor.builder(chatMemory).lockTimeout(5).build())
      .build();
    const first = requestOf(client, 'First').call().content();
    await expect(requestOf(client, 'Second').call().content()).rejects.toThrow(ConversationLockTimeoutException);
    held.give();
    expect(await first).toBe('slow');
  });
});
