import { expect, it } from '@jest/globals';
import { join } from 'node:path';
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
