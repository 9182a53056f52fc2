import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { slug } from 'github-slugger';

const CODE = /^(`{3,})[\s\S]*?^\1$|`[^`\n]*`/gm;
const LINK = /\]\(\s*([^)\s]+)\s*\)/g;

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.startsWith('reference/api/'))
  .map((name) => join('docs', name));
const packages = readdirSync('libs')
  .map((room) => join('libs', room, 'README.md'))
  .filter((page) => existsSync(page));
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...packages, ...docs];
/** Pages of packages on npm need whole addresses. */
const OWN = /^https:\/\/github\.com\/nestor-ai\/nestor\/(?:blob|tree)\/main\//;

function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(page, 'utf8').replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slug(heading!));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!)]);
}

/** What is wrong with a link of a page, undefined when it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path, anchor] = link.split('#') as [string, string?];
  const target = OWN.test(path) ? path.replace(OWN, '') : path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(target)) return `${link}: there is no such file`;
  if (anchor === undefined || statSync(target).isDirectory() || !target.endsWith('.md')) return undefined;
  return anchorsOf(target).has(anchor) ? undefined : `${link}: ${target} has no such heading`;
}

describe('the links of the documentation', () => {
  it.each(pages)('lead somewhere: %s', (page) => {
    const text = readFileSync(page, 'utf8').replace(CODE, '');
    const links = [...text.matchAll(LINK)]
      .map(([, link]) => link!)
      .filter((link) => OWN.test(link) || !/^(?:https?:|mailto:|\/)/.test(link));
    const isMade = (link: string): boolean => /reference\/api\//.test(link);
    expect(links.filter((link) => !isMade(link)).flatMap((link) => problemOf(page, link) ?? [])).toEqual([]);
  });

  it('are on docs/index.md for each page', () => {
    const index = readFileSync('docs/index.md', 'utf8');
    const paths = docs.map((page) => page.slice('docs/'.length)).filter((path) => path !== 'index.md');
    expect(paths.filter((path) => !index.includes(`](${path})`))).toEqual([]);
  });
});
