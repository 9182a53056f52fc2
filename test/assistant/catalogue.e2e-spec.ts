import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { ChatClient } from '@nestor-ai/core';
import { readArguments } from '../../apps/assistant/src/arguments.js';
import { CatalogueModule } from '../../apps/assistant/src/catalogue/catalogue.module.js';
import { OWN_CATALOGUE, readCatalogue } from '../../apps/assistant/src/catalogue/read-catalogue.js';
import { CATALOGUE_QUESTIONS, questionsFor, runCatalogue } from '../../apps/assistant/src/catalogue/run-catalogue.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (text: string): string => {
  const file = join(folder, 'tools.jsonl');
  writeFileSync(file, text);
  return file;
};

async function run(tools: ReturnType<typeof readCatalogue>, questions: readonly string[]): Promise<string> {
  const module = await Test.createTestingModule({ imports: [CatalogueModule.of(tools)] }).compile();
  await module.init();
  const lines: string[] = [];
  await runCatalogue(module.get(ChatClient), tools, questions, (line) => lines.push(line));
  await module.close();
  return lines.join('\n');
}

describe('npm start -- --catalogue', () => {
  it('answers with tools that were searched for, one of them found two questions before, and tells what each round costs', async () => {
    const text = await run(readCatalogue(OWN_CATALOGUE), CATALOGUE_QUESTIONS);
    const calls = [...text.matchAll(/the model calls (\w+)/g)].map(([, name]) => name);
    expect(calls).toEqual(['toolSearchTool', 'trackParcel', 'toolSearchTool', 'convertCurrency', 'trackParcel']);
    expect(text).toContain('"amount":250,"from":"USD","to":"EUR"');
    const rounds = [
      ...text.matchAll(/round \d: (\d+) tokens of tool definitions \((\d+) tools sent\) instead of (\d+)/g),
    ];
    expect(rounds).toHaveLength(8);
    expect(new Set(rounds.map(([, , , all]) => all)).size).toBe(1);
    for (const [, sent, , all] of rounds) expect(Number(sent)).toBeLessThan(Number(all) / 5);
    expect(text).toMatch(/Total: \d+ tokens of tool definitions instead of \d+, (8\d|9\d)\.\d % less\./);
  });

  it('comes with sixty tools, each described, with categories', () => {
    const tools = readCatalogue(OWN_CATALOGUE);
    expect(tools).toHaveLength(60);
    expect(new Set(tools.map(({ toolMetadata }) => toolMetadata.category)).size).toBe(10);
    const names = new Set(tools.map(({ toolDefinition }) => toolDefinition.name));
    for (const { toolMetadata } of tools) {
      for (const name of (toolMetadata.dependsOn ?? []) as string[]) expect(names).toContain(name);
    }
  });

  it('reads a catalogue of somebody else, and asks for what some of its tools do', async () => {
    const rows = ['plantTree', 'feedFish', 'paintWall'].map((name) => ({
      name,
      description: `Does the work: ${name}`,
      dependsOn: [{ name: 'feedFish', type: 'PARAMETER' }],
      originalName: 'whatever',
    }));
    const tools = readCatalogue(write(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n\n`));
    expect(questionsFor(tools)).toEqual(rows.map(({ description }) => description));
    expect(await run(tools, ['Does the work: paint wall'])).toContain('the model calls paintWall({})');
  });

  it.each([
    ['not json', 'line 1 is not JSON'],
    ['{"name":"a"}\n{"description":"b"}', 'line 2 is not a tool: it has no name'],
    ['{"name":"a"}\n{"name":"a"}', "line 2: another tool has the name 'a'"],
    ['{"name":"a","inputSchema":{"type":"dict"}}', 'line 1: '],
    ['null', 'line 1 is not a tool'],
    ['{"name":"a","inputSchema":7}', 'line 1: '],
    ['', 'has no tools'],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => readCatalogue(write(text))).toThrow(message);
  });

  it('says so when there is no such file', () => {
    expect(() => readCatalogue(join(folder, 'nothing.jsonl'))).toThrow('Cannot read the catalogue');
  });
});

describe('the arguments of the assistant', () => {
  it.each([
    [[], { once: false, catalogue: undefined, questions: [] }],
    [['--once'], { once: true, catalogue: undefined, questions: [] }],
    [['--catalogue', 'a.jsonl', '--once', 'Who?'], { once: true, catalogue: 'a.jsonl', questions: ['Who?'] }],
  ])('%j', (given, read) => {
    expect(readArguments(given)).toEqual({ trace: false, cluster: 'no', ...read });
  });

  it('stand for the own catalogue where no file is named', () => {
    const { catalogue, questions } = readArguments(['--catalogue', 'What?']);
    expect(String(catalogue)).toMatch(/catalogue\.jsonl$/);
    expect(questions).toEqual(['What?']);
  });

  it('are refused when there is no such option', () => {
    expect(() => readArguments(['--katalog'])).toThrow('Unknown option --katalog');
  });
});
