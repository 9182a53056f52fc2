/**
 * Whether a name matches one of the patterns, in which `*` matches any characters. Takes linear
 * time, since a server chooses the name.
 */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop();
  if (end === undefined) return name === pattern;
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  const last = name.length - end.length;
  let from = start.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0 || at + part.length > last) return false;
    from = at + part.length;
  }
  return true;
}
