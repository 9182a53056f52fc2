import { readFileSync } from 'node:fs';
import { FunctionToolCallback, type JsonSchema, type ToolCallback } from '@nestor-ai/core';

/** The built-in catalogue of sixty tools. */
export const OWN_CATALOGUE = new URL('../../catalogue.jsonl', import.meta.url);

/** A line of a catalogue. Other fields are ignored. */
interface CatalogueRow {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly category?: string;
  /** Names, or objects with a name. */
  readonly dependsOn?: readonly (string | { readonly name: string })[];
}

/**
 * Reads a catalogue: one JSON object per line, with name, description and inputSchema. The tools
 * do nothing: each answers with the arguments that it received.
 *
 * @throws Error that names the file and the line if a line is not a tool
 */
export function readCatalogue(file: string | URL): readonly ToolCallback[] {
  const seen = new Set<string>();
  const tools = linesOf(file).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${String(file)}, line ${index + 1}`;
    const row = parse(line, where);
    if (seen.has(row.name)) throw new Error(`${where}: another tool has the name '${row.name}'.`);
    seen.add(row.name);
    return toTool(row, where);
  });
  if (tools.length === 0) throw new Error(`${String(file)} has no tools. Write one JSON object per line.`);
  return Object.freeze(tools);
}

function linesOf(file: string | URL): string[] {
  try {
    // Some editors write a byte order mark.
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split('\n');
  } catch (cause) {
    throw new Error(`Cannot read the catalogue: ${(cause as Error).message}`, { cause });
  }
}

function parse(line: string, where: string): CatalogueRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (cause) {
    throw new Error(`${where} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const { name } = (row ?? {}) as { name?: unknown };
  if (typeof name !== 'string' || name === '') throw new Error(`${where} is not a tool: it has no name.`);
  return row as CatalogueRow;
}

/** @throws Error that names the line of an invalid tool */
function toTool(row: CatalogueRow, where: string): ToolCallback {
  const { name, description, inputSchema, category, dependsOn } = row;
  try {
    const tool = new FunctionToolCallback({
      name,
      ...(typeof description === 'string' && description !== '' && { description }),
      inputSchema: inputSchema ?? { type: 'object' },
      toolFunction: (input) => ({ tool: name, calledWith: input, note: 'this tool does nothing' }),
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
