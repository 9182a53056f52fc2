import type { JsonSchema, ToolDefinition } from '@nestor-ai/core';
import { wordsOf } from './words.js';

/** A tool and its score for a question. */
export interface Match {
  readonly tool: ToolDefinition;
  readonly score: number;
}

const WEIGHTS = { name: 3, description: 2, parameters: 1 } as const;
/** Two words of the description, or one of the name. Fewer matches are chance. */
const ENOUGH = 3;

/**
 * Finds the tools that match a question, best first.
 *
 * @param answered tools that have already answered; their words no longer count
 */
export function matchTools(
  question: string,
  tools: readonly ToolDefinition[],
  answered: readonly ToolDefinition[] = [],
): Match[] {
  const asked = new Set(wordsOf(question));
  for (const tool of answered) for (const word of allWords(tool)) asked.delete(word);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, asked) }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((a, b) => b.score - a.score);
}

/** The tool that returns the current time and has no required arguments. */
export function findClock(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  return matchTools('current date time now', tools).find(({ tool }) => {
    const { required } = tool.inputSchema;
    return !Array.isArray(required) || required.length === 0;
  })?.tool;
}

function allWords(tool: ToolDefinition): string[] {
  return [...wordsOf(tool.name), ...wordsOf(tool.description), ...parameterWords(tool.inputSchema)];
}

function scoreOf(tool: ToolDefinition, asked: ReadonlySet<string>): number {
  const fields = {
    name: wordsOf(tool.name),
    description: wordsOf(tool.description),
    parameters: parameterWords(tool.inputSchema),
  };
  let score = 0;
  for (const word of asked) {
    if (fields.name.includes(word)) score += WEIGHTS.name;
    else if (fields.description.includes(word)) score += WEIGHTS.description;
    else if (fields.parameters.includes(word)) score += WEIGHTS.parameters;
  }
  return score;
}

function parameterWords(schema: JsonSchema): string[] {
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, property]) =>
    wordsOf(`${name} ${String(property.description ?? '')} ${((property.enum ?? []) as unknown[]).join(' ')}`),
  );
}
