import type * as Acorn from 'acorn';
import { acorn } from '../lazy-modules.cjs';

/** A parameter in the source of a function. */
export interface SourceParameter {
  /** Undefined if the parameter is destructured. */
  readonly name: string | undefined;
  readonly hasDefault: boolean;
  /** The default value, if it is a plain string, number or boolean literal. */
  readonly defaultValue?: string | number | boolean;
  readonly isRest: boolean;
}

/**
 * Reads the parameters of a method from its source.
 *
 * @returns undefined if the source is not a method: a native or bound function, or a function with
 * which a decorator replaced the method, whose parameters have other names
 */
export function readSourceParameters(fn: (...args: never[]) => unknown): readonly SourceParameter[] | undefined {
  const source = Function.prototype.toString.call(fn);
  // `function (a) {…}` would be parsed as a method named "function".
  if (/^(async\s+)?function\b/.test(source)) return undefined;
  return readPlain(source) ?? parse(`(class { ${source} })`)?.map(toParameter);
}

const NAME = String.raw`[A-Za-z_$][\w$]*`;
const LITERAL = String.raw`-?\d+(?:\.\d+)?|'[^'\\\n]*'|"[^"\\\n]*"|true|false`;
const EXPRESSION = String.raw`\{\s*\}|\[\s*\]|${NAME}(?:\.${NAME})*`;
const PLAIN_PARAMETER = new RegExp(String.raw`\s*(${NAME})\s*(=\s*(?:(${LITERAL})|${EXPRESSION})\s*)?(?:,|$)`, 'y');
const PLAIN_METHOD = new RegExp(String.raw`^(?:static\s+)?(?:async\s+)?\*?\s*${NAME}\s*\(([^()]*)\)\s*\{`);

/**
 * Reads simple parameter lists without a parser, which takes a hundred times as long. Nearly all
 * tools only have names and simple default values, without comments, patterns or calls.
 *
 * @returns undefined for any other parameter list
 */
function readPlain(source: string): SourceParameter[] | undefined {
  const list = PLAIN_METHOD.exec(source)?.[1];
  if (list === undefined) return undefined;
  const parameters: SourceParameter[] = [];
  PLAIN_PARAMETER.lastIndex = 0;
  const end = list.trimEnd().length;
  while (PLAIN_PARAMETER.lastIndex < end) {
    const match = PLAIN_PARAMETER.exec(list);
    if (!match) return undefined;
    const [, name, fallback, literal] = match;
    parameters.push({
      name,
      hasDefault: fallback !== undefined,
      isRest: false,
      ...(literal !== undefined && { defaultValue: literalValue(literal) }),
    });
  }
  return parameters;
}

function literalValue(literal: string): string | number | boolean {
  if (literal === 'true' || literal === 'false') return literal === 'true';
  return /^['"]/.test(literal) ? literal.slice(1, -1) : Number(literal);
}

function parse(source: string): readonly Acorn.Pattern[] | undefined {
  const { parse: parseSource } = acorn();
  try {
    const { body } = parseSource(source, {
      ecmaVersion: 'latest',
      // A default value may contain `import.meta`.
      sourceType: 'module',
      checkPrivateFields: false,
      allowSuperOutsideMethod: true,
    });
    const [statement] = body;
    if (statement?.type !== 'ExpressionStatement') return undefined;
    const { expression } = statement;
    const member = expression.type === 'ClassExpression' ? expression.body.body[0] : undefined;
    return member?.type === 'MethodDefinition' ? member.value.params : undefined;
  } catch {
    // Not parseable, such as `function () { [native code] }`. The caller asks for names.
    return undefined;
  }
}

function toParameter(pattern: Acorn.Pattern): SourceParameter {
  switch (pattern.type) {
    case 'Identifier':
      return { name: pattern.name, hasDefault: false, isRest: false };
    case 'AssignmentPattern':
      return { ...toParameter(pattern.left), hasDefault: true, ...literalOf(pattern.right) };
    case 'RestElement':
      return { ...toParameter(pattern.argument), isRest: true };
    default:
      return { name: undefined, hasDefault: false, isRest: false };
  }
}

function literalOf(expression: Acorn.Expression): Pick<SourceParameter, 'defaultValue'> {
  if (expression.type === 'UnaryExpression' && expression.operator === '-') {
    const { defaultValue } = literalOf(expression.argument);
    return typeof defaultValue === 'number' ? { defaultValue: -defaultValue } : {};
  }
  const value: unknown = expression.type === 'Literal' ? expression.value : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { defaultValue: value }
    : {};
}

/**
 * Whether a minifier has processed a method: it removes the space before the body or renames the
 * class. Otherwise a developer may have chosen names such as x and y.
 */
export function isMinified(method: (...args: never[]) => unknown, { name }: { readonly name: string }): boolean {
  return /^[^{]*\)\{/.test(Function.prototype.toString.call(method)) || name.length <= 2;
}
