import { describe, expect, it } from '@jest/globals';
import { ChatClient, deriveToolCallback, FunctionToolCallback } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '../scripted-answer.js';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { recordTurn } from '../turn/record-turn.js';
import { expectTurn } from './expect-turn.js';

const book = new FunctionToolCallback({
  name: 'book',
  description: 'Books a seat',
  inputSchema: { type: 'object', properties: { seat: { type: 'string' }, row: { type: 'number' } } },
  toolFunction: ({ row }: { row?: number }) => {
    if (row === 13) throw new Error('There is no row 13.');
    return 'booked';
  },
});

const turnOf = (...script: ScriptEntry[]) =>
  recordTurn(ChatClient.create(new ScriptedChatModel(script)).prompt('Book a seat').tools(book));

describe('expectTurn()', () => {
  const called = () => turnOf({ toolCalls: [toolCall('book', { seat: 'A1', row: 2 })] }, 'You have seat A1.');

  it('accepts a call whose arguments have at least the expected ones', async () => {
    const check = expectTurn(await called());
    check.toCallTool('book').toCallTool('book', { seat: 'A1' }).toCallTool('book', { seat: /^A/ });
    check
      .toCallTool('book', { seat: expect.any(String) as unknown, row: 2 })
      .toAnswer('seat A1')
      .toAnswer(/A\d/);
  });

  it('shows what happened instead', async () => {
    const turn = await called();
    expect(() => expectTurn(turn).toCallTool('book', { seat: /^B/ })).toThrow(
      'The turn did not call \'book\' with {"seat":"/^B/"}.\nIt called:\n  book({"seat":"A1","row":2}) returned: booked\n' +
        'It answered: "You have seat A1."',
    );
    expect(() => expectTurn(turn).toCallTool('book', { row: 2n })).toThrow('did not call \'book\' with {"row":"2"}.');
    expect(() => expectTurn(turn).toAnswer('seat B1')).toThrow('The turn did not answer with "seat B1".');
    expect(() => expectTurn(turn).notToCallTool('book')).toThrow("The turn called 'book'.");
    expect(() => expectTurn(turn).toWaitFor('book')).toThrow("No call of 'book' waits.");
  });

  it('wants a call that waits, with its arguments', async () => {
    const careful = deriveToolCallback(book, { needsApproval: true });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('book', { seat: 'A1', row: 2 })] }]);
    const turn = await recordTurn(ChatClient.create(model).prompt('Book a seat').tools(careful));
    expectTurn(turn).toWaitFor('book').toWaitFor('book', { seat: /^A/ });
    expect(() => expectTurn(turn).toWaitFor('book', { seat: 'B1' })).toThrow(
      /^No call of 'book' with {"seat":"B1"} waits\.[^]*\nIt waits for: book\({"seat":"A1","row":2}\)$/,
    );
  });

  it('does not count a call that failed', async () => {
    const turn = await turnOf({ toolCalls: [toolCall('book', { seat: 'A13', row: 13 })] }, 'There is no such seat.');
    expect(() => expectTurn(turn).toCallTool('book')).toThrow(
      /^The turn did not call 'book' without an error\.[^]*failed: .*There is no row 13/,
    );
  });

  it('does not take a failed turn for an answer', async () => {
    const turn = await turnOf({ error: new Error('The model is down.') });
    expect(() => expectTurn(turn).toAnswer()).toThrow('It called no tools.\nIt failed: Error: The model is down.');
  });

  it('reads the arguments of the call and not those of the message', async () => {
    const turn = await turnOf({ toolCalls: [toolCall('book', '{"seat": "A1", "row": "2"}')] }, 'Done.');
    expect(turn.toolCalls).toHaveLength(1);
    expectTurn(turn).toCallTool('book', { seat: 'A1' });
  });
});
