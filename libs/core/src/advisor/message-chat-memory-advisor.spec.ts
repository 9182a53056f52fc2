import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, take, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import type { ChatOptions } from '../model/chat-options.js';
import { AssistantMessage, type Message, SystemMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { AdvisorParams } from './advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { MessageChatMemoryAdvisor } from './message-chat-memory-advisor.js';
import { Ordered } from './ordered.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

const OUTSIDE = Ordered.HIGHEST_PRECEDENCE + 200;
const INSIDE = ToolCallingAdvisor.DEFAULT_ORDER + 100;

const textOf = (message: Message): string =>
  message.role === 'tool'
    ? `[${message.responses.map(({ responseData }) => responseData).join()}]`
    : message.text || '(call)';
const texts = (messages: readonly Message[] = []): string => messages.map(textOf).join(' | ');

function scene(script: ScriptEntry[], order = OUTSIDE, toolFunction: () => unknown = () => 'sunny') {
  const memory = new MessageWindowChatMemory();
  const model = new ScriptedChatModel(script);
  const weather = new FunctionToolCallback({ name: 'weather', toolFunction });
  const client = ChatClient.builder(model)
    .defaultTools(weather)
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: memory, order }), (a) =>
      a.param(ChatMemory.CONVERSATION_ID, 'c'),
    )
    .build();
  return { memory, model, client, weather };
}

const weatherTurn: ScriptEntry[] = [{ toolCalls: [toolCall('weather')] }, 'It is sunny'];

describe.each([
  ['call', async (client: ChatClient, text: string) => client.prompt(text).call().content()],
  [
    'stream',
    async (client: ChatClient, text: string) =>
      (await lastValueFrom(client.prompt(text).stream().content().pipe(toArray()))).join(''),
  ],
] as const)('a conversation (%s)', (_how, ask) => {
  it('is part of the next request', async () => {
    const { client, model } = scene(['Hello Ann', 'You are Ann']);
    await ask(client, 'I am Ann');
    expect(await ask(client, 'Who am I?')).toBe('You are Ann');
    expect(texts(model.lastPrompt?.messages)).toBe('I am Ann | Hello Ann | Who am I?');
  });

  it('outside the loop contains questions and answers', async () => {
    const { client, memory, model } = scene([...weatherTurn, 'Yes']);
    await ask(client, 'Weather?');
    expect(texts(await memory.get('c'))).toBe('Weather? | It is sunny');
    await ask(client, 'Sure?');
    expect(texts(model.lastPrompt?.messages)).toBe('Weather? | It is sunny | Sure?');
  });

  it('inside the loop also contains tool calls and results', async () => {
    const { client, memory, model } = scene([...weatherTurn, ...weatherTurn], INSIDE);
    await ask(client, 'Weather?');
    expect(texts(await memory.get('c'))).toBe('Weather? | (call) | [sunny] | It is sunny');
    await ask(client, 'Again?');
    expect(texts(model.lastPrompt?.messages)).toBe(
      'Weather? | (call) | [sunny] | It is sunny | Again? | (call) | [sunny]',
    );
  });

  it.each([OUTSIDE, INSIDE])('contains nothing of a failed turn (order %d)', async (order) => {
    const { client, memory } = scene([{ toolCalls: [toolCall('weather')] }, { error: new Error('down') }], order);
    await expect(ask(client, 'Weather?')).rejects.toThrow('down');
    expect(await memory.get('c')).toEqual([]);
  });

  it.each([OUTSIDE, INSIDE])('continues after a failed turn (order %d)', async (order) => {
    const { client, memory } = scene([{ error: new Error('down') }, 'Here I am'], order);
    await expect(ask(client, 'One')).rejects.toThrow('down');
    expect(await ask(client, 'Two')).toBe('Here I am');
    expect(texts(await memory.get('c'))).toBe('Two | Here I am');
  });

  it.each([OUTSIDE, INSIDE])('keeps the order of concurrent turns (order %d)', async (order) => {
    const { client, memory, model } = scene(
      [1, 2, 3].map((at) => ({ text: `A${at}`, delay: 4 - at })),
      order,
    );
    await Promise.all([ask(client, 'U1'), ask(client, 'U2'), ask(client, 'U3')]);
    expect(texts(await memory.get('c'))).toBe('U1 | A1 | U2 | A2 | U3 | A3');
    expect(texts(model.lastPrompt?.messages)).toBe('U1 | A1 | U2 | A2 | U3');
  });

  it('needs an id', async () => {
    const model = new ScriptedChatModel(['Hi']);
    const advisor = MessageChatMemoryAdvisor.builder(new MessageWindowChatMemory()).build();
    const client = ChatClient.builder(model).defaultAdvisors(advisor).build();
    await expect(ask(client, 'Hi')).rejects.toThrow(/conversationId cannot be null.*\.conversation\(id\)/);
    expect(model.prompts).toEqual([]);
  });

  it.each([OUTSIDE, INSIDE])(
    'does not block a tool that sends a request in the same conversation (order %d)',
    async (order) => {
      const { client, memory } = scene(
        [{ toolCalls: [toolCall('weather')] }, 'from the tool', 'It is sunny'],
        order,
        (): unknown => client.prompt('Ask somebody else').tools().call().content(),
      );
      expect(await ask(client, 'Weather?')).toBe('It is sunny');
      expect(texts(await memory.get('c'))).toContain('Weather?');
    },
  );
});

describe('a memory inside the loop', () => {
  it('contains a result that a tool returned directly', async () => {
    const memory = new MessageWindowChatMemory();
    const direct = new FunctionToolCallback({
      name: 'weather',
      toolFunction: () => 'sunny',
      toolMetadata: { returnDirect: true },
    });
    const client = ChatClient.builder(new ScriptedChatModel(weatherTurn))
      .defaultTools(direct)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: memory, order: INSIDE }))
      .build();
    await client
      .prompt('Weather?')
      .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, 'c'))
      .call()
      .content();
    expect(texts(await memory.get('c'))).toBe('Weather? | (call) | [sunny] | sunny');
  });

  it('is not repeated if the loop sends the whole history', async () => {
    const memory = new MessageWindowChatMemory();
    const model = new ScriptedChatModel(weatherTurn);
    const client = ChatClient.builder(model)
      .defaultTools(new FunctionToolCallback({ name: 'weather', toolFunction: () => 'sunny' }))
      .defaultAdvisors(
        new ToolCallingAdvisor({ conversationHistoryEnabled: true }),
        new MessageChatMemoryAdvisor({ chatMemory: memory, order: INSIDE }),
        (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    await client.prompt('Weather?').call().content();
    expect(texts(model.lastPrompt?.messages)).toBe('Weather? | (call) | [sunny]');
  });
});

describe('a stream after an unsubscribe', () => {
  it.each([OUTSIDE, INSIDE])('stores nothing and lets the next turn in (order %d)', async (order) => {
    const { client, memory } = scene(['one two three', 'Fine'], order);
    await lastValueFrom(client.prompt('Count').stream().content().pipe(take(1)));
    expect(await client.prompt('How are you?').call().content()).toBe('Fine');
    expect(texts(await memory.get('c'))).toBe('How are you? | Fine');
  });

  it('blocks nobody while it waits for another turn', async () => {
    const { client, memory } = scene([{ text: 'slow', delay: 1000 }, 'last']);
    const first = client.prompt('first').call().content();
    await new Promise(setImmediate);
    const second = client.prompt('second').stream().content().subscribe();
    await new Promise((resolve) => setTimeout(resolve, 2));
    second.unsubscribe();
    expect(await first).toBe('slow');
    expect(await client.prompt('third').call().content()).toBe('last');
    expect(texts(await memory.get('c'))).toBe('first | slow | third | last');
  });
});

describe('the messages of a request with memory', () => {
  it('begin with the instructions, including those of a memory', async () => {
    const { client, memory, model } = scene(['Hi']);
    await memory.add('c', [new SystemMessage('Remember'), new UserMessage('U1'), new AssistantMessage('A1')]);
    await client.prompt('U2').system('Be brief').call().content();
    expect(texts(model.lastPrompt?.messages)).toBe('Be brief | Remember | U1 | A1 | U2');
  });

  it('are not repeated when the caller sends the conversation', async () => {
    const { client, memory, model } = scene(['A2']);
    await memory.add('c', [new UserMessage('U1'), new AssistantMessage('A1')]);
    await client
      .prompt()
      .messages({ role: 'user', text: 'U1' }, { role: 'assistant', text: 'A1' })
      .user('U2')
      .call()
      .content();
    expect(texts(model.lastPrompt?.messages)).toBe('U1 | A1 | U2');
    expect(texts(await memory.get('c'))).toBe('U1 | A1 | U2 | A2');
  });
});

describe('a caller who runs the loop', () => {
  const run = async (sends: number) => {
    const { client, memory, model, weather } = scene(weatherTurn);
    const manager = new DefaultToolCallingManager();
    const options: ChatOptions = { toolCallbacks: [weather] };
    const ask = (prompt: Prompt) =>
      client.prompt(prompt).advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false)).call().chatResponse();
    let prompt = new Prompt('Weather?', options);
    let response = await ask(prompt);
    const between = texts(await memory.get('c'));
    while (response?.hasToolCalls()) {
      const { conversationHistory } = await manager.executeToolCalls(prompt, response);
      prompt = new Prompt(conversationHistory.slice(-sends), options);
      response = await ask(prompt);
    }
    return { between, after: texts(await memory.get('c')), sent: texts(model.lastPrompt?.messages) };
  };

  it.each([Infinity, 2, 1])('has whole turns in memory, if each request has the last %d messages', async (sends) => {
    expect(await run(sends)).toEqual({
      between: '',
      after: 'Weather? | (call) | [sunny] | It is sunny',
      sent: 'Weather? | (call) | [sunny]',
    });
  });
});

describe('a locked conversation', () => {
  const waiting = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it('is released after an unsubscribe from a stream whose tool hangs', async () => {
    const { client, memory } = scene(
      [{ toolCalls: [toolCall('weather')] }, 'Fine'],
      INSIDE,
      () => new Promise(() => undefined),
    );
    const stream = client.prompt('Weather?').stream().content().subscribe();
    await waiting(5);
    stream.unsubscribe();
    expect(await client.prompt('How are you?').call().content()).toBe('Fine');
    expect(texts(await memory.get('c'))).toBe('How are you? | Fine');
  });

  it.each(['doAfterCall', 'doBeforeCall'] as const)('does not block a hook of the loop: %s', async (hook) => {
    const memory = new MessageWindowChatMemory();
    const model = new ScriptedChatModel(['inner', 'inner', 'outer', 'inner'].slice(hook === 'doBeforeCall' ? 1 : 2));
    let asked = false;
    class Summarising extends ToolCallingAdvisor {
      protected override async doBeforeCall(request: ChatClientRequest) {
        if (hook === 'doBeforeCall') await this.ask();
        return request;
      }
      protected override async doAfterCall(response: ChatClientResponse) {
        if (hook === 'doAfterCall') await this.ask();
        return response;
      }
      private async ask(): Promise<void> {
        if (asked) return;
        asked = true;
        await client.prompt('inside').call().content();
      }
    }
    const client: ChatClient = ChatClient.builder(model)
      .defaultAdvisors(new Summarising(), new MessageChatMemoryAdvisor({ chatMemory: memory, order: INSIDE }), (a) =>
        a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    expect(await client.prompt('outside').call().content()).toBe('outer');
  });

  it('is not held by code that a tool left running after its turn', async () => {
    const late: Promise<unknown>[] = [];
    const { client, memory } = scene(
      [{ toolCalls: [toolCall('weather')] }, 'one', { text: 'two', delay: 15 }, 'three'],
      OUTSIDE,
      () => {
        late.push(waiting(10).then(() => client.prompt('U3').tools().call().content()));
        return 'sunny';
      },
    );
    await client.prompt('U1').call().content();
    await Promise.all([client.prompt('U2').call().content(), ...late]);
    expect(texts(await memory.get('c'))).toBe('U1 | one | U2 | two | U3 | three');
  });

  it.each(['', '\n\n'])('has no half turns: an answer without text does not count (%j)', async (empty) => {
    const { client, memory } = scene([empty, 'Hello']);
    await client.prompt('U1').call().content();
    await client.prompt('U2').call().content();
    expect(texts(await memory.get('c'))).toBe('U2 | Hello');
  });
});
