// Prints the reading grade of each page, the hardest first: npm run docs:grades [-- PAGE…]
// The grade is Flesch-Kincaid's: the years of school that a reader needs. Only prose counts: no code, tables or headings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import readability from 'text-readability';

const markdown = new MarkdownIt({ html: true });

/** The paragraphs and list items of a page, each as text that ends with a full stop. Inline code counts as one word. */
function proseOf(page) {
  const tokens = markdown.parse(page.replace(/^---\n[\s\S]*?\n---\n/, ''), {});
  const paragraphs = [];
  let skipped = 0;
  for (const { type, children } of tokens) {
    if (/^(table|heading)_open$/.test(type)) skipped++;
    if (/^(table|heading)_close$/.test(type)) skipped--;
    if (type !== 'inline' || skipped > 0) continue;
    const text = children.map(textOf).join('').replace(/\s+/g, ' ').trim();
    if (text) paragraphs.push(/[.!?]$/.test(text) ? text : `${text.replace(/[:;,]$/, '')}.`);
  }
  return paragraphs.join(' ');
}

function textOf({ type, content }) {
  if (type === 'code_inline') return 'code';
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  return type === 'text' ? content : '';
}

function pagesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith(join('reference', 'api')))
    .map((name) => join(folder, name));
}

const given = process.argv.slice(2);
const pages = given.length > 0 ? given : ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...pagesOf('docs')];
const grades = pages.map((page) => {
  const prose = proseOf(readFileSync(page, 'utf8'));
  const words = prose.split(' ').filter(Boolean).length;
  return { page, words, grade: words > 0 ? readability.fleschKincaidGrade(prose) : 0 };
});
for (const { page, words, grade } of grades.sort((a, b) => b.grade - a.grade))
  process.stdout.write(`${grade.toFixed(1).padStart(5)}  ${String(words).padStart(5)} words  ${page}\n`);
