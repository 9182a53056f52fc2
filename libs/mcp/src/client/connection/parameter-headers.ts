const KEY = 'x-mcp-header';

/** A name of a header, by RFC 9110. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * Whether the annotations `x-mcp-header` of a tool follow the protocol: each is on a property of a
 * simple type, and names a header of its own. Clients must not use other tools over HTTP.
 */
export function hasValidHeaders(inputSchema: object): boolean {
  const names = new Set<string>();
  const isValid = (node: unknown, isProperty: boolean): boolean => {
    if (typeof node !== 'object' || node === null) return true;
    const { [KEY]: header, type } = node as Readonly<Record<string, unknown>>;
    if (header !== undefined) {
      if (!isProperty || !TYPES.has(type) || typeof header !== 'string' || !TOKEN.test(header)) return false;
      const name = header.toLowerCase();
      if (names.has(name)) return false;
      names.add(name);
    }
    return Object.entries(node).every(([key, child]) => {
      const isReached = isProperty || node === inputSchema;
      if (key !== 'properties' || typeof child !== 'object' || child === null) return isValid(child, false);
      return Object.values(child).every((property) => isValid(property, isReached));
    });
  };
  return isValid(inputSchema, false);
}
