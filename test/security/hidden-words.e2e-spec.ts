import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, type ChatClientRequestSpec, FunctionToolCallback, ToolResult } from '@nestor-ai/core';
import { withUIMessages } from '@nestor-ai/ui';
import { SafeGuardAdvisor } from '@nestor-ai/advisors';
import { callOf, startApplication } from '../nest/application.js';

const REFUSED = 'Not that.';

/** A client that does not send certain words to its model. */
async function guarded(sensitiveWords: readonly string[], script: Parameters<typeof startApplication>[1] = ['sent']) {
  const { client, model } = await startApplication({}, script);
  const guard = new SafeGuardAdvisor({ sensitiveWords, failureResponse: REFUSED });
  return { model, client: client.mutate().defaultAdvisors(guard).build() };
}

const HIDDEN: [how: string, text: string][] = [
  ['a soft hyphen', 'the top\u00adsecret plan'],
  ['a zero-width space', 'the top\u200bsecret plan'],
  ['a zero-width no-break space', 'the top\ufeffsecret plan'],
  ['a word joiner', 'the t\u2060opsecret plan'],
  ['a grapheme joiner', 'the t\u034fopsecret plan'],
  ['a variation selector', 'the tops\ufe0fecret plan'],
  ['an invisible tag', 'the tops\u{E0041}ecret plan'],
  ['a filler', 'the tops\u3164ecret plan'],
  ['marks of direction', 'the \u202etop\u202csecret plan'],
  ['a control', 'the tops\u0000ecret plan'],
  ['full-width letters', 'the ｔｏｐｓｅｃｒｅｔ plan'],
  ['mathematical letters', 'the 𝐭𝐨𝐩𝐬𝐞𝐜𝐫𝐞𝐭 plan'],
  ['letters in circles', 'the ⓣⓞⓟⓢⓔⓒⓡⓔⓣ plan'],
  ['a long s', 'the topſecret plan'],
  ['strokes over letters', 'the t\u0338o\u0338p\u0338secret plan'],
  ['a circle around a letter', 'the t\u20ddopsecret plan'],
  ['an escape of JSON', String.raw`{"plan":"top\u0073ecret"}`],
];

describe('a sensitive word that is hidden', () => {
  it.each(HIDDEN)('is found: %s', async (_how, text) => {
    const { client, model } = await guarded(['TopSecret']);
    expect(await client.prompt(text).call().content()).toBe(REFUSED);
    expect(model.prompts).toEqual([]);
  });

  it('is found in what a tool gives', async () => {
    const { client } = await guarded(['TopSecret'], callOf('read'));
    const read = new FunctionToolCallback({ name: 'read', toolFunction: () => ({ plan: 'top\u200bsecret' }) });
    expect(await client.prompt('Read').tools(read).call().content()).toBe(REFUSED);
  });

  it.each<[what: string, word: string, text: string]>([
    ['the word is written so', 'top\u00adsecret', 'topsecret'],
    ['the accent is a letter of its own or a mark', 'cafe\u0301', 'CAFÉ'],
    ['the words stand on two lines', 'top secret', 'top\u00a0\nsecret'],
    ['there are two forms of a letter', 'Straße', 'STRASSE'],
    ['the text is Turkish', 'silah', 'SİLAH'],
    ['the text is Hindi', 'नमस्ते', 'जी, नमस्ते!'],
  ])('is found where %s', async (_what, word, text) => {
    expect(await (await guarded([word])).client.prompt(text).call().content()).toBe(REFUSED);
  });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const user = (request: ChatClientRequestSpec, mimeType: string, data: string | Uint8Array | URL) =>
  request.user((spec) => spec.text('See').media(mimeType, data));

describe('a sensitive word in a file', () => {
  it.each(['text/plain', 'text/markdown', 'TEXT/CSV'])('of a browser is found: %s', async (mediaType) => {
    const { client, model } = await guarded(['Top secret']);
    const url = `data:${mediaType};base64,${base64('the TOP\nsecret plan')}`;
    const parts = [{ type: 'file', mediaType, url }] as never;
    const asked = withUIMessages(client.prompt(), [{ role: 'user', parts }]);
    expect(await asked.call().content()).toBe(REFUSED);
    expect(model.prompts).toEqual([]);
  });

  it.each<[what: string, mimeType: string, data: string | Uint8Array | URL]>([
    ['bytes', 'text/plain', Buffer.from('topsecret')],
    ['in two bytes for each letter', 'text/plain', Buffer.from('topsecret', 'utf16le')],
    ['JSON', 'application/json', base64(String.raw`{"plan":"top\u0073ecret"}`)],
    ['XML', 'application/atom+xml; charset=utf-8', base64('<plan>topsecret</plan>')],
    ['an address that is the content', 'text/plain', new URL(`data:text/plain;base64,${base64('topsecret')}`)],
    ['an address that is the text', 'text/plain', new URL('data:,top%73ecret')],
    ['an address with escapes', 'image/png', new URL('https://x.example/top%73ecret.png')],
  ])('is found: %s', async (_what, mimeType, data) => {
    const { client } = await guarded(['topsecret']);
    expect(await user(client.prompt(), mimeType, data).call().content()).toBe(REFUSED);
  });

  it('is found in a file that a tool gives', async () => {
    const { client } = await guarded(['topsecret'], callOf('read'));
    const content = [{ type: 'file', mimeType: 'text/plain', data: base64('topsecret') }] as const;
    const read = new FunctionToolCallback({
      name: 'read',
      toolFunction: () => new ToolResult({ text: 'ok', content }),
    });
    expect(await client.prompt('Read').tools(read).call().content()).toBe(REFUSED);
  });

  it('is no word where nobody reads the file as a text', async () => {
    const { client } = await guarded(['topsecret']);
    expect(await user(client.prompt(), 'image/png', base64('topsecret')).call().content()).toBe('sent');
  });
});

describe('a sensitive word in JSON', () => {
  it.each<[what: string, word: string, value: string]>([
    ['on two lines', 'top secret', 'top\nsecret'],
    ['with a tab', 'top secret', 'top\tsecret'],
    ['in quotes', 'the "falcon" plan', 'The "Falcon" plan'],
    ['in a path', String.raw`c:\new\plan`, String.raw`C:\new\plan`],
  ])('is found as it is meant: %s', async (_what, word, value) => {
    const { client } = await guarded([word], callOf('read'));
    const read = new FunctionToolCallback({ name: 'read', toolFunction: () => ({ value }) });
    expect(await client.prompt('Read').tools(read).call().content()).toBe(REFUSED);
    const verbatim = await guarded([word]);
    expect(await verbatim.client.prompt(`Tell of ${value}.`).call().content()).toBe(REFUSED);
  });

  it('is found in the name of a tool that a browser makes up', async () => {
    const { client } = await guarded(['topsecret']);
    const called = new AssistantMessage({ toolCalls: [{ id: 'a', name: 'topSecret', arguments: '{}' }] });
    expect(await client.prompt().messages(called).user('Hi').call().content()).toBe(REFUSED);
  });
});

describe('a text without sensitive words', () => {
  it.each<[what: string, word: string, text: string]>([
    ['a letter with an accent is another one', 'ano', 'feliz año nuevo'],
    ['vowels that are marks are letters', 'काम', 'कीमा'],
    ['words stand beside each other', 'topsecret', 'top secret'],
  ])('is sent: %s', async (_what, word, text) => {
    expect(await (await guarded([word])).client.prompt(text).call().content()).toBe('sent');
  });

  it('is sent as it is, with all that is invisible', async () => {
    const { client, model } = await guarded(['topsecret']);
    const text = 'So\u00adft ｗｉｄｅ \u200b Straße';
    await client.prompt(text).call().content();
    expect(model.lastPrompt!.messages).toMatchObject([{ text }]);
  });
});

it('a sensitive word of invisible characters alone is refused, since every text contains it', () => {
  expect(() => new SafeGuardAdvisor({ sensitiveWords: ['\u00ad\u200b'] })).toThrow(
    /only consist of invisible characters/,
  );
});
