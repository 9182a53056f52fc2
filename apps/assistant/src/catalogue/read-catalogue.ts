import { readFileSync } from 'node:fs';
import { FunctionToolCallback, type JsonSchema, type ToolCallback } from '@nestor-ai/core';

/** The catalogue of sixty tools that comes with the assistant. */
export const OWN_CATALOGUE = new URL('../../catalogue.jsonl', import.meta.url);

/** A line of a catalogue. Whatever else it has is left alone. */
interface CatalogueRow {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly category?: string;
  /** Names, or objects with a name. */
  readonly dependsOn?: readonly (string | { readonly name: string })[];
}

/**
 * Reads tools that are declared only: a JSON object a line, with name, description and inputSchema. Called, they tell what they were
 * called with.
 *
 * @throws Error naming the file and the line when something is no tool
 */
export function readCatalogue(file: string | URL): readonly ToolCallback[] {
  const seen = new Set<string>();
  const tools = linesOf(file).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${String(file)}, line ${index + 1}`;
    const row = parse(line, where);
    if (seen.has(row.name)) throw new Error(`${where}: there are two tools named '${row.name}'.`);
    seen.add(row.name);
    return toTool(row, where);
  });
  if (tools.length === 0) throw new Error(`${String(file)} has no tools: write one JSON object a line.`);
  return Object.freeze(tools);
}

function linesOf(file: string | URL): string[] {
  try {
    // Some editors begin a file with a mark of its encoding.
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split('\n');
  } catch (cause) {
    throw new Error(`The catalogue cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(line: string, where: string): CatalogueRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (cause) {
    throw new Error(`${where} is no JSON: ${(cause as Error).message}`, { cause });
  }
  const { name } = (row ?? {}) as { name?: unknown };
  if (typeof name !== 'string' || name === '') throw new Error(`${where} is no tool: it has no name.`);
  return row as CatalogueRow;
}

/** @throws Error naming the place of a row that cannot be a tool */
function toTool(row: CatalogueRow, where: string): ToolCallback {
  const { name, description, inputSchema, category, dependsOn } = row;
  try {
    const tool = new FunctionToolCallback({
      name,
      ...(typeof description === 'string' && description !== '' && { description }),
      inputSchema: inputSchema ?? { type: 'object' },
      toolFunction: (input) => ({ tool: name, calledWith: input, note: 'declared only, nothing was done' }),
      toolMetadata: {
        returnDirect: false,
        ...(category && { category }),
        ...(Array.isArray(dependsOn) && { dependsOn: dependsOn.map(nameOf) }),
      },
    });
    tool.verify();
    return tool;
  } catch (cause) {
    throw new Error(`${where}: ${(cause as Error).message}`, { cause });
  }
}

function nameOf(dependency: unknown): string {
  return typeof dependency === 'object' && dependency !== null
    ? String((dependency as { name?: unknown }).name)
    : String(dependency);
}
