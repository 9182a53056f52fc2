/** A name as a part of a JSON pointer. */
export function escapePointer(name: string): string {
  return /[~/]/.test(name) ? name.replace(/~/g, '~0').replace(/\//g, '~1') : name;
}

/** The name that a part of a JSON pointer stands for. */
export function unescapePointer(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

/** What a JSON pointer leads to; undefined when that is nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescapePointer(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
