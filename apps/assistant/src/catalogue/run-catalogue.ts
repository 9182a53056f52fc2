import type { ChatClient, ToolCallback } from '@nestor-ai/core';
import { ToolCallPrinter } from '../quick-start.js';
import { TokenMeter } from './token-meter.js';

/** Questions for the built-in catalogue. The third needs the same tool as the first. */
export const CATALOGUE_QUESTIONS = [
  'Where is the parcel with the tracking number "JD0146" now?',
  'Convert 250 dollars "USD" into "EUR"',
  'And where is the parcel "JD0999"?',
] as const;

/** Questions for any other catalogue: the descriptions of three of its tools. */
export function questionsFor(tools: readonly ToolCallback[]): readonly string[] {
  const places = new Set([0, Math.floor(tools.length / 2), tools.length - 1]);
  return [...places].map((place) => tools[place]!.toolDefinition.description);
}

/**
 * Asks the questions in one conversation, and prints the tokens of tool definitions in each round,
 * with and without the search.
 */
export async function runCatalogue(
  chatClient: ChatClient,
  tools: readonly ToolCallback[],
  questions: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  print(`\n${tools.length} tools.`);
  const meter = new TokenMeter();
  for (const question of questions) {
    print(`\n> ${question}`);
    const from = meter.rounds.length;
    const answer = await chatClient
      .prompt(question)
      .advisors((spec) =>
        spec.advisors(new ToolCallPrinter(print), meter).param('chat_memory_conversation_id', 'catalogue'),
      )
      .call()
      .content();
    print(answer ?? '(no answer)');
    meter.rounds.slice(from).forEach((round, index) => {
      const { withSearch, withoutSearch, tools: sent } = round;
      print(
        `  round ${index + 1}: ${withSearch} tokens of tool definitions (${sent.length} tools sent) instead of ${withoutSearch}`,
      );
    });
  }
  const sum = (key: 'withSearch' | 'withoutSearch'): number =>
    meter.rounds.reduce((total, round) => total + round[key], 0);
  const all = sum('withoutSearch');
  const saved = all > 0 ? (100 * (1 - sum('withSearch') / all)).toFixed(1) : '0.0';
  print(`\nTotal: ${sum('withSearch')} tokens of tool definitions instead of ${all}, ${saved} % less.`);
}
