import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { slugify } from './markdown.js';

const BLOCK = /^(`{3,})[\s\S]*?^\1$/gm;
const CODE = /^(`{3,})[\s\S]*?^\1$|`[^`\n]*`/gm;
const LINK = /\]\(\s*([^)\s]+)\s*\)/g;
/** Pages of packages on npm need whole addresses. */
const OWN = /^https:\/\/github\.com\/nestor-ai\/nestor\/(?:blob|tree)\/main\//;
/** Other addresses, and pictures of the site. */
const ELSEWHERE = /^(?:https?:|mailto:|\/)/;
/** These pages are generated. */
const MADE = 'reference/api/';

/** The pages of the documentation that are written by hand: their paths in the repository. */
export function pagesOf(root: string): string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith(MADE))
    .map((name) => join('docs', name));
}

/** What is wrong with the links of a page: files that do not exist, and pages that do not have the heading. */
export function linkProblems(root: string, page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(CODE, '');
  return [...text.matchAll(LINK)]
    .map(([, link]) => link!)
    .filter((link) => (OWN.test(link) || !ELSEWHERE.test(link)) && !link.includes(MADE))
    .flatMap((link) => problemOf(root, page, link) ?? []);
}

function problemOf(root: string, page: string, link: string): string | undefined {
  const [path, anchor] = link.split('#') as [string, string?];
  const target = OWN.test(path) ? path.replace(OWN, '') : path === '' ? page : normalize(join(dirname(page), path));
  const file = join(root, target);
  if (!existsSync(file)) return `${page}: ${link}: there is no such file`;
  if (anchor === undefined || statSync(file).isDirectory() || !target.endsWith('.md')) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${page}: ${link}: ${target} has no such heading`;
}

function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8').replace(BLOCK, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slugify(heading!));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!)]);
}
