import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { createProgramOf, inFolder } from '../emit.fixture.js';
import { printMetadata } from '../command/metadata-file.js';
import { loadTypeScript } from '../typescript.js';
import { metadataOf } from './program-metadata.js';

it('metadata.ts names classes that are exported under names that are no identifiers', () => {
  const ts = loadTypeScript();
  const files = {
    'item.ts': `import { IsString } from 'class-validator';\nclass ItemDto { @IsString() name!: string }\nexport { ItemDto as "hid den" };`,
    'shop.ts': `import { Tool } from '@nestor-ai/core';\nimport { "hid den" as ItemDto } from './item';
      class Shop { @Tool() order(item: ItemDto) { return item.name; } }\nexport { Shop as "the shop" };`,
  };
  const text = inFolder(files, (folder) =>
    printMetadata(ts, metadataOf(ts, createProgramOf(folder, files), join(folder, 'metadata.ts'))),
  );
  expect(text).toContain('() => t["./item"]["hid den"]');
  expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
});

it('metadata.ts loads in CommonJS where a test runner has no import()', async () => {
  const ts = loadTypeScript();
  const files = {
    'item.ts': `import { IsString } from 'class-validator';\nexport class ItemDto { @IsString() name!: string }`,
    'shop.ts': `import { Tool } from '@nestor-ai/core';\nimport { ItemDto } from './item';
      export class Shop { @Tool() order(item: ItemDto) { return item.name; } }`,
  };
  const text = inFolder(files, (folder) =>
    printMetadata(ts, metadataOf(ts, createProgramOf(folder, files), join(folder, 'metadata.ts'))),
  );
  const compilerOptions = { module: ts.ModuleKind.NodeNext };
  const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: 'metadata.cts' });
  const exported: { default?: () => Promise<Record<string, { tools: unknown[][] }>> } = {};
  const load = (specifier: string) => ({ specifier });
  compileFunction(outputText, ['exports', 'require'])(exported, load);
  const tools = (await exported.default!())['@nestor-ai/core']?.tools ?? [];
  expect(await Promise.all(tools.map(([file]) => file))).toEqual([load('./item'), load('./shop')]);
});

it('metadata.ts has one line for the types of a class', () => {
  const ts = loadTypeScript();
  const methods = Array.from(
    { length: 20 },
    (_, index) => `/** Sucht „O'Hare“. */ @Tool() find${index}(city: string, limit = 10) {}`,
  );
  const files = {
    'finder.ts': `import { Tool } from '@nestor-ai/core';\nexport class Finder { ${methods.join('\n')} }`,
  };
  const text = inFolder(files, (folder) =>
    printMetadata(ts, metadataOf(ts, createProgramOf(folder, files), join(folder, 'metadata.ts'))),
  );
  expect(text.split('\n').filter((line) => line.includes('Sucht „'))).toHaveLength(1);
  expect(text.replaceAll(/\s/g, '').length / text.length).toBeGreaterThan(0.8);
  expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
});
