import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import MiniSearch from 'minisearch';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  text: string;
}

/** A page in sections, as VitePress gives them to its search. */
function sectionsOf(page: string): Section[] {
  const found: Section[] = [];
  const parents: string[] = [];
  let isCode = false;
  for (const line of readFileSync(join('docs', page), 'utf8').split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, marks, heading] = (!isCode && /^(#{1,6}) (.+)$/.exec(line)) || [];
    if (marks && heading) {
      parents.length = marks.length - 1;
      found.push({ id: `${page}#${found.length}`, title: heading, titles: parents.filter(Boolean), text: '' });
      parents.push(heading);
    } else if (found.length > 0) found.at(-1)!.text += `${line}\n`;
  }
  return found;
}

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('reference/api/'),
);
// The settings of VitePress.
const index = new MiniSearch<Section>({
  fields: ['title', 'titles', 'text'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});
index.addAll(pages.flatMap(sectionsOf));

it.each([
  ['system prompt', 'chat-client'],
  ['function calling', 'tools'],
  ['structured output', 'structured-output'],
  ['needsApproval', 'approvals'],
  ['approve', 'approvals'],
  ['human in the loop', 'approvals'],
  ['prompt injection', 'trust'],
  ['timeout', 'tool-policies'],
  ['rate limiting', 'tool-policies'],
  ['memory', 'memory'],
  ['scaling', 'scaling-out'],
  ['agents', 'custom-loop'],
  ['useChat', 'streaming'],
  ['streaming tool calls', 'streaming'],
  ['mock', 'testing'],
  ['MCP', 'mcp'],
])('a search for "%s" finds the guide %s first', (words, guide) => {
  expect(String(index.search(words)[0]?.id)).toContain(`guides/${guide}.md#`);
});
