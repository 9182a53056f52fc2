import leven from 'leven';
import type { ParameterTypes } from '@nestor-ai/schema/format';
import type { ReportedTool } from './tool-report.js';

/** What a model may misunderstand about the tools, one line each. */
export function problemsOf(tools: readonly ReportedTool[], maxTokens: number): string[] {
  return [...tools.flatMap((tool) => problemsOfTool(tool, maxTokens)), ...similarNames(tools)];
}

function problemsOfTool({ name, method, file, description, types, tokens }: ReportedTool, maxTokens: number): string[] {
  const problems: string[] = [];
  if (!description) problems.push('has no description. Write a comment above the method.');
  for (const parameter of types.parameters) {
    const vague = vaguenessOf(parameter);
    if (vague)
      problems.push(`takes '${parameter.name ?? '?'}', whose type allows any ${vague}. Write a narrower type.`);
  }
  if (tokens > maxTokens)
    problems.push(`has ${tokens} tokens, more than ${maxTokens}. Shorten its types and comments.`);
  return problems.map((problem) => `${file}: ${name} (${method}) ${problem}`);
}

/** What a parameter allows any of. Undefined if it has a type. One without a schema has a decorator that tells. */
function vaguenessOf({ isInjected, schema, error }: ParameterTypes): 'value' | 'object' | undefined {
  if (isInjected || schema === undefined || error !== undefined) return undefined;
  const keywords = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  if (keywords.length === 0) return 'value';
  return keywords.length === 1 && keywords[0]?.[0] === 'type' && keywords[0][1] === 'object' ? 'object' : undefined;
}

/** The keywords that allow any value. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);

/** Pairs of names that differ in one or two letters, which a model confuses. */
function similarNames(tools: readonly ReportedTool[]): string[] {
  return tools.flatMap((tool, at) =>
    tools
      .slice(at + 1)
      .filter(({ name }) => isSimilar(tool.name, name))
      .map((other) => `${tool.name} (${tool.method}) and ${other.name} (${other.method}) have names too alike.`),
  );
}

function isSimilar(a: string, b: string): boolean {
  const allowed = Math.min(a.length, b.length) >= 8 ? 2 : 1;
  return leven(a.toLowerCase(), b.toLowerCase(), { maxDistance: allowed + 1 }) <= allowed;
}
