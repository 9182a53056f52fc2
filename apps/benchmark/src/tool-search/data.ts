import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@nestor-ai/core';

/** A tool of a catalogue. */
export interface ToolRow {
  readonly dataset?: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonSchema;
  readonly dependsOn?: readonly { readonly name: string }[];
}

/** A request, and the tools that it needs. */
export interface QueryRow {
  readonly dataset?: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly withDependencies?: readonly string[];
}

/** A catalogue with requests for its tools. */
export interface Catalogue {
  readonly name: string;
  readonly tools: readonly ToolRow[];
  readonly queries: readonly QueryRow[];
}

/** What the folder has to contain. */
export const DATA_NEEDED = `Set TOOLRET_DIR to a folder with catalogues of tools and labelled requests:

  tools.jsonl                a tool a line:    { "dataset", "name", "description", "inputSchema"?, "dependsOn"? }
  queries.*.jsonl            a request a line: { "id", "dataset", "query", "relevant": [names], "withDependencies"? }
  sealtools-tools.jsonl      if there is a catalogue that is not to be searched together with the others
  sealtools-queries.*.jsonl  and its requests

  TOOLRET_DIR=../data npm run bench:tool-search`;

/** Whether a folder has the least that is needed. */
export function hasData(folder: string | undefined): folder is string {
  return folder !== undefined && existsSync(join(folder, 'tools.jsonl')) && readCatalogues(folder).length > 0;
}

/** Every catalogue with requests, and those of `tools.jsonl` together as `union`, which is the last. */
export function readCatalogues(folder: string): Catalogue[] {
  const tools = rowsOf<ToolRow>(folder, 'tools.jsonl');
  const queries = filesOf(folder, 'queries').flatMap((file) => rowsOf<QueryRow>(folder, file));
  const names = [...new Set(tools.map(({ dataset }) => dataset ?? 'tools'))];
  const ofDataset = (name: string) => (row: { readonly dataset?: string }) => (row.dataset ?? 'tools') === name;
  const catalogues = names.map((name) =>
    catalogueOf(name, tools.filter(ofDataset(name)), queries.filter(ofDataset(name))),
  );
  const apart = existsSync(join(folder, 'sealtools-tools.jsonl'))
    ? [
        catalogueOf(
          'sealtools',
          rowsOf<ToolRow>(folder, 'sealtools-tools.jsonl'),
          filesOf(folder, 'sealtools-queries').flatMap((file) => rowsOf<QueryRow>(folder, file)),
        ),
      ]
    : [];
  return [...catalogues, ...apart, catalogueOf('union', tools, queries)].filter((one) => one.queries.length > 0);
}

/** The files whose requests are asked. */
export function filesOf(folder: string, beginning: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder).filter((file) => new RegExp(`^${beginning}\\..+\\.jsonl$`).test(file))
    : [];
}

/** A catalogue has each name once, and a request without a tool cannot be answered well or badly. */
function catalogueOf(name: string, tools: readonly ToolRow[], queries: readonly QueryRow[]): Catalogue {
  return {
    name,
    tools: [...new Map(tools.map((tool) => [tool.name, tool])).values()],
    queries: queries.filter(({ relevant }) => relevant.length > 0),
  };
}

/** @throws SyntaxError naming file and line when a line is no JSON */
function rowsOf<Row>(folder: string, file: string): Row[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as Row];
      } catch (cause) {
        throw new SyntaxError(`${file}, line ${index + 1} is no JSON.`, { cause });
      }
    });
}
