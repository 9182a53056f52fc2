import { describe, expect, test } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import { type ContentPlace, ContentRedactor, Tool } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { openPage, says } from './browser.js';

const INPUT = 'SECRET-INPUT';
const RESULT = 'SECRET-RESULT';

@Injectable()
class Patients {
  @Tool()
  silent(name: string): string {
    return `${name.length}`;
  }
  @Tool({ ui: 'none' })
  none(name: string): string {
    return `${name.length}`;
  }
  @Tool({ ui: 'result' })
  result(name: string): string {
    return `${name.length}`;
  }
  @Tool({ ui: 'input' })
  input(name: string): string {
    return `${name.length}`;
  }
}

@Injectable()
class Redactor extends ContentRedactor {
  static readonly places: ContentPlace[] = [];
  redact(text: string, place: ContentPlace): string {
    Redactor.places.push(place);
    return text.replaceAll(INPUT, '[input]').replaceAll(RESULT, '[result]');
  }
}
const REDACTED: Provider = { provide: ContentRedactor, useClass: Redactor };

const written = (name: string): ScriptEntry[] => [
  { streamToolInput: true, toolCalls: [toolCall(name, { name: INPUT }, 'call-1')] },
  'Done.',
];

const searched: ScriptEntry = {
  streamToolInput: true,
  text: 'Found.',
  providerToolCalls: [
    { id: 's1', name: 'web_search', arguments: `{"query":"${INPUT}"}`, result: [{ title: RESULT }] },
    { id: 's2', name: 'web_search', arguments: '{}', result: { error: RESULT }, isError: true },
  ],
  sources: [
    { type: 'url', id: '1', url: `https://a.example/${INPUT}`, title: 'A', providerMetadata: { p: { text: RESULT } } },
  ],
};

/** The text that a page has after it put all pieces together, from `useChat()` and from server-sent events. */
async function shown(script: readonly ScriptEntry[], properties: object = {}, providers: Provider[] = []) {
  const page = await openPage({ providers: [Patients] }, [...script, ...script], { properties, providers });
  const chunks = await page.read([says('Go')]);
  const events = await page.read([says('Go')], 'sse');
  const pieces = [...chunks, ...events].filter(({ type }) => String(type).startsWith('tool-input-'));
  const deltas = pieces.map(({ inputTextDelta, delta }) => inputTextDelta ?? delta ?? '').join('');
  return { deltas, types: new Set(pieces.map(({ type }) => type)), text: JSON.stringify([chunks, events]) };
}

describe('The input of a tool, while the model writes it,', () => {
  test.each<[string, object]>([
    ['silent', {}],
    ['input', { ui: { content: 'none' } }],
  ])('is shown for the tool %s with %j', async (name, properties) => {
    const { deltas, types } = await shown(written(name), properties);
    expect(deltas).toBe(`{"name":"${INPUT}"}`.repeat(2));
    expect(types).toEqual(new Set(['tool-input-start', 'tool-input-delta', 'tool-input-available']));
  });

  test.each<[string, object]>([
    ['none', {}],
    ['result', {}],
    ['silent', { ui: { content: 'none' } }],
    ['silent', { ui: { content: 'result' } }],
  ])('is not shown for the tool %s with %j, and only the complete call is', async (name, properties) => {
    const { types, text } = await shown(written(name), properties);
    expect(types).toEqual(new Set(['tool-input-available']));
    expect(text).not.toContain('SECRET');
  });

  test('is not shown for a tool that the request does not have, whose name the model made up', async () => {
    const { types, text } = await shown(written(`made-up-${INPUT}`.toLowerCase()));
    expect(types).toEqual(new Set(['tool-input-available']));
    expect(text).not.toContain('tool-input-start');
  });

  test('is not shown at all where a redactor has to see all of it', async () => {
    const { types, text } = await shown(written('silent'), {}, [REDACTED]);
    expect(types).toEqual(new Set(['tool-input-available']));
    expect(text).toContain('[input]');
    expect(text).not.toContain('SECRET');
  });
});

describe('Calls of provider tools', () => {
  test('are hidden like those of our tools, and the sources belong to the answer', async () => {
    const { text } = await shown([searched], { ui: { content: 'none' } });
    expect(text).not.toContain(RESULT);
    expect(text).not.toContain('"query"');
    expect(text).toContain(`https://a.example/${INPUT}`);
  });

  test('show their input, but no errors and no data of the provider', async () => {
    const { text } = await shown([searched]);
    expect(text).toContain(`"query":"${INPUT}"`);
    // In the result of the first call, twice. Neither in the error nor in the source.
    expect(text.split(RESULT)).toHaveLength(3);
  });

  test('are redacted, with their sources', async () => {
    Redactor.places.length = 0;
    const { text } = await shown([searched], {}, [REDACTED]);
    expect(text).not.toContain('SECRET');
    expect(text).toContain('[result]');
    expect(text).toContain('https://a.example/[input]');
    expect(Redactor.places).toContainEqual({ sink: 'ui', kind: 'result', toolName: 'web_search' });
  });
});
