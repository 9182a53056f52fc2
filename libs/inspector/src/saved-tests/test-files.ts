import { type TestedModule } from '../inspector.options.js';

/** A file of a test. */
export interface TestFile {
  readonly name: string;
  readonly content: string;
}

/** What the spec of a turn is made of. */
export interface SpecParts {
  readonly title: string;
  readonly runner: 'jest' | 'vitest';
  readonly module: TestedModule;
  /** The cassette, relative to the working directory of the tests. */
  readonly cassette: string;
  /** The tools whose recorded results are used. */
  readonly recorded: readonly string[];
}

/** A name for files: letters, digits and hyphens. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'turn' : plain;
}

/** The spec that replays a turn. */
export function specOf({ title, runner, module, cassette, recorded }: SpecParts): string {
  const options = recorded.length === 0 ? '' : `, { recordedTools: [${recorded.map(quoted).join(', ')}] }`;
  return [
    ...(runner === 'vitest' ? ["import { test } from 'vitest';"] : []),
    "import { Test } from '@nestjs/testing';",
    "import { replayTurn } from '@nestor-ai/testing';",
    `import { ${module.name} } from ${quoted(module.from)};`,
    '',
    `test(${quoted(title)}, async () => {`,
    `  const app = await Test.createTestingModule({ imports: [${module.name}] }).compile();`,
    '  await app.init();',
    `  await replayTurn(app, ${quoted(cassette)}${options});`,
    '  await app.close();',
    '});',
    '',
  ].join('\n');
}

/** A text in a program. Line separators and anything that ends a line are escaped. */
function quoted(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${inner}'`;
}
