/** The longest URI that the server reads, in characters. */
export const MAX_URI_LENGTH = 2048;

/** A part of a template: text, or a variable for one segment (`{name}`) or for a path (`{+name}`). */
export type TemplatePart = { readonly text: string } | { readonly variable: string; readonly isPath: boolean };

/** A URI has a value that no resource should receive. */
export class RefusedUriException extends Error {
  constructor(variable: string) {
    super(
      `The value of '${variable}' in the URI is not allowed. Values must not contain control characters, the segments . and .., ` +
        'or characters that are encoded twice, and must not begin with a slash or a drive letter. Only values of {+path} and ' +
        'of queries may contain slashes.',
    );
  }
}

const EXPRESSION = /\{([^{}]*)\}/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const NAME = /^[a-z_]\w*$/i;

/**
 * A URI template of RFC 6570 with the expressions that a URI can be matched against in linear time:
 * `{name}` for one segment, `{+name}` for a path, and `{?a,b}` at the end for a query whose parts
 * are optional.
 */
export class ResourceUriTemplate {
  /** The parts before the query. */
  readonly parts: readonly TemplatePart[];
  /** The variables of the query. */
  readonly query: readonly string[];

  /** @throws Error that says what is wrong with the template */
  constructor(readonly text: string) {
    const { parts, query } = parse(text);
    this.parts = parts;
    this.query = query;
    check(this);
  }

  /** The names of all variables. */
  get variables(): readonly string[] {
    return [...this.parts.flatMap((part) => ('variable' in part ? [part.variable] : [])), ...this.query];
  }

  /**
   * The decoded values of the variables.
   *
   * @returns undefined if the URI does not have the form of the template
   * @throws RefusedUriException for a value that is not safe to pass on
   */
  match(uri: string): Record<string, string> | undefined {
    const queryAt = this.query.length > 0 ? uri.indexOf('?') : -1;
    const path = queryAt < 0 ? uri : uri.slice(0, queryAt);
    const raw = matchParts(this.parts, path);
    const ofQuery = raw && (queryAt < 0 ? [] : readQuery(uri.slice(queryAt + 1), this.query));
    if (!raw || !ofQuery) return undefined;
    const values: Record<string, string> = {};
    for (const { name, value, isPath } of [...raw, ...ofQuery]) values[name] = decode(name, value, isPath);
    return values;
  }
}

interface RawValue {
  readonly name: string;
  readonly value: string;
  readonly isPath: boolean;
}

function parse(text: string): Pick<ResourceUriTemplate, 'parts' | 'query'> {
  const parts: TemplatePart[] = [];
  let query: string[] = [];
  let end = 0;
  for (const found of text.matchAll(EXPRESSION)) {
    if (query.length > 0) throw new Error('its query expression has to be at the end');
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    end = found.index + found[0].length;
    const [, operator, names] = /^([^\w]?)(.*)$/s.exec(found[1]!)!;
    const variables = names!.split(',');
    const isSupported = operator === '?' || ((operator === '' || operator === '+') && variables.length === 1);
    if (!isSupported || !variables.every((name) => NAME.test(name))) {
      throw new Error(`it contains ${found[0]}, but only {name}, {+path} and a final {?a,b} are supported`);
    }
    if (operator === '?') query = variables;
    else parts.push({ variable: variables[0]!, isPath: operator === '+' });
  }
  if (end < text.length) {
    if (query.length > 0) throw new Error('its query expression has to be at the end');
    parts.push({ text: text.slice(end) });
  }
  return { parts, query };
}

/** @throws Error if the template is ambiguous, or URIs could not be matched in linear time */
function check({ text, parts, variables }: ResourceUriTemplate): void {
  const [first] = parts;
  if (!first || !('text' in first) || !SCHEME.test(first.text))
    throw new Error('it has to start with a scheme, such as users:');
  if (text.length > MAX_URI_LENGTH) throw new Error(`it is longer than ${MAX_URI_LENGTH} characters`);
  if (new Set(variables).size < variables.length) throw new Error('it has two variables of one name');
  if (parts.some((part) => 'text' in part && /[{}?#\s]/.test(part.text))) {
    throw new Error('it contains a single brace, a blank, # or ?. Write queries as {?name}');
  }
  if (variables.length === 0) throw new Error('it has no variable. Set uri instead');
  for (const [index, part] of parts.entries()) {
    if (!('variable' in part)) continue;
    const rest = parts.slice(index + 1);
    if (rest[0] && 'variable' in rest[0])
      throw new Error(`nothing separates {${part.variable}} from the next variable`);
    if (part.isPath && rest.some((other) => 'variable' in other)) {
      throw new Error(`no variable may follow {+${part.variable}}, apart from a query`);
    }
  }
}

/**
 * The shortest possible value for each variable. Segments contain no slash and only the last variable
 * may be a path, so no other choice matches if this one does not.
 */
function matchParts(parts: readonly TemplatePart[], uri: string): RawValue[] | undefined {
  const values: RawValue[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      // The text after a variable was searched for together with it.
      if (index === 0 && !uri.startsWith(part.text)) return undefined;
      at += part.text.length;
      continue;
    }
    const next = parts[index + 1] as { readonly text: string } | undefined;
    const isLast = index + 2 >= parts.length;
    const end = !next ? uri.length : isLast ? uri.length - next.text.length : uri.indexOf(next.text, at + 1);
    if (end <= at || (next && !uri.startsWith(next.text, end))) return undefined;
    const value = uri.slice(at, end);
    if (!part.isPath && /[/?#]/.test(value)) return undefined;
    values.push({ name: part.variable, value, isPath: part.isPath });
    at = end;
  }
  return at === uri.length ? values : undefined;
}

/** @returns undefined if the query has names that the template has not, or one twice */
function readQuery(query: string, names: readonly string[]): RawValue[] | undefined {
  const values: RawValue[] = [];
  // One more than allowed, to notice it.
  for (const pair of query.split('&', names.length + 1)) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (at < 0 || !names.includes(name) || values.some((value) => value.name === name)) return undefined;
    values.push({ name, value: pair.slice(at + 1), isPath: true });
  }
  return values;
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
const ENCODED = /%[0-9a-f]{2}/i;
const SEPARATOR = /[/\\]/;
/** Windows takes a segment of dots and blanks for one without the blanks. */
const DOTS = /^\.[. ]*$/;
/** `resolve(folder, '/etc/passwd')` and, on Windows, `resolve(folder, 'C:.env')` leave the folder. */
const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;

function decode(name: string, raw: string, isPath: boolean): string {
  let value: string;
  try {
    value = decodeURIComponent(raw);
  } catch {
    throw new RefusedUriException(name);
  }
  const isTraversal = value.split(SEPARATOR).some((segment) => DOTS.test(segment));
  const leavesFolder = isTraversal || ABSOLUTE.test(value);
  if (CONTROL.test(value) || ENCODED.test(value) || leavesFolder || (!isPath && SEPARATOR.test(value))) {
    throw new RefusedUriException(name);
  }
  return value;
}
