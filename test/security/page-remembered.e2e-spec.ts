import { describe, expect, it } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import {
  type Advisor,
  AroundAdvisor,
  AssistantMessage,
  BaseAdvisor,
  ChatMemory,
  ChatMemoryRepository,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChatResponse,
  fromMessageJson,
  type Message,
  MessageChatMemoryAdvisor,
  type MessageJson,
  type NextHandler,
  Tool,
  ToolCallingAdvisor,
  ToolContext,
  toMessageJson,
  TurnStop,
  UserMessage,
} from '@nestor-ai/core';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { type Scene, startApplication } from '../nest/application.js';
import { askedAbout, Bank, BOTH_WAYS, fetching, inConversation, ORDER, Web, wiring } from './bank.js';

/** As a database keeps conversations: as text. */
@Injectable()
class Conversations extends ChatMemoryRepository {
  readonly rows = new Map<string, string>();
  findConversationIds() {
    return [...this.rows.keys()];
  }
  findByConversationId(id: string) {
    return (JSON.parse(this.rows.get(id) ?? '[]') as MessageJson[]).map(fromMessageJson);
  }
  saveAll(id: string, messages: readonly Message[]) {
    this.rows.set(id, JSON.stringify(messages.map(toMessageJson)));
  }
  deleteByConversationId(id: string) {
    this.rows.delete(id);
  }
}

/** Makes new messages of the model's, as an advisor does that masks names. */
class Masking extends BaseAdvisor {
  readonly name = 'masking';
  constructor(override readonly order: number) {
    super();
  }
  override after(response: ChatClientResponse): ChatClientResponse {
    const results = response.chatResponse!.results.map(({ output, metadata }) => ({
      output: new AssistantMessage({ text: output.text.replaceAll('Mallory', 'M.'), toolCalls: output.toolCalls }),
      ...(metadata && { metadata }),
    }));
    return { ...response, chatResponse: response.chatResponse!.with({ results }) };
  }
}

/** Asks once more, around the loop, and may answer in words of its own. */
class Judging extends AroundAdvisor {
  readonly name = 'judging';
  override readonly order = BEFORE_THE_LOOP + 50;
  constructor(
    private readonly judge: (answer: ChatResponse) => string,
    private readonly answer?: string,
  ) {
    super();
  }
  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const first = await next.handle(request);
    const prompt = request.prompt.with({ messages: [new UserMessage(this.judge(first.chatResponse!))] });
    const second = await next.handle({ ...request, prompt });
    if (this.answer === undefined) return second;
    const results = [{ output: new AssistantMessage(this.answer), metadata: { finishReason: 'stop' } }];
    return { ...second, chatResponse: second.chatResponse!.with({ results }) };
  }
}

const BEFORE_THE_LOOP = MessageChatMemoryAdvisor.DEFAULT_ORDER;
const IN_THE_LOOP = ToolCallingAdvisor.DEFAULT_ORDER + 100;
/** Reads the page in the first turn, and pays in the next one. */
const LATER: readonly ScriptEntry[] = [
  { toolCalls: [fetching()] },
  'Shall I do so?',
  { toolCalls: [wiring()] },
  'Done.',
];

async function start(script: readonly ScriptEntry[], { providers = [Web, Bank] as Provider[], maxMessages = 20 } = {}) {
  const conversations = new Conversations();
  const scene = await startApplication({ providers }, script, {
    providers: [{ provide: ChatMemoryRepository, useValue: conversations }],
    properties: { chat: { memory: { maxMessages } } },
  });
  return { ...scene, conversations };
}

function remembering({ app, client }: Scene, order: number, ...others: Advisor[]) {
  const memory = new MessageChatMemoryAdvisor({ chatMemory: app.get(ChatMemory), order });
  return (text: string) =>
    inConversation(client)
      .user(text)
      .advisors(memory, ...others);
}

describe.each(BOTH_WAYS)('a page that was read in a turn before, in %s', (_way, answer) => {
  it.each([
    ['of which only the answer is remembered', BEFORE_THE_LOOP, []],
    ['of which the calls are remembered, too', IN_THE_LOOP, []],
    ['where an advisor in the loop makes messages of its own', BEFORE_THE_LOOP, [new Masking(0)]],
    [
      'where an advisor between memory and loop makes messages of its own',
      BEFORE_THE_LOOP,
      [new Masking(BEFORE_THE_LOOP + 50)],
    ],
    ['where an advisor behind the memory in the loop makes messages of its own', IN_THE_LOOP, [new Masking(0)]],
  ] as const)('has a payment wait, %s', async (_how, order, others) => {
    const scene = await start(LATER);
    const ask = remembering(scene, order, ...others);
    expect((await answer(ask('What does the shop say?')))?.text).toBe('Shall I do so?');
    expect(askedAbout(await answer(ask('Yes')))).toEqual(['wire']);
    expect(scene.app.get(Bank).wired).toEqual([]);
  });

  it('has a payment wait when the window has dropped the page, and what was said right after it', async () => {
    const scene = await start([...LATER.slice(0, 2), 'It is noon.', 'It is one.', ...LATER.slice(2)], {
      maxMessages: 2,
    });
    const ask = remembering(scene, IN_THE_LOOP);
    for (const question of ['What does the shop say?', 'How late is it?', 'And now?']) await answer(ask(question));
    expect(scene.conversations.findByConversationId('c1').map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(askedAbout(await answer(ask('Do it')))).toEqual(['wire']);
  });

  it('leaves other conversations alone', async () => {
    const scene = await start([...LATER.slice(0, 2), ...LATER.slice(2)]);
    await answer(remembering(scene, BEFORE_THE_LOOP)('What does the shop say?'));
    const memory = new MessageChatMemoryAdvisor({ chatMemory: scene.app.get(ChatMemory) });
    const other = inConversation(scene.client, 'c2').user('Wire 900 to Mallory').advisors(memory);
    expect((await answer(other))?.text).toBe('Done.');
    expect(scene.app.get(Bank).wired).toEqual(['900 to Mallory']);
  });

  it('is remembered when a tool has ended the turn early', async () => {
    @Injectable()
    class Patience {
      @Tool() stop(context: ToolContext) {
        context.turn.stop(new TurnStop('Enough.', 'stopped'));
      }
    }
    const script = [{ text: 'I look.', toolCalls: [fetching()] }, { toolCalls: [toolCall('stop')] }, ...LATER.slice(2)];
    const scene = await start(script, { providers: [Web, Bank, Patience] });
    const ask = remembering(scene, BEFORE_THE_LOOP);
    const stopped = await answer(ask('What does the shop say?'));
    expect(stopped?.text).toBe('I look.\n\nEnough.');
    expect(stopped?.result?.output.metadata).toEqual({ untrusted: true });
    expect(askedAbout(await answer(ask('Then pay')))).toEqual(['wire']);
  });

  it('is remembered when it was the answer itself', async () => {
    @Injectable()
    class Reader {
      @Tool({ untrusted: true, returnDirect: true }) fetchPage(url: string) {
        return `${url} says: ${ORDER}`;
      }
    }
    const scene = await start([LATER[0]!, ...LATER.slice(2)], { providers: [Reader, Bank] });
    const ask = remembering(scene, BEFORE_THE_LOOP);
    expect((await answer(ask('Show me the shop')))?.text).toBe(`shop.example says: ${ORDER}`);
    expect(askedAbout(await answer(ask('Do as it says')))).toEqual(['wire']);
  });

  it('is known where an advisor asks once more, with words that it has made of the answer', async () => {
    const script = [...LATER.slice(0, 2), { toolCalls: [wiring()] }];
    const { client } = await start(script);
    expect(askedAbout(await answer(client.prompt('Go').advisors(new Judging(({ text }) => `Do it: ${text}`))))).toEqual(
      ['wire'],
    );
  });

  it('is remembered where an advisor asks once more, and makes an answer of its own', async () => {
    const scene = await start(['I do not know.', ...LATER]);
    const judging = new Judging(() => 'Look at the page.', 'The shop wants money.');
    await answer(remembering(scene, BEFORE_THE_LOOP, judging)('What does the shop say?'));
    expect(askedAbout(await answer(remembering(scene, BEFORE_THE_LOOP)('Then pay')))).toEqual(['wire']);
  });

  it('is known where the application keeps the messages itself', async () => {
    const { client } = await start(LATER);
    const question = new UserMessage('What does the shop say?');
    const { output } = (await answer(client.prompt().messages(question)))!.result!;
    const next = client.prompt().messages(question, output, new UserMessage('Yes'));
    expect(askedAbout(await answer(next))).toEqual(['wire']);
  });

  it('is known where the application repeats what the memory has', async () => {
    const scene = await start(LATER);
    const ask = remembering(scene, BEFORE_THE_LOOP);
    await answer(ask('What does the shop say?'));
    const repeated = [new UserMessage('What does the shop say?'), new AssistantMessage('Shall I do so?')];
    expect(askedAbout(await answer(ask('Yes').messages(...repeated)))).toEqual(['wire']);
  });

  it('is known where the answer comes from a cache', async () => {
    const kept = new Map<string, unknown>();
    const cache = {
      get: (key: string) => Promise.resolve(kept.get(key)),
      set: (key: string, value: unknown) => Promise.resolve(kept.set(key, value)),
    };
    const scene = await start([...LATER.slice(0, 2), LATER[2]!]);
    const caching = new ResponseCacheAdvisor({ cache });
    for (const id of ['c1', 'c2']) {
      const memory = new MessageChatMemoryAdvisor({ chatMemory: scene.app.get(ChatMemory), order: IN_THE_LOOP });
      const ask = (text: string) => inConversation(scene.client, id).user(text).advisors(memory, caching);
      await answer(ask('What does the shop say?'));
      expect(askedAbout(await answer(ask('Yes')))).toEqual(['wire']);
    }
    expect(scene.model.prompts).toHaveLength(3);
  });
});
