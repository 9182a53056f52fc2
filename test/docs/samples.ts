import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * and other blocks of its page may import it.
 */
export function extractSamples(root: string, target: string): Sample[] {
  rmSync(target, { recursive: true, force: true });
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md') && !name.startsWith('reference/api/'));
  return ['README.md', ...pages.sort().map((name) => join('docs', name))].flatMap((page) =>
    extractPage(root, target, page),
  );
}

function extractPage(root: string, target: string, page: string): Sample[] {
  const text = readFileSync(join(root, page), 'utf8');
  const folder = join(target, page.slice(0, -'.md'.length).toLowerCase());
  return [...text.matchAll(FENCE)].map((match, index) => {
    const code = match[1]!;
    const file = join(folder, FILE_NAME.exec(code)?.[1] ?? `sample-${index + 1}.ts`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, code);
    const line = text.slice(0, match.index).split('\n').length;
    const prints = [...code.matchAll(PRINTS)].map(([, printed]) => printed!.trim());
    return { title: `${page}, line ${line}`, file, prints };
  });
}
