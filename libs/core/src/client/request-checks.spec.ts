import { describe, expect, it } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { ScriptedChatModel } from '@nestor-ai/testing';
import type { Media } from '../model/content-part.js';
import { AssistantMessage, SystemMessage, ToolResponseMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { ChatClient } from './chat-client.js';
import type { ChatClientRequestSpec } from './chat-client-request.builder.js';
import { EmptyPromptException } from './empty-prompt.exception.js';

type Ask = (client: ChatClient) => ChatClientRequestSpec;

const image: Media = { mimeType: 'image/png', data: 'AA==' };
/** Invalid values that a body may contain. */
const given = (value: unknown) => value as string;

const start = (texts: string[] = []) => {
  const model = new ScriptedChatModel(texts);
  return { model, client: ChatClient.builder(model).defaultSystem('Answer in French.').build() };
};

describe('a request without a message', () => {
  const empty: [string, Ask][] = [
    ['nothing at all', (client) => client.prompt()],
    ['a prompt of undefined', (client) => client.prompt(undefined)],
    ['a prompt of null', (client) => client.prompt(given(null))],
    ['instructions alone', (client) => client.prompt().system('Tell a joke.')],
    ['a list of no messages', (client) => client.prompt().messages([])],
    ['a Prompt without messages', (client) => client.prompt(new Prompt([]))],
    ['a system message', (client) => client.prompt().messages(new SystemMessage('Tell a joke.'))],
    ['a blank message', (client) => client.prompt().messages({ role: 'user', text: ' \n' })],
    [
      'a blank message after a conversation',
      (client) => client.prompt().messages(new UserMessage('Hi'), new AssistantMessage('Hello'), new UserMessage('')),
    ],
    [
      'a template that comes out blank',
      (client) => client.prompt().user((spec) => spec.text('{question}').param('question', ' ')),
    ],
  ];

  it.each(empty)('is refused before the model is called: %s', async (_what, ask) => {
    const { model, client } = start(['never said']);
    await expect(ask(client).call().content()).rejects.toThrow(EmptyPromptException);
    await expect(lastValueFrom(ask(client).stream().content())).rejects.toThrow(EmptyPromptException);
    await expect(lastValueFrom(ask(client).stream().events())).rejects.toThrow(EmptyPromptException);
    expect(model.prompts).toHaveLength(0);
  });

  it.each<[string, Ask]>([
    ['a blank prompt', (client) => client.prompt('  ')],
    ['a prompt that is a number', (client) => client.prompt(given(7))],
    ['a prompt that is an object', (client) => client.prompt(given({}))],
    ['a blank text', (client) => client.prompt().user('')],
    ['a text of undefined', (client) => client.prompt().user(given(undefined))],
    ['a text of null', (client) => client.prompt().user((spec) => spec.text(given(null)))],
  ])('is refused by prompt() or user(): %s', (_what, ask) => {
    expect(() => ask(start().client)).toThrow(EmptyPromptException);
  });
});

describe('a request with a message', () => {
  it.each<[string, Ask]>([
    ['a picture without a text', (client) => client.prompt().user((spec) => spec.media(image))],
    [
      'the result of a tool',
      (client) =>
        client
          .prompt()
          .messages(
            new UserMessage('Hi'),
            new AssistantMessage({ toolCalls: [{ id: '1', name: 'now', arguments: '{}' }] }),
            new ToolResponseMessage({ responses: [{ id: '1', name: 'now', responseData: '' }] }),
          ),
    ],
    ['the beginning of an answer', (client) => client.prompt('Hi').messages(new AssistantMessage('Well,'))],
    ['instructions at the end', (client) => client.prompt('Hi').messages(new SystemMessage('Be brief.'))],
  ])('is sent: %s', async (_what, ask) => {
    const { client } = start(['Bonjour']);
    expect(await ask(client).call().content()).toBe('Bonjour');
  });

  it('may use the default user text of the client', async () => {
    const client = ChatClient.builder(new ScriptedChatModel(['Bonjour']))
      .defaultUser('Greet me.')
      .build();
    expect(await client.prompt().call().content()).toBe('Bonjour');
  });
});
