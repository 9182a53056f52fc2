import { describe, expect, it } from '@jest/globals';
import { repairHistory } from './repair-history.js';
import { AssistantMessage, type Message, SystemMessage, ToolResponseMessage, UserMessage } from './messages.js';

describe('a history from outside', () => {
  const user = new UserMessage('Hi');
  const asks = (...ids: string[]) =>
    new AssistantMessage({ toolCalls: ids.map((id) => ({ id, name: 'search', arguments: '{}' })) });
  const answers = (...ids: string[]) =>
    new ToolResponseMessage({ responses: ids.map((id) => ({ id, name: 'search', responseData: `of ${id}` })) });

  it.each<[string, Message[]]>([
    ['without tools', [new SystemMessage('S'), user, new AssistantMessage('Hello'), user]],
    ['with whole pairs', [user, asks('a', 'b'), answers('a', 'b'), asks('c'), answers('c')]],
    ['of responses whose calls the provider knows', [new SystemMessage('S'), answers('a')]],
  ])('stays unchanged if it is valid: %s', (_what, messages) => {
    expect(repairHistory(messages)).toBe(messages);
  });

  it.each<[string, Message[], string[][]]>([
    ['a call at the end', [user, asks('a')], [['a!']]],
    ['a call that the user has talked over', [user, asks('a'), user], [['a!']]],
    ['one of two calls', [user, asks('a', 'b'), answers('b'), user], [['a!', 'b']]],
    ['responses in several messages', [user, asks('a', 'b'), answers('b'), answers('a')], [['a', 'b']]],
    ['responses in another order', [user, asks('a', 'b'), answers('b', 'a')], [['a', 'b']]],
    ['a response without a call', [user, answers('x'), new AssistantMessage('Hello')], []],
    ['a response to another call', [user, asks('a'), answers('x')], [['a!']]],
    ['a response that comes twice', [user, asks('a'), answers('a'), answers('a')], [['a']]],
  ])('is repaired: %s', (_what, messages, expected) => {
    const repaired = repairHistory(messages);
    const responses = repaired.flatMap((message) =>
      message.role === 'tool' ? [message.responses.map(({ id, isError }) => (isError ? `${id}!` : id))] : [],
    );
    expect(responses).toEqual(expected);
    expect(repairHistory(repaired)).toBe(repaired);
  });
});
