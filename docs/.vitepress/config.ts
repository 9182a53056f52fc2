import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { linkProblems, pagesOf } from './links.js';
import { plainMarkdown, repositoryOf, searchedText, slugify } from './markdown.js';
import { sidebarOf, sidebarProblems } from './pages.js';

/**
 * Room for lines of code with 100 characters, and for tables with four columns. On a narrow screen, tables and drawings
 * scroll sideways.
 */
const WIDE = `
  :root { --vp-code-font-size: 0.83em; }
  .VPDoc.VPDoc.has-aside .content-container { max-width: 920px; }
  .vp-doc td { min-width: 8em; padding: 6px 12px; vertical-align: top; }
  .vp-doc td:first-child { min-width: 16em; }
  .vp-doc td:last-child { min-width: 14em; }
  .vp-doc td code { overflow-wrap: anywhere; }
  @media (max-width: 640px) {
    .vp-doc td { min-width: 7em; padding: 6px 8px; }
    .vp-doc td:first-child { min-width: 11em; }
    .vp-doc td:last-child { min-width: 11em; }
    .vp-doc p:has(> img[src$='.svg']) { overflow-x: auto; }
    .vp-doc p > img[src$='.svg'] { max-width: none; }
  }
`;

const docs = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(docs);
const repository = repositoryOf(root);
/** As data, since an address in `head` would need the base of the site. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(docs, 'public/logo.svg'), 'utf8'))}`;

export default defineConfig({
  title: 'Nestor',
  description: 'Tool calling for NestJS: a language model calls the methods of your services.',
  cleanUrls: true,
  head: [
    ['style', {}, WIDE],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: icon }],
  ],
  // A link to a page that does not exist fails the build. `buildEnd` checks headings.
  ignoreDeadLinks: false,
  // The index of the search is one file, which is loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: { anchor: { slugify }, config: plainMarkdown(docs) },
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local', options: { _render: searchedText } },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Guides', link: '/guides/tools' },
      { text: 'Reference', link: '/reference/properties' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    sidebar: sidebarOf(docs),
    socialLinks: repository ? [{ icon: 'github', link: repository }] : [],
    footer: { message: 'Licensed under Apache-2.0.' },
  },
  transformPageData({ relativePath, frontmatter }) {
    // Its table needs all the room, and it has no headings to list beside it.
    if (relativePath === 'reference/declarations.md') frontmatter['aside'] = false;
  },
  buildEnd() {
    const problems = [...sidebarProblems(docs), ...pagesOf(root).flatMap((page) => linkProblems(root, page))];
    if (problems.length > 0) throw new Error(problems.join('\n'));
  },
});
