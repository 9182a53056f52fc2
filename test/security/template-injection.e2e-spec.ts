import { describe, expect, it } from '@jest/globals';
import type { ChatClient, ChatClientRequestSpec } from '@nestor-ai/core';
import { startApplication } from '../nest/application.js';

const SECRET = 'project Falcon';
const ASKED = 'What is {internal}? And {"json": {}}?';

/** What the model is sent by a client whose default texts have parameters. */
async function sentBy(request: (client: ChatClient) => ChatClientRequestSpec): Promise<string[]> {
  const { client, model } = await startApplication({}, ['done']);
  const asked = client
    .mutate()
    .defaultSystem((system) => system.text('You know {internal}.').param('internal', SECRET))
    .defaultUser((user) => user.text('Tell of {internal} in {language}.').param('internal', SECRET))
    .build();
  await request(asked).call().content();
  return model.lastPrompt!.messages.map((message) => message.text ?? '');
}

describe('a user who writes the placeholders of a template', () => {
  it.each<[string, (client: ChatClient) => ChatClientRequestSpec]>([
    ['user(text)', (client) => client.prompt().user(ASKED)],
    ['a spec with the text', (client) => client.prompt().user((user) => user.text(ASKED))],
    [
      'a spec with the text and metadata',
      (client) => client.prompt().user((user) => user.metadata('id', 1).text(ASKED)),
    ],
    [
      'a text in the place of a template of the request',
      (client) =>
        client
          .prompt()
          .user((user) => user.text('{internal}').param('internal', SECRET))
          .user(ASKED),
    ],
    ['a client made of the request', (client) => client.prompt().user(ASKED).mutate().build().prompt()],
  ])('is sent as typed: %s', async (_way, request) => {
    expect(await sentBy(request)).toEqual([`You know ${SECRET}.`, ASKED]);
  });

  it('is sent as typed by prompt(text), beside the default text', async () => {
    const sent = await sentBy((client) => client.prompt(ASKED).user((user) => user.param('language', 'French')));
    expect(sent).toEqual([`You know ${SECRET}.`, ASKED, `Tell of ${SECRET} in French.`]);
  });

  it('is sent as typed where the text is the value of a parameter', async () => {
    const sent = await sentBy((client) => client.prompt().user((user) => user.text('Q: {q}').param('q', ASKED)));
    expect(sent[1]).toBe(`Q: ${ASKED}`);
  });

  it('is sent as typed as the system text', async () => {
    const sent = await sentBy((client) => client.prompt().system(ASKED).user('Hi'));
    expect(sent).toEqual([ASKED, 'Hi']);
  });
});

describe('a template', () => {
  it('of a request is filled with the parameters of its own spec alone', async () => {
    const asked = sentBy((client) => client.prompt().user((user) => user.param('a', 1).text('{a} {internal}')));
    await expect(asked).rejects.toThrow(
      "The prompt template needs a value for {internal}, but has: a. Add .param('internal', …).",
    );
  });

  it('of a client is filled by the parameters that a request adds', async () => {
    const sent = await sentBy((client) =>
      client
        .prompt()
        .system((system) => system.param('internal', 'nothing'))
        .user((user) => user.param('language', 'French')),
    );
    expect(sent).toEqual(['You know nothing.', `Tell of ${SECRET} in French.`]);
  });

  it('of a client may be a string, whose parameters a request gives', async () => {
    const { client, model } = await startApplication({}, ['done']);
    const french = client.mutate().defaultSystem('Answer in {language}.').build();
    await french
      .prompt('Hi')
      .system((system) => system.param('language', 'French'))
      .call()
      .content();
    expect(model.lastPrompt!.messages[0]).toMatchObject({ text: 'Answer in French.' });
  });

  it('is never a string of a request, whatever parameters follow', async () => {
    const asked = sentBy((client) =>
      client
        .prompt()
        .user(ASKED)
        .user((user) => user.param('internal', SECRET)),
    );
    await expect(asked).rejects.toThrow(
      /Set the text and its parameters in one spec.*as a string, which is sent unchanged/,
    );
  });
});
