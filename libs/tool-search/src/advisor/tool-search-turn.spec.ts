import { describe, expect, it } from '@jest/globals';
import { FunctionToolCallback, type Message, ToolResponseMessage } from '@nestor-ai/core';
import { SearchableTools } from './searchable-tools.js';
import { ToolSearchSession } from './tool-search-sessions.js';
import { ToolSearchTurn } from './tool-search-turn.js';

const tools = SearchableTools.of(
  Object.freeze(['A', 'B', 'C', 'X'].map((name) => new FunctionToolCallback({ name, toolFunction: () => name }))),
);

function turn(accumulates: boolean, asked: readonly string[] = [], discovered = new Set<string>()): ToolSearchTurn {
  const session = new ToolSearchSession('s', Promise.resolve(), discovered);
  return new ToolSearchTurn({ tools, session, discovered, asked, accumulates });
}

const found = (...names: string[]): Message =>
  new ToolResponseMessage({ responses: [{ id: '1', name: 'toolSearchTool', responseData: JSON.stringify(names) }] });

/** The tools offered in each round, given the results of the searches in between. */
function rounds(of: ToolSearchTurn, ...searches: readonly (readonly string[])[]): string[] {
  const messages: Message[] = [];
  const offered = [of.offer(messages)];
  for (const names of searches) {
    messages.push(found(...names));
    of.answered(messages.at(-1));
    offered.push(of.offer(messages));
  }
  return offered.map((names) => names.slice(1).join(' '));
}

describe('the tools that are offered from round to round', () => {
  it('are appended', () => {
    expect(rounds(turn(true), ['B'], ['A', 'B'], [])).toEqual(['', 'B', 'B A', 'B A']);
  });

  it('are those of the last search if configured; tools found again come last', () => {
    expect(rounds(turn(false), ['A', 'B'], ['C'], ['C', 'A'], [])).toEqual(['', 'A B', 'C', 'C A', '']);
  });

  it('list the tools of the request after those found before, and keep their positions', () => {
    expect(rounds(turn(true, ['X'], new Set(['B'])), ['A'])).toEqual(['B X', 'B X A']);
  });
});
