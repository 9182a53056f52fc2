import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { linkProblems, pagesOf } from '../../docs/.vitepress/links.js';

const docs = pagesOf('.');
const packages = readdirSync('libs')
  .map((room) => join('libs', room, 'README.md'))
  .filter((page) => existsSync(page));
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...packages, ...docs];

describe('the links of the documentation', () => {
  it.each(pages)('lead somewhere: %s', (page) => {
    expect(linkProblems('.', page)).toEqual([]);
  });

  it('are on docs/index.md for each page', () => {
    const index = readFileSync('docs/index.md', 'utf8');
    const paths = docs.map((page) => page.slice('docs/'.length)).filter((path) => path !== 'index.md');
    expect(paths.filter((path) => !index.includes(`](${path})`))).toEqual([]);
  });
});
