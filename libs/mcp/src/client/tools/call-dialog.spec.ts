import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { isInputRequired, type ToolInputRequest, ToolResult, type ToolUserInput } from '@nestor-ai/core';
import { type AskedInput, CallDialog } from './call-dialog.js';

const dialogOf = (input?: ToolUserInput, server = 'air') =>
  new CallDialog(server, { name: 'book', inputSchema: { type: 'object' } } as never, input);

const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } };
const question = (id: string, params: object = {}) => ({
  id,
  method: 'elicitation/create',
  params: { message: `${id}?`, requestedSchema, ...params },
});

/** What the user is asked. */
function requestOf(ask: () => unknown): ToolInputRequest {
  try {
    ask();
  } catch (error) {
    if (isInputRequired(error)) return error.request;
    throw error;
  }
  throw new Error('Nothing was asked.');
}

/** A dialog after the user has answered. */
const answered = (asked: AskedInput, content = {}, before = dialogOf()): CallDialog =>
  dialogOf({ content, state: JSON.parse(JSON.stringify(requestOf(() => before.ask(asked)).state)) as unknown });

describe('the dialog of a call', () => {
  it('is over before it begins', () => {
    expect(dialogOf()).toMatchObject({ isOpen: false, answers: [], requestState: undefined });
  });

  it('asks one question after the other', () => {
    const dialog = answered(
      { questions: [question('one'), question('two')], protocol: 2026, requestState: 's' },
      { a: 'x' },
    );
    expect(dialog.isOpen).toBe(true);
    const second = requestOf(() => dialog.askNext());
    expect(second).toMatchObject({ message: 'two?', schema: requestedSchema });
    const done = dialogOf({ content: { a: 'y' }, state: second.state });
    expect(done).toMatchObject({ isOpen: false, protocol: 2026, requestState: 's' });
    expect(done.answers).toEqual([
      { id: 'one', result: { action: 'accept', content: { a: 'x' } } },
      { id: 'two', result: { action: 'accept', content: { a: 'y' } } },
    ]);
  });

  it.each([
    [2025, ['one', 'two']],
    [2026, ['two']],
  ] as const)('keeps earlier answers for a server of protocol %s: %j', (protocol, ids) => {
    const first = answered({ questions: [question('one')], protocol });
    const second = answered({ questions: [question('two')], protocol }, {}, first);
    expect(second.answers.map(({ id }) => id)).toEqual(ids);
  });

  it('ignores a state that another server or a guard has left', () => {
    const { state } = requestOf(() => dialogOf().ask({ questions: [question('one')], protocol: 2026 }));
    for (const foreign of [undefined, null, 'air', { mcp: 'other' }])
      expect(dialogOf({ content: { a: 'x' }, state: foreign }).answers).toEqual([]);
    expect(dialogOf({ content: { a: 'x' }, state }, 'other').answers).toEqual([]);
  });

  it('refuses what cannot be shown, without text of the server', () => {
    const refused = [
      [question('one'), question('two', { requestedSchema: null })],
      [question('one', { mode: 'url', url: 'file:///SECRET' })],
      [question('one', { mode: 'SECRET', requestedSchema: undefined })],
      [{ id: 'one', method: 'SECRET', params: {} }],
      [{ id: 'one', method: 'elicitation/create', params: undefined }],
      Array.from({ length: 11 }, (_unused, at) => question(`${at}`)),
    ];
    for (const questions of refused) {
      const result = dialogOf().ask({ questions, protocol: 2026 });
      expect(result).toBeInstanceOf(ToolResult);
      expect(result.isError).toBe(true);
      expect(result.text).toMatch(/^The MCP server 'air' needs input from the user for the tool 'book'/);
      expect(result.text).not.toContain('SECRET');
    }
  });

  it('is not printed with its state', () => {
    const dialog = answered({ questions: [question('one')], protocol: 2026, requestState: 'SECRET' });
    expect(inspect(dialog, { depth: 9, showHidden: true })).not.toContain('SECRET');
  });
});
