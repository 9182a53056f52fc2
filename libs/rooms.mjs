/*
 * The rooms of the house: the packages in `libs/`, from the lowest to the highest. A room may only
 * import rooms above it in this list, and only those that its package.json names. Whatever builds,
 * reports, packs or maps packages takes them from here.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Folders from the highest layer to the lowest: each may import those below it. */
const layered = (names) => {
  const folders = names.split(' ');
  return Object.fromEntries(folders.map((name, at) => [name, folders.slice(at + 1).join(' ')]));
};

/**
 * What each room is for, and how many lines its sources and names its entries may have. At most three
 * sources may import each other. `folders` says which others a folder may import, and `container`
 * which sources may know the container of Nest.
 */
const HOUSE = {
  schema: { purpose: 'from classes, types and schemas to schemas, checks and values', lines: 5_767 },
  core: {
    purpose: 'ChatClient, advisors, the tool loop, tools, memory, AiModule',
    lines: 33_755,
    names: 344,
    folders: layered('nest client advisor memory execution tool observability model'),
    container: 'nest/',
  },
  compiler: { purpose: 'the compiler plugin: types and comments become schemas', lines: 4_909 },
  advisors: {
    purpose: 'optional advisors: budgets, cached answers, forbidden words, long conversations, a log of contents',
    lines: 2_140,
  },
  audit: { purpose: 'records of tool calls', lines: 1_100 },
  turns: {
    purpose: 'turns that outlive their process: journal, queue, log of events, their routes; results that come later',
    lines: 2_400,
  },
  ui: { purpose: '`useChat()` of the AI SDK in front', lines: 1_132 },
  testing: {
    purpose: 'scripted models, cassettes, replay, evaluation, contracts of stores and models',
    lines: 5_156,
    container: 'replay/command/',
  },
  'event-emitter': { purpose: 'hooks such as @OnToolCall() for @nestjs/event-emitter', lines: 135 },
  'remote-tools': { purpose: 'tools of other services, over the transports of Nest', lines: 2_300 },
  'ai-sdk': { purpose: 'models of the provider packages of the AI SDK', lines: 5_115 },
  'tool-search': {
    purpose: 'lets the model search for its tools',
    lines: 3_450,
    folders: {
      nest: 'advisor hybrid keyword vector regex eviction tool-index words',
      advisor: 'eviction tool-index words',
      hybrid: 'keyword vector tool-index words',
      keyword: 'tool-index words',
      vector: 'tool-index words',
      regex: 'tool-index words',
      eviction: '',
      'tool-index': 'words',
      words: '',
    },
    container: 'nest/',
  },
  mcp: { purpose: 'tools of MCP servers in, tools of the application out', lines: 6_685 },
  postgres: { purpose: 'conversations, turns, ledgers, audits and vectors in PostgreSQL', lines: 3_370 },
  bullmq: { purpose: 'turns as jobs of BullMQ; locks, limits and results that processes share in Redis', lines: 1_758 },
  inspector: { purpose: 'the page that shows tools, turns and approvals', lines: 3_872 },
};

/** Packages without a CommonJS build. They become part of the bundles, with their licences. */
export const BUNDLED = ['leven'];

/** The path of a source without its extension, from where its bundle is built to. */
const sourceOf = (bundle) => bundle.replace('./dist/bundle/', '').replace(/\.c?js$/, '');

export const ROOMS = Object.entries(HOUSE).map(([folder, { purpose, lines, names = 100, folders = {}, container }]) => {
  const manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'));
  const { name, exports, bin = {}, dependencies = {}, peerDependencies = {} } = manifest;
  return {
    folder,
    name,
    manifest,
    purpose,
    lines,
    names,
    folders: new Map(Object.entries(folders).map(([name, imported]) => [name, imported.split(' ')])),
    container,
    /** What applications import, and the source of each. */
    entries: Object.entries(exports)
      .filter(([, target]) => target.require)
      .map(([path, target]) => ({ name: posix.join(name, path), path, source: sourceOf(target.require.default) })),
    commands: Object.values(bin).map(sourceOf),
    /** The packages that it may import. */
    mayImport: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  };
});

/** The rooms that a room may import. */
export const below = (room) => ROOMS.filter(({ name }) => room.mayImport.includes(name));
