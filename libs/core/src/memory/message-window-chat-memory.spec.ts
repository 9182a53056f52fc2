import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, type Message, SystemMessage, ToolResponseMessage, UserMessage } from '../model/messages.js';
import { InMemoryChatMemoryRepository } from './chat-memory.repository.js';
import { fromMessageJson, toMessageJson } from './message-json.js';
import { MessageWindowChatMemory } from './message-window-chat-memory.js';

/**
 * `U1`: a user message, `A1`: an answer, `C1` and `T1`: a tool call and its response, `S1`: a
 * system message.
 */
function message(name: string): Message {
  const id = name.slice(1);
  switch (name[0]) {
    case 'U':
      return new UserMessage(name);
    case 'A':
      return new AssistantMessage(name);
    case 'S':
      return new SystemMessage(name);
    case 'C':
      return new AssistantMessage({ text: name, toolCalls: [{ id, name: 'tool', arguments: '{}' }] });
    default:
      return new ToolResponseMessage({ responses: [{ id, name: 'tool', responseData: name }] });
  }
}

const nameOf = (given: Message): string => (given.role === 'tool' ? given.responses[0]!.responseData : given.text);

async function kept(maxMessages: number, ...added: string[]): Promise<string> {
  const memory = new MessageWindowChatMemory({ maxMessages });
  for (const names of added) await memory.add('c', names.split(' ').map(message));
  return (await memory.get('c')).map(nameOf).join(' ');
}

describe('the window of a memory', () => {
  it.each([
    ['nothing is forgotten within the limit', 4, ['U1 A1 U2 A2'], 'U1 A1 U2 A2'],
    ['the oldest turns go first', 2, ['U1 A1', 'U2 A2'], 'U2 A2'],
    ['what is kept begins with a user message', 2, ['U1 A1 U2 A2 U3'], 'U3'],
    ['a turn is not cut in the middle', 3, ['U1 A1 U2 A2 U3 A3'], 'U3 A3'],
    ['a cut at a user message is a good one', 4, ['U1 A1 U2 A2 U3 A3'], 'U2 A2 U3 A3'],
    ['system messages stay, and count', 3, ['S1 U1 A1 U2 A2'], 'S1 U2 A2'],
    ['system messages alone may fill it', 3, ['S1 S2 U1 A1 U2 A2'], 'S1 S2'],
    ['system messages beyond the limit stay', 2, ['S1 S2 S3 U1 A1'], 'S1 S2 S3'],
    ['a turn of several steps goes as a whole', 4, ['U1 C1 T1 C2 T2 A1', 'U2 A2'], 'U2 A2'],
    ['a new system message takes the place of the old', 5, ['S1 U1 A1', 'S2 U2 A2'], 'U1 A1 S2 U2 A2'],
    ['the same system message too', 9, ['S1 U1 A1', 'S1 U2 A2'], 'U1 A1 S1 U2 A2'],
    ['the open turn is kept whole, however long', 3, ['U1 A1 U2 C1 T1 C2 T2'], 'U2 C1 T1 C2 T2'],
    ['also when it has only just begun to call a tool', 2, ['U1 A1 U2 C1 T1 C2'], 'U2 C1 T1 C2'],
    ['of a turn that is over, the oldest calls go, in pairs', 4, ['U1 C1 T1 C2 T2 A1'], 'U1 C2 T2 A1'],
    ['and never a call without its response', 3, ['U1 C1 T1 C2 T2 A1'], 'U1 A1'],
  ])('%s', async (_what, maxMessages, added, expected) => {
    expect(await kept(maxMessages, ...added)).toBe(expected);
  });

  it('keeps 20 messages by default', async () => {
    const turns = Array.from({ length: 15 }, (_, at) => `U${at} A${at}`);
    expect((await kept(20, ...turns)).split(' ')).toHaveLength(20);
  });

  it.each([0, -1, 1.5])('refuses a limit of %d', (maxMessages) => {
    expect(() => new MessageWindowChatMemory({ maxMessages })).toThrow(
      'maxMessages must be a whole number greater than 0',
    );
  });
});

describe('a memory with a maximum of tokens', () => {
  /** `U1` has 4 tokens of its own, and 1 of its text; `U1xxxx` has one more. */
  async function seen(maxTokens: number, ...added: string[]): Promise<string> {
    const memory = new MessageWindowChatMemory({ maxTokens });
    for (const names of added) await memory.add('c', names.split(' ').map(message));
    return (await memory.get('c')).map(nameOf).join(' ');
  }

  it.each([
    ['nothing is left out within the limit', 20, ['U1 A1', 'U2 A2'], 'U1 A1 U2 A2'],
    ['the oldest turns are left out', 19, ['U1 A1', 'U2 A2'], 'U2 A2'],
    ['a long text counts for what it is', 20, ['U1 A1', 'U2 A2xx'.padEnd(20, 'x')], 'U2 A2'.padEnd(20, 'x')],
    ['system messages stay, and count', 15, ['S1 U1 A1', 'U2 A2'], 'S1 U2 A2'],
    ['the open turn is whole, however long', 5, ['U1 A1 U2 C1 T1 C2 T2'], 'U2 C1 T1 C2 T2'],
    ['of a turn that is over, the oldest calls go, in pairs', 32, ['U1 C1 T1 C2 T2 A1'], 'U1 C2 T2 A1'],
    ['a turn without room for its answer is left out', 9, ['U1 A1'], ''],
  ])('%s', async (_what, most, added, expected) => {
    expect(await seen(most, ...added)).toBe(expected);
  });

  it('sees as many messages as fit, unless there is a maximum of messages too', async () => {
    const turns = Array.from({ length: 300 }, (_, at) => message(`U${at % 10}`));
    const seenWith = async (maxMessages?: number): Promise<number> => {
      const memory = new MessageWindowChatMemory({ maxTokens: 1250, maxMessages });
      for (const turn of turns) await memory.add('c', turn);
      return (await memory.get('c')).length;
    };
    expect(await seenWith()).toBe(250);
    expect(await seenWith(30)).toBe(30);
  });

  it.each([0, -1, 1.5])('refuses a limit of %d', (maxTokens) => {
    expect(() => new MessageWindowChatMemory({ maxTokens })).toThrow('maxTokens must be a whole number greater than 0');
  });
});

describe('a memory', () => {
  it('stores conversations separately and clears them on request', async () => {
    const memory = MessageWindowChatMemory.builder().maxMessages(5).build();
    await memory.add('a', message('U1'));
    await memory.add('b', [message('U2')]);
    await memory.clear('a');
    expect(await memory.get('a')).toEqual([]);
    expect(await memory.get('b')).toEqual([message('U2')]);
    expect(await memory.get('x')).toEqual([]);
  });

  it('loses no message when messages are added concurrently', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 100 });
    await Promise.all(Array.from({ length: 20 }, (_, at) => memory.add('c', [message(`U${at}`), message(`A${at}`)])));
    expect((await memory.get('c')).map(nameOf).join(' ')).toBe(
      Array.from({ length: 20 }, (_, at) => `U${at} A${at}`).join(' '),
    );
  });

  it.each(['', '  ', null])('requires a conversation id: %j', async (id) => {
    const memory = new MessageWindowChatMemory();
    await expect(memory.add(id as string, message('U1'))).rejects.toThrow('conversationId cannot be null or empty');
    await expect(memory.get(id as string)).rejects.toThrow(TypeError);
  });

  it.each([[null], [[null]], [[message('U1'), undefined]], [{ role: 'other' }]])(
    'refuses what is no message: %j',
    async (given) => {
      await expect(new MessageWindowChatMemory().add('c', given as never)).rejects.toThrow(TypeError);
    },
  );

  it('accepts messages as plain JSON', async () => {
    const memory = new MessageWindowChatMemory();
    await memory.add('c', { role: 'user', text: 'Hi' });
    expect(await memory.get('c')).toEqual([{ role: 'user', text: 'Hi' }]);
  });
});

describe('the repository in memory', () => {
  it('lists, overwrites and deletes conversations', () => {
    const repository = new InMemoryChatMemoryRepository();
    repository.saveAll('a', [message('U1')]);
    repository.saveAll('a', [message('U2')]);
    repository.saveAll('b', []);
    expect(repository.findConversationIds()).toEqual(['a', 'b']);
    expect(repository.findByConversationId('a')).toEqual([message('U2')]);
    repository.deleteByConversationId('a');
    expect(repository.findByConversationId('a')).toEqual([]);
  });

  it('is not affected by later changes of its arguments and results', () => {
    const repository = new InMemoryChatMemoryRepository();
    const messages = [message('U1')];
    repository.saveAll('a', messages);
    messages.push(message('A1'));
    expect(repository.findByConversationId('a')).toHaveLength(1);
  });
});

describe('a message as JSON', () => {
  it.each<[string, Message]>([
    ['a question', new UserMessage('Hi')],
    [
      'a call',
      new AssistantMessage({
        text: '',
        toolCalls: [{ id: '1', name: 'x', arguments: '{}', index: 0 }],
        reasoning: 'why',
      }),
    ],
    ['a failure', new ToolResponseMessage({ responses: [{ id: '1', name: 'x', responseData: 'no', isError: true }] })],
    [
      'a link to a picture',
      new UserMessage({ text: 'See', media: [{ mimeType: 'image/png', data: new URL('https://x.example/a.png') }] }),
    ],
    [
      'options for one provider',
      new UserMessage({
        text: 'See',
        media: [{ mimeType: 'image/png', data: 'AA==', providerOptions: { openai: { imageDetail: 'low' } } }],
        providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      }),
    ],
  ])('can be converted back to an equal message: %s', (_what, given) => {
    const again = fromMessageJson(JSON.parse(JSON.stringify(toMessageJson(given))) as never);
    expect(again).toEqual(Object.fromEntries(Object.entries(given)));
  });

  it('contains bytes as base64, and no tool values', () => {
    const given = new ToolResponseMessage({
      responses: [
        {
          id: '1',
          name: 'x',
          responseData: 'y',
          value: { big: 1n },
          content: [{ type: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) }],
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(toMessageJson(given)))).toEqual({
      role: 'tool',
      responses: [
        { id: '1', name: 'x', responseData: 'y', content: [{ type: 'image', mimeType: 'image/png', data: 'AQID' }] },
      ],
    });
  });
});
