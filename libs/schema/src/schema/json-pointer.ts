/** Escapes a name for a JSON pointer. */
export function escapePointer(name: string): string {
  return /[~/]/.test(name) ? name.replace(/~/g, '~0').replace(/\//g, '~1') : name;
}

/** Unescapes a part of a JSON pointer. */
export function unescapePointer(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

/** The value at a JSON pointer. Undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescapePointer(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
