import { describe, expect, it } from '@jest/globals';
import type { ElicitRequest } from '@modelcontextprotocol/client';
import { ElicitedInput, readPagesRequired } from './elicited-input.js';

type Params = ElicitRequest['params'];
const { signal } = new AbortController();
const seat = {
  message: 'Which seat?',
  requestedSchema: { type: 'object', properties: { seat: { type: 'string' } } },
} as Params;
const meal = { ...seat, message: 'Which meal?' } as Params;

const idOf = async (params: Params): Promise<string> => {
  const elicited = new ElicitedInput([]);
  await elicited.answer(params, signal);
  return elicited.asked!.questions[0]!.id;
};

describe('questions of a server of protocol 2025', () => {
  it('are cancelled, and the first is kept', async () => {
    const elicited = new ElicitedInput([]);
    expect(elicited.asked).toBeUndefined();
    expect(await elicited.answer(seat, signal)).toEqual({ action: 'cancel' });
    expect(await elicited.answer(meal, signal)).toEqual({ action: 'cancel' });
    expect(elicited.asked).toMatchObject({ protocol: 2025, questions: [{ params: seat }] });
  });

  it('get their answers in order, each once, until one has none', async () => {
    const id = await idOf(seat);
    const accept = (value: string) => ({ id, result: { action: 'accept' as const, content: { seat: value } } });
    const elicited = new ElicitedInput([accept('1'), accept('2'), { ...accept('soup'), id: await idOf(meal) }]);
    expect(await elicited.answer(seat, signal)).toEqual(accept('1').result);
    expect(await elicited.answer({ ...seat, _meta: { progressToken: 7 } }, signal)).toEqual(accept('2').result);
    expect(await elicited.answer(seat, signal)).toEqual({ action: 'cancel' });
    expect(await elicited.answer(meal, signal)).toEqual({ action: 'cancel' });
    expect(elicited.asked!.questions[0]!.params).toEqual(seat);
  });

  it('are others if their form differs', async () => {
    const id = await idOf(seat);
    const other = { ...seat, requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } } } as Params;
    expect(await idOf(other)).not.toBe(id);
    expect(await idOf({ ...other, message: meal.message } as Params)).not.toBe(await idOf(meal));
  });
});

describe('pages that a server of protocol 2025 requires', () => {
  it('are questions with an address', () => {
    const page = { message: 'Pay', url: 'https://a.example/', elicitationId: '1' };
    const asked = readPagesRequired({ code: -32_042, message: '', data: { elicitations: [page, page] } });
    expect(asked!.questions.map(({ params }) => params)).toEqual([
      { mode: 'url', message: 'Pay', url: 'https://a.example/' },
      { mode: 'url', message: 'Pay', url: 'https://a.example/' },
    ]);
  });

  it.each([undefined, null, 'text', {}, { elicitations: [] }, { elicitations: 'https://a.example' }])(
    'are none in %j',
    (data) => {
      expect(readPagesRequired({ code: -32_042, message: '', data })).toBeUndefined();
    },
  );

  it('are none with another error', () => {
    expect(readPagesRequired({ code: -32_602, message: '', data: { elicitations: [{}] } })).toBeUndefined();
  });
});
