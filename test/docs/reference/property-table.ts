import { OWN_PROPERTIES } from '../../../libs/ai-sdk/src/configuration/model-properties.js';
import { PROPERTY_TREE } from '../../../libs/core/src/nest/properties/ai-properties.js';
import { environmentName, kebabKey, type KeyPart } from '../../../libs/core/src/nest/properties/property-spelling.js';
import {
  isElsewhere,
  isNamedGroup,
  isPropertyType,
  type PropertyType,
} from '../../../libs/core/src/nest/properties/property-types.js';
import { MCP_SERVER_PROPERTIES } from '../../../libs/mcp/src/client/mcp-server-properties.js';
import { BULLMQ_PROPERTIES } from '../../../libs/bullmq/src/nest/bullmq-properties.js';
import { INSPECTOR_TREE } from '../../../libs/inspector/src/inspector-properties.js';
import { AUDIT_PROPERTIES } from '../../../libs/audit/src/audit-properties.js';
import { UI_FILE_PROPERTIES } from '../../../libs/ui/src/ai-ui.module.js';
import { POSTGRES_PROPERTIES } from '../../../libs/postgres/src/nest/postgres-properties.js';
import { TOOL_SEARCH_PROPERTIES } from '../../../libs/tool-search/src/nest/tool-search-properties.js';
import { code, markdownTable } from './markdown-table.js';
import { propertyComments } from './property-comments.js';

interface Property {
  readonly path: readonly KeyPart[];
  readonly type: PropertyType<unknown>;
  readonly description: string;
  readonly defaultText: string;
}

/** The trees of properties, by the name of their constant and the key that they have. */
const TREES: readonly (readonly [name: string, tree: object, root: readonly KeyPart[]])[] = [
  ['PROPERTY_TREE', PROPERTY_TREE, ['ai']],
  ['OWN_PROPERTIES', OWN_PROPERTIES, ['ai', 'model']],
  ['TOOL_SEARCH_PROPERTIES', TOOL_SEARCH_PROPERTIES, ['ai', 'chat', 'client', 'toolSearchAdvisor']],
  ['POSTGRES_PROPERTIES', POSTGRES_PROPERTIES, ['ai', 'postgres']],
  ['INSPECTOR_TREE', INSPECTOR_TREE, ['ai', 'inspector']],
  ['AUDIT_PROPERTIES', AUDIT_PROPERTIES, ['ai', 'audit']],
  ['UI_FILE_PROPERTIES', UI_FILE_PROPERTIES, ['ai', 'ui', 'files']],
  ['BULLMQ_PROPERTIES', BULLMQ_PROPERTIES, ['ai', 'bullmq']],
  ['MCP_SERVER_PROPERTIES', MCP_SERVER_PROPERTIES, ['ai', 'mcp', 'servers', { name: '<server>' }]],
];

const DURATION = 'a duration such as 500ms, 2s, 30m or 1h, or a number of milliseconds';

const all = TREES.flatMap(([name, tree, root]) => propertiesOf(name, tree, root));
const keysOfAllClients = new Set(all.map(({ path }) => kebabKey(path)));

/**
 * Every property. A named client has the keys of all clients: only those that are its own, or have
 * a default of their own, are listed.
 */
export const properties: readonly Property[] = all.filter(
  ({ path, type }) =>
    path[1] !== 'clients' ||
    type.defaultValue !== undefined ||
    !keysOfAllClients.has(kebabKey(['ai', 'chat', 'client', ...path.slice(3)])),
);

/**
 * The properties whose key starts with one of the given prefixes, such as `ai.audit`, and that no longer
 * prefix of the page has.
 */
export function propertyTable(given: string, prefixes: readonly string[]): string {
  const wanted = given.split(' ');
  const found = properties.map((property) => ({ property, prefix: longestPrefix(kebabKey(property.path), prefixes) }));
  const missing = wanted.filter((prefix) => !found.some((one) => one.prefix === prefix));
  if (missing.length > 0) throw new Error(`No property starts with ${missing.join(' or ')}.`);
  const own = found.filter(({ prefix }) => prefix !== undefined && wanted.includes(prefix)).map((one) => one.property);
  const rows = own.map(({ path, type, description, defaultText }) => [
    `${code(kebabKey(path))}<br>${code(environmentOf(path))}`,
    valuesOf(type),
    defaultText,
    description,
  ]);
  return markdownTable(['property, environment variable', 'values', 'default', 'what it does'], rows);
}

/** The keys of properties that no prefix of the page has. */
export function unlistedProperties(prefixes: readonly string[]): string[] {
  return properties.map(({ path }) => kebabKey(path)).filter((key) => !longestPrefix(key, prefixes));
}

function longestPrefix(key: string, prefixes: readonly string[]): string | undefined {
  const fitting = prefixes.filter((prefix) => key === prefix || key.startsWith(`${prefix}.`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function propertiesOf(name: string, tree: object, root: readonly KeyPart[]): Property[] {
  const comments = propertyComments(name);
  const found: Property[] = [];
  const visit = (node: object, path: readonly KeyPart[], commented: readonly string[]): void => {
    // A named model has the keys of `ai.model`.
    if (isElsewhere(node) || path.at(-1) === 'models') return;
    if (isNamedGroup(node)) return visit(node.ofEachName, [...path, { name: nameOf(path) }], commented);
    if (!isPropertyType(node)) {
      for (const [key, child] of Object.entries(node) as [string, object][])
        visit(child, [...path, key], [...commented, key]);
      return;
    }
    const comment = comments.get(commented.join('.'));
    if (!comment?.text) throw new Error(`Describe ${kebabKey(path)} with a JSDoc comment on its key in ${name}.`);
    const defaultText = comment.defaultValue ?? shownDefault(node);
    found.push({ path, type: node, description: comment.text, defaultText });
  };
  visit(tree, root, []);
  return found;
}

function nameOf(path: readonly KeyPart[]): string {
  return path.at(-1) === 'clients' ? '<client>' : '<tool>';
}

/** The environment variable, with `<TOOL>` where the name of a tool stands. */
function environmentOf(path: readonly KeyPart[]): string {
  const name = path.find((part) => typeof part !== 'string')?.name;
  const marked = path.map((part) => (typeof part === 'string' ? part : { name: 'ANYNAME' }));
  return environmentName(marked).replace('ANYNAME', name?.toUpperCase() ?? '');
}

function valuesOf({ allowed }: PropertyType<unknown>): string {
  if (allowed.startsWith(DURATION)) {
    const extra = /, 0 or more/.test(allowed) ? ' or `0`' : /none/.test(allowed) ? ' or `none`' : '';
    return `duration${extra}`;
  }
  if (allowed === 'a text that is not empty') return 'text';
  const words = allowed.split(' or ');
  return words.every((word) => /^[\w-]+$/.test(word)) ? words.map(code).join(', ') : allowed;
}

function shownDefault({ allowed, defaultValue }: PropertyType<unknown>): string {
  if (defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0)) return '';
  if (Array.isArray(defaultValue)) return defaultValue.map(String).map(code).join(', ');
  if (allowed.startsWith(DURATION)) return code(shownDuration(Number(defaultValue)));
  return code(String(defaultValue));
}

function shownDuration(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}
