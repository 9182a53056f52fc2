import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { slug } from 'github-slugger';
import type { MarkdownEnv, MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** HTML that a page may contain. Any other `<word>`, such as the type parameter of a class, is text. */
const HTML = /^<\/?(a|b|br|code|details|div|em|img|kbd|p|picture|source|span|strong|sub|summary|sup)\b/i;
const TAG = /^<\/?[a-z]/i;

/** Headings have the same anchors on the site as on GitHub. */
export const slugify = (heading: string): string => slug(heading);

/** Pages are plain Markdown: Vue reads neither `{{ }}` nor `<Word>` in them. Their links work on GitHub as well. */
export function plainMarkdown(docs: string): (md: MarkdownIt) => void {
  const root = dirname(docs);
  const repository = repositoryOf(root);
  return (md) => {
    for (const name of ['text', 'code_inline', 'html_inline', 'html_block'] as const) {
      const rule = md.renderer.rules[name]!;
      md.renderer.rules[name] = (...args) => publicFiles(withoutMustaches(rule(...args)));
    }
    md.core.ruler.push('words-in-angle-brackets', ({ tokens }) => {
      for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])]))
        if (token.type.startsWith('html_') && TAG.test(token.content) && !HTML.test(token.content)) token.type = 'text';
    });
    md.core.ruler.push('links-out-of-docs', ({ tokens, env }) => {
      const page = (env as MarkdownEnv).path;
      for (const { children } of tokens)
        for (const token of children ?? []) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          const target = href?.startsWith('.') ? relative(root, join(dirname(page), href)) : undefined;
          if (!target || target.startsWith('docs/')) continue;
          if (repository) token.attrSet('href', `${repository}/blob/main/${target}`);
          else token.attrs = null;
        }
    });
  };
}

/** What the search of the site reads of a page. Pages of the API, which name everything, would hide the guides. */
export function searchedText(source: string, env: MarkdownEnv, md: MarkdownIt): string {
  return env.relativePath.startsWith('reference/api/') ? '' : md.render(source, env);
}

/** Where the repository can be read, as `package.json` of the core gives it. Links to its files are plain text without. */
export function repositoryOf(root: string): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, 'libs/core/package.json'), 'utf8')) as {
    repository?: { url: string };
  };
  return repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Pictures have paths that GitHub shows as well. */
function publicFiles(html: string): string {
  return html.replaceAll(/(src|srcset)="(?:\.\.\/)+public\//g, '$1="/');
}

function withoutMustaches(html: string): string {
  return html.replaceAll('{{', '&#123;&#123;');
}
