import { describe, expect, test } from '@jest/globals';
import { ToolDefinition } from '../model/tool-definition.js';
import { createContentWriter, toInputMessages } from './content.js';
import { ObservationConvention } from './observation-convention.js';

const convention = new ObservationConvention();

test.each([
  ['Tool Calling Advisor', 'tool_calling'],
  ['ToolCallingAdvisor', 'tool_calling'],
  ['ToolSearchToolCallingAdvisor', 'tool_search_tool_calling'],
  ['QuestionAnswerAroundAdvisor', 'question_answer'],
  ['my-own advisor', 'my_own'],
  ['audit', 'audit'],
  ['Advisor', 'advisor'],
  ['…', 'advisor'],
])('the span of the advisor %j is %s', (name, expected) => {
  expect(convention.advisorSpan({ name, order: 0 }).name).toBe(expected);
});

describe('the span of a tool call', () => {
  const toolCall = { id: 'call-1', name: 'getWeather', arguments: '{"city":"Paris"}' };

  test('contains name, kind, description and schema of the tool, and never the arguments', () => {
    const toolDefinition = ToolDefinition.builder()
      .name('getWeather')
      .description('The weather')
      .inputSchema({ type: 'object' })
      .build();
    const span = convention.toolSpan({ toolCall, toolDefinition });
    expect(span).toEqual({
      name: 'execute_tool getWeather',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'spring.ai.kind': 'tool_call',
        'gen_ai.tool.name': 'getWeather',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.description': 'The weather',
        'gen_ai.tool.call.id': 'call-1',
        'spring.ai.tool.definition.schema': '{"type":"object"}',
      },
    });
    expect(convention.toolSpan({ toolCall, toolDefinition })).toEqual(span);
  });

  test('is the same for all unknown tools', () => {
    expect(convention.toolSpan({ toolCall, toolDefinition: undefined }).name).toBe('execute_tool');
  });
});

describe('contents', () => {
  const writer = (redact = (text: string): string => text) => createContentWriter({ redact });

  test('are cut if they are too long', () => {
    const longest = 'x'.repeat(16_384);
    expect(writer()(longest, 'prompt')).toBe(longest);
    expect(writer()(`${longest}y`, 'prompt')).toBe(`${longest}…`);
  });

  test('that are not strings are written as JSON', () => {
    expect(writer()({ city: 'Paris' }, 'arguments')).toBe('{"city":"Paris"}');
  });

  test('are not shown if redaction fails', () => {
    const failing = writer(() => {
      throw new Error('no');
    });
    expect(failing('secret', 'prompt')).toBe('[not shown]');
    expect(writer(() => undefined as never)('secret', 'prompt')).toBe('[not shown]');
  });

  test('of a long conversation contain the latest messages', () => {
    const messages = ['one', 'two', 'three'].map((text) => ({ role: 'user' as const, text }));
    const write = (text: unknown): string => String(text).padEnd(8000, '.');
    const shown = JSON.parse(toInputMessages(messages, write)) as { parts: { content: string }[] }[];
    expect(shown.map(({ parts }) => parts[0]!.content.replaceAll('.', ''))).toEqual(['two', 'three']);
  });
});
