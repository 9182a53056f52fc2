import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code sample of README or docs, written to a file of its own. */
export interface Sample {
  /** Where it stands: `docs/guides/tools.md, line 12`. */
  readonly title: string;
  readonly file: string;
  /** What it says that it prints, line by line: the comments `// → …` behind `console.log(…)`. */
  readonly prints: readonly string[];
}

const FENCE = /^```ts\n([\s\S]*?)^```$/gm;
const FILE_NAME = /^\/\/ ([\w.-]+\.ts)\n/;
const PRINTS = /\/\/ → (.*)$/gm;

/**
 * Extracts every TypeScript block of a repository's README and docs. A block that starts with `// name.ts` gets that name,
 * and other blocks of its page may import it. Another process may read the files meanwhile: only what has changed is written.
 */
export function extractSamples(root: string, target: string): Sample[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md') && !name.startsWith('reference/api/'));
  const samples = ['README.md', ...pages.sort().map((name) => join('docs', name))].flatMap((page) =>
    extractPage(root, target, page),
  );
  const files = new Set(samples.map(({ file }) => file));
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (file.endsWith('.ts') && !files.has(file)) rmSync(file, { force: true });
  }
  return samples;
}

function writeIfChanged(file: string, code: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === code) return;
  const written = `${file}.${process.pid}`;
  writeFileSync(written, code);
  renameSync(written, file);
}

function extractPage(root: string, target: string, page: string): Sample[] {
  const text = readFileSync(join(root, page), 'utf8');
  const folder = join(target, page.slice(0, -'.md'.length).toLowerCase());
  return [...text.matchAll(FENCE)].map((match, index) => {
    const code = match[1]!;
    const file = join(folder, FILE_NAME.exec(code)?.[1] ?? `sample-${index + 1}.ts`);
    mkdirSync(folder, { recursive: true });
    writeIfChanged(file, code);
    const line = text.slice(0, match.index).split('\n').length;
    const prints = [...code.matchAll(PRINTS)].map(([, printed]) => printed!.trim());
    return { title: `${page}, line ${line}`, file, prints };
  });
}
