/** Values that fit into this many columns are on one line. */
const WIDTH = 100;

/** Keys that come first, in this order. The others follow by name. */
const FIRST =
  'format version model turn interactions client request method messages options tools message toolInput generation response ' +
  'others chunks error role type id name description text reasoning toolCalls arguments';
const RANK: ReadonlyMap<string, number> = new Map(FIRST.split(' ').map((key, at) => [key, at]));

/** JSON for readers: keys in a stable order, and short values on one line. */
export function printJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => ['', item] as const)
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .toSorted(([a], [b]) => compareKeys(a, b))
        .map(([key, item]) => [`${JSON.stringify(key)}: `, item] as const);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const inner = `${indent}  `;
  const lines = items.map(([key, item]) => key + printJson(item, inner));
  const space = isList ? '' : ' ';
  const line = `${open}${space}${lines.join(', ')}${space}${close}`;
  if (indent !== '' && indent.length + line.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${lines.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

function compareKeys(a: string, b: string): number {
  const rank = (RANK.get(a) ?? RANK.size) - (RANK.get(b) ?? RANK.size);
  if (rank !== 0) return rank;
  return a < b ? -1 : 1;
}
