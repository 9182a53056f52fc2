import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type AiEvent, type ChatClientEvent, FinishReason } from '@nestor-ai/core';
import { interfaceTable } from './reference/interface-table.js';
import { propertyTable, unlistedProperties } from './reference/property-table.js';

const folder = fileURLToPath(new URL('../../docs/reference', import.meta.url));
/** A table that the code gives: `<!-- options of FILE NAME -->`, the table, and `<!-- /generated -->`. */
const GENERATED = /(<!-- (options|fields|properties) of (.+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

const readPage = (name: string): string => readFileSync(join(folder, name), 'utf8');
const pages = readdirSync(folder).filter(
  (name) => name.endsWith('.md') && readPage(name).includes('<!-- /generated -->'),
);

const prefixes = [...readPage('properties.md').matchAll(GENERATED)].flatMap(([, , , given]) => given!.split(' '));
const generators: Readonly<Record<string, (source: string) => string>> = {
  options: (source) => interfaceTable(source, 'option'),
  fields: (source) => interfaceTable(source, 'field'),
  properties: (prefix) => propertyTable(prefix, prefixes),
};

describe.each(pages)('docs/reference/%s', (name) => {
  it('has the tables that the code gives', () => {
    const written = readPage(name);
    const current = written.replace(
      GENERATED,
      (_, start: string, kind: string, source: string, end: string) =>
        `${start}\n${generators[kind]!(source)}\n\n${end}`,
    );
    if (process.env.UPDATE_DOCS) writeFileSync(join(folder, name), current);
    // When this fails after a change that you want: npm run docs
    expect(current).toBe(process.env.UPDATE_DOCS ? current : written);
  });
});

describe('docs/reference/properties.md', () => {
  it('has a table for every property', () => {
    expect(unlistedProperties(prefixes)).toEqual([]);
  });
});

describe('docs/reference/finish-reasons.md', () => {
  it('has every finish reason, in the order of the code', () => {
    const rows = readPage('finish-reasons.md').matchAll(/^\| `([\w-]+)` +\| `([A-Z_]+)`/gm);
    expect([...rows].map(([, value, name]) => [name, value])).toEqual(Object.entries(FinishReason));
  });
});

describe('docs/reference/events.md', () => {
  // TypeScript refuses these objects when they miss an event, or have one that does not exist.
  const inEvents: Record<ChatClientEvent['type'], true> = {
    text: true,
    reasoning: true,
    'tool-input-delta': true,
    'provider-tool-call': true,
    'provider-tool-result': true,
    source: true,
    file: true,
    'tool-call': true,
    'tool-progress': true,
    'tool-result': true,
    'tool-error': true,
    usage: true,
    finish: true,
  };
  const inAiEvents: Record<AiEvent['type'], true> = {
    'turn-start': true,
    'tool-call': true,
    'tool-progress': true,
    'tool-result': true,
    'tool-error': true,
    'turn-end': true,
  };

  it('has every event, and where it comes from', () => {
    const rows = [...readPage('events.md').matchAll(/^\| `([a-z-]+)` +\| (yes)? +\| (yes)? +\| .+ +\| .+ +\|$/gm)];
    const named = (column: number): string[] => rows.filter((row) => row[column]).map(([, name]) => name!);
    expect(named(2)).toEqual(Object.keys(inEvents));
    expect(named(3)).toEqual(Object.keys(inAiEvents));
  });
});
