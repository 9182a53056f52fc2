import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { type JsonSchema, type ToolCallback, ToolCallbacks, ToolContext } from '@nestor-ai/core';
import { readFinder } from '../../libs/compiler/src/generator/read-source.fixture.js';
import * as classDeclarations from './class-declarations.js';
import * as declarations from './declarations.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'docs/reference/declarations.md');
const MARKED = /(<!-- table -->\n)[\s\S]*(\n<!-- \/table -->)/;
const SECTION = /^\/\/# (.+)\n\/\/> (.+)\n([\s\S]*?)(?=^\/\/# )/gm;

interface Section {
  readonly title: string;
  readonly input: string;
  readonly code: string;
  /** The code with the compiler plugin. Empty if it is the same. */
  readonly plugin: string;
  readonly tool: ToolCallback;
}

const classes = new Map<string, unknown>(Object.entries({ ...declarations, ...classDeclarations }));
const source = ['declarations', 'class-declarations']
  .map((name) => readFileSync(join(root, `test/docs/${name}.ts`), 'utf8'))
  .join('\n');
const sections = [...source.matchAll(SECTION)].map(([, title, input, code]): Section => {
  const host = /^export class (\w+Host)\b/m.exec(code!)![1]!;
  const [tool] = ToolCallbacks.from(new (classes.get(host) as new () => object)());
  const plugin = [...code!.matchAll(/^\/\/\+ ?(.*)$/gm)].map(([, line]) => line).join('\n');
  return { title: title!, input: input!, code: code!.replace(/^\/\/\+.*\n/gm, ''), plugin, tool: tool! };
});

/** The declaration as a reader would write it, without the code that makes it run here. */
function shown(code: string): string {
  return code
    .replace(/ \{\s*return receive\([^)]*\);\s*\}/g, '')
    .replace(/^export class \w+Host \{\n([\s\S]*?)^\}\n/m, (_, body: string) => body.replace(/^ {2}/gm, ''))
    .replace(/^export /gm, '')
    .trim();
}

function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\|/g, '&#124;')
    .replace(/^ +/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replace(/\n/g, '<br>');
}

const code = (text: string): string => `<code>${escaped(text)}</code>`;

function schemaOf({ inputSchema }: ToolCallback['toolDefinition']): string {
  const { properties = {}, required = [], $defs } = inputSchema as Record<string, JsonSchema | string[] | undefined>;
  const lines = Object.entries(properties as JsonSchema).map(([name, schema]) => {
    const optional = (required as string[]).includes(name) ? '' : ' (optional)';
    return `${name}${optional}: ${JSON.stringify(schema)}`;
  });
  return [...lines, ...($defs ? [`$defs: ${JSON.stringify($defs)}`] : [])].join('\n');
}

/** What one writes with the compiler plugin, and the schema if it differs. */
function withPlugin({ plugin, tool }: Section): string {
  if (plugin === '') return '';
  const at = plugin.lastIndexOf('@Tool()');
  const from = plugin.lastIndexOf('/**', at) >= 0 ? plugin.lastIndexOf('/**', at) : at;
  const unit = "enum Unit { Celsius = 'c', Fahrenheit = 'f' }";
  const { types, diagnostics } = readFinder(`${plugin.slice(from)} {}`, `${unit}\n${plugin.slice(0, from)}`);
  expect(diagnostics).toEqual([]);
  const { parameters } = Object.values(types.methods!)[0]!;
  const lines = parameters
    .filter(({ isInjected }) => !isInjected)
    .map(({ name, required, schema }) => `${name}${required ? '' : ' (optional)'}: ${JSON.stringify(schema)}`);
  const schema = lines.join('\n');
  return schema === schemaOf(tool.toolDefinition) ? code(plugin) : `${code(plugin)}<br>→ ${code(schema)}`;
}

async function receivedBy({ tool, input }: Section): Promise<string> {
  await tool.call(input, new ToolContext());
  const printed = declarations.received.map((value) => {
    if (value instanceof ToolContext || value instanceof AbortSignal) return `the ${value.constructor.name}`;
    return inspect(value, { depth: 5, breakLength: Number.POSITIVE_INFINITY, compact: 9 });
  });
  return printed.join(', ');
}

async function table(): Promise<string> {
  const rows: string[] = [];
  for (const section of sections) {
    const { title, input, tool } = section;
    const cells = [
      `${title}<br>${code(shown(section.code))}`,
      code(schemaOf(tool.toolDefinition)),
      code(input),
      code(await receivedBy(section)),
      withPlugin(section),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
  }
  const titles = 'you write | the model sees | the model sends | your method receives | with the plugin';
  return [`| ${titles} |`, '|---|---|---|---|---|', ...rows].join('\n');
}

describe('docs/reference/declarations.md', () => {
  it('shows each declaration with its schema and with the values that the method receives', async () => {
    expect(sections.length).toBeGreaterThan(20);
    const written = readFileSync(page, 'utf8');
    const generated = await table();
    const current = written.replace(MARKED, (_, start: string, end: string) => `${start}\n${generated}\n${end}`);
    if (process.env.UPDATE_DOCS) writeFileSync(page, current);
    // If this fails after an intended change, run: npm run docs
    expect(current).toBe(process.env.UPDATE_DOCS ? current : written);
  });
});
