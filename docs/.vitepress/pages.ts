import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** A group of the sidebar: its title, and the path and title of each page. */
interface Group {
  readonly text: string;
  readonly pages: readonly (readonly [path: string, title: string])[];
}

/** Every page of the site, in the order of the sidebar. A new page needs a line here, or the build fails. */
const GROUPS: readonly Group[] = [
  {
    text: 'Start',
    pages: [
      ['get-started', 'Get started'],
      ['examples', 'Examples'],
    ],
  },
  {
    text: 'Tools',
    pages: [
      ['guides/tools', 'Tools'],
      ['guides/types-as-schemas', 'Types as schemas'],
      ['guides/tool-policies', 'Timeouts, retries, rate limits'],
      ['guides/tool-results', 'Results and errors'],
      ['guides/guards', 'Guards, pipes and scopes'],
      ['guides/approvals', 'Approvals'],
      ['guides/long-tools', 'Long tools, questions to users'],
      ['guides/trust', 'Untrusted content'],
      ['guides/tool-search', 'Tool search'],
      ['guides/tool-providers', 'Tools without decorators'],
      ['guides/mcp-client', 'Use MCP servers'],
      ['guides/mcp', 'Be an MCP server'],
    ],
  },
  {
    text: 'Models and answers',
    pages: [
      ['guides/models', 'Models and providers'],
      ['guides/provider-features', 'Provider features'],
      ['guides/chat-client', 'Ask a model'],
      ['guides/memory', 'Memory'],
      ['guides/streaming', 'Streaming and useChat'],
      ['guides/structured-output', 'Structured output'],
      ['guides/advisors', 'Advisors'],
      ['guides/custom-loop', 'Agents: the tool loop'],
      ['guides/transports', 'Microservices, GraphQL, WebSocket'],
    ],
  },
  {
    text: 'In production',
    pages: [
      ['guides/module', 'Configuration and customizing'],
      ['guides/inspector', 'Inspector'],
      ['guides/nest-cli', 'Nest CLI'],
      ['guides/testing', 'Testing and evaluation'],
      ['guides/errors', 'Errors'],
      ['guides/observability', 'Observability'],
      ['guides/audit', 'Audit'],
      ['guides/security', 'Security'],
      ['guides/stores', 'Where things are kept'],
      ['guides/scaling-out', 'Scaling out'],
      ['guides/deployment', 'Deployment and bundling'],
    ],
  },
  {
    text: 'Reference',
    pages: [
      ['reference/properties', 'Properties'],
      ['reference/tool-options', '@Tool() options'],
      ['reference/declarations', 'Tool declarations'],
      ['reference/events', 'Events'],
      ['reference/finish-reasons', 'Finish reasons'],
      ['reference/what-reaches-the-model', 'What reaches the model'],
      ['reference/advisors', 'Advisors and orders'],
      ['reference/api/index', 'API'],
    ],
  },
  {
    text: 'Coming from',
    pages: [
      ['coming-from/ai-sdk', 'AI SDK'],
      ['coming-from/langchain', 'LangChain'],
      ['coming-from/spring-ai', 'Spring AI'],
    ],
  },
  {
    text: 'Help',
    pages: [
      ['troubleshooting', 'Troubleshooting'],
      ['recipes', 'Recipes'],
    ],
  },
];

/** Folders of pages that have no line in the sidebar. */
const UNLISTED = ['.vitepress', 'reference/api'];

/** The sidebar. It leaves out pages that do not exist. */
export function sidebarOf(docs: string): DefaultTheme.SidebarItem[] {
  return GROUPS.map(({ text, pages }) => ({
    text,
    items: pages
      .filter(([path]) => existsSync(join(docs, `${path}.md`)))
      .map(([path, title]) => ({ text: title, link: `/${path.replace(/index$/, '')}` })),
  }));
}

/** What is wrong with the sidebar: pages that it does not have, and pages of it that do not exist. */
export function sidebarProblems(docs: string): string[] {
  const listed = ['index', ...GROUPS.flatMap(({ pages }) => pages.map(([path]) => path))];
  const missing = listed.filter((path) => !existsSync(join(docs, `${path}.md`)));
  const unlisted = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !UNLISTED.some((folder) => file.startsWith(`${folder}/`)))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((path) => !listed.includes(path));
  return [
    ...missing.map((path) => `The sidebar has docs/${path}.md, which does not exist.`),
    ...unlisted.map((path) => `The sidebar does not have docs/${path}.md. Add it to docs/.vitepress/pages.ts.`),
  ];
}
