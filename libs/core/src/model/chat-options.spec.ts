import { describe, expect, it } from '@jest/globals';
import { mergeChatOptions, offeredToolDefinitions } from './chat-options.js';
import type { ToolCallback } from './tool-callback.js';
import { ToolCallingChatOptions } from './tool-calling-chat-options.js';
import { REQUEST_SCOPE, RequestScope } from './request-scope.js';

const tool = (name: string): ToolCallback =>
  ({ toolDefinition: { name, description: name, inputSchema: {} } }) as unknown as ToolCallback;

describe('mergeChatOptions', () => {
  it('uses the override if it is defined, otherwise the default', () => {
    expect(mergeChatOptions({ temperature: 0.1, topK: 5 }, { temperature: 0, topK: undefined as never })).toEqual({
      temperature: 0,
      topK: 5,
    });
  });

  it('merges tool contexts and provider options; overrides win', () => {
    const merged = mergeChatOptions(
      { toolContext: { a: 1, b: 1 }, providerOptions: { openai: { x: 1, y: 1 } } },
      { toolContext: { b: 2 }, providerOptions: { openai: { y: 2 }, anthropic: { z: 3 } } },
    );
    expect(merged.toolContext).toEqual({ a: 1, b: 2 });
    expect(merged.providerOptions).toEqual({ openai: { x: 1, y: 2 }, anthropic: { z: 3 } });
  });

  it('replaces lists as a whole', () => {
    expect(mergeChatOptions({ stopSequences: ['a'] }, { stopSequences: ['b'] }).stopSequences).toEqual(['b']);
  });

  it('keeps the scope of the request', () => {
    const scope = new RequestScope<never>();
    expect(mergeChatOptions({ topK: 1 }, { [REQUEST_SCOPE]: scope })[REQUEST_SCOPE]).toBe(scope);
  });
});

describe('offeredToolDefinitions', () => {
  it('returns the definitions of all tools in order, and the same list for the same frozen tools', () => {
    const toolCallbacks = Object.freeze([tool('a'), tool('b')]);
    const definitions = offeredToolDefinitions({ toolCallbacks });
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(offeredToolDefinitions({ toolCallbacks })).toBe(definitions);
  });

  it('notices changes of a list that is not frozen', () => {
    const toolCallbacks = [tool('a')];
    offeredToolDefinitions({ toolCallbacks });
    toolCallbacks[0] = tool('b');
    expect(offeredToolDefinitions({ toolCallbacks }).map(({ name }) => name)).toEqual(['b']);
  });

  it('returns only the offered tools, in the order of their names', () => {
    const options = { toolCallbacks: [tool('a'), tool('b'), tool('c')], offeredToolNames: ['c', 'a', 'nope'] };
    expect(offeredToolDefinitions(options).map(({ name }) => name)).toEqual(['c', 'a']);
  });
});

describe('ToolCallingChatOptions', () => {
  it('uses the tools of the request if it has any, otherwise the defaults, never both', () => {
    const [a, b] = [tool('a'), tool('b')];
    const { mergeToolCallbacks } = ToolCallingChatOptions;
    expect(mergeToolCallbacks([a], [b])).toEqual([a]);
    expect(mergeToolCallbacks([], [b])).toEqual([b]);
    expect(mergeToolCallbacks(undefined, [b])).toEqual([b]);
    expect(mergeToolCallbacks([], undefined)).toEqual([]);
    expect(mergeToolCallbacks(undefined, undefined)).toBeUndefined();
  });

  it('merges tool contexts; the request wins', () => {
    const { mergeToolContext } = ToolCallingChatOptions;
    expect(mergeToolContext({ a: 2 }, { a: 1, b: 1 })).toEqual({ a: 2, b: 1 });
    expect(mergeToolContext(undefined, undefined)).toBeUndefined();
  });

  it('refuses two tools with the same name and names the remedy', () => {
    expect(() => ToolCallingChatOptions.validateToolCallbacks([tool('a'), tool('b'), tool('a')])).toThrow(
      /Multiple tools with the same name \(a\).*@Tool\(\{ name \}\)/,
    );
  });

  it('can be built fluently', () => {
    expect(ToolCallingChatOptions.builder().model('m').temperature(0.5).toolContext({ a: 1 }).build()).toEqual({
      model: 'm',
      temperature: 0.5,
      toolContext: { a: 1 },
    });
  });
});
