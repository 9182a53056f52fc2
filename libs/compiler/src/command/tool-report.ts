import type ts from 'typescript';
import { estimateTokens, isJsonObject, type MethodTypes } from '@nestor-ai/schema/format';
import { isAbstract, pathOf } from '../generator/declarations.js';
import type { GeneratedClass } from '../generator/generated-class.js';
import type { GeneratedProgram } from '../generated-program.js';
import type { TypeScript } from '../typescript.js';

/** A tool as the command reports it. */
export interface ReportedTool {
  readonly name: string;
  /** Such as `Finder.find`. */
  readonly method: string;
  readonly file: string;
  /** From the decorator or the comment. */
  readonly description: string | undefined;
  readonly types: MethodTypes;
  readonly tokens: number;
}

/** All tools of a program, in the order of their files. */
export function toolsOf(ts: TypeScript, generated: GeneratedProgram, folder: string): ReportedTool[] {
  const all = [...generated.values()].flat();
  const schemas = new ClassSchemas(all);
  const inherited = new Set<ts.Node>(all.flatMap((one) => one.inherited));
  const tools = all.flatMap((one) => {
    const methods = [one.types.statics, one.types.methods].flatMap((of) => Object.entries(of ?? {}));
    // The subclasses of an abstract class have its tools.
    const left = isAbstract(ts, one.declaration)
      ? one.declaration.members.filter((member) => inherited.has(member))
      : [];
    return methods
      .filter(([method]) => !left.some((member) => isNamed(member, method)))
      .map(([method, types]) => createTool(ts, folder, { one, schemas }, method, types));
  });
  return tools.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
}

function createTool(
  ts: TypeScript,
  folder: string,
  { one, schemas }: { one: GeneratedClass; schemas: ClassSchemas },
  method: string,
  types: MethodTypes,
): ReportedTool {
  const { declaration, name: className = '(anonymous)' } = one;
  const members = [...declaration.members, ...one.inherited];
  const { name = method, description = types.description } = declaredIn(ts, members, method);
  return {
    name,
    method: `${className}.${method}`,
    file: pathOf(folder, declaration.getSourceFile()),
    description,
    types,
    tokens: estimateTokens({ name, description, parameters: schemas.withClasses(inputOf(types), one) }),
  };
}

/** The name and the description in the decorators of a method, where they are written as text. */
function declaredIn(
  ts: TypeScript,
  members: readonly ts.ClassElement[],
  name: string,
): { name?: string; description?: string } {
  const method = members.find((member) => isNamed(member, name));
  const decorators = method && ts.canHaveDecorators(method) ? (ts.getDecorators(method) ?? []) : [];
  const options = decorators.flatMap(({ expression }) =>
    ts.isCallExpression(expression) ? expression.arguments.filter(ts.isObjectLiteralExpression) : [],
  );
  const properties = options.flatMap((option) => option.properties.filter(ts.isPropertyAssignment));
  return Object.fromEntries(
    properties.flatMap(({ name: key, initializer }) =>
      ts.isIdentifier(key) && /^(name|description)$/.test(key.text) && ts.isStringLiteralLike(initializer)
        ? [[key.text, initializer.text]]
        : [],
    ),
  );
}

const isNamed = ({ name }: ts.ClassElement, text: string): boolean => !!name && 'text' in name && name.text === text;

/** The schema of the input, as far as the types tell it. */
function inputOf({ parameters }: MethodTypes): object {
  const sent = parameters.filter(({ isInjected }) => !isInjected);
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map(({ name = '?', schema = {} }) => [name, schema])),
    required: sent.filter(({ required }) => required).map(({ name = '?' }) => name),
  };
}

/** The schemas of classes with decorators, as far as their types tell them. */
class ClassSchemas {
  readonly #classes: ReadonlyMap<ts.Node, GeneratedClass>;

  constructor(classes: readonly GeneratedClass[]) {
    this.#classes = new Map(classes.map((one) => [one.declaration, one]));
  }

  /** Writes classes in place of their references. A class that contains itself is written once. */
  withClasses(schema: object, { classes }: GeneratedClass, outer: readonly GeneratedClass[] = []): unknown {
    return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
      const reference = isJsonObject(value) ? /^class:(\d+)$/.exec(String(value['$ref'])) : null;
      const declaration = reference && classes[Number(reference[1])]?.declaration;
      const found = declaration && this.#classes.get(declaration);
      if (!found || outer.includes(found)) return value;
      const properties = Object.entries(found.types.properties ?? {}).map(([name, { schema: of = {} }]) => [name, of]);
      const filled = { type: 'object', properties: Object.fromEntries(properties) as object };
      return this.withClasses(filled, found, [...outer, found]);
    }) as unknown;
  }
}

/** A table of tools with their tokens. */
export function printTable(tools: readonly ReportedTool[]): string {
  const rows = [
    ['Tool', 'Method', 'File', 'Tokens'],
    ...tools.map(({ name, method, file, tokens }) => [name, method, file, String(tokens)]),
    ['', '', 'Sum', String(tools.reduce((sum, { tokens }) => sum + tokens, 0))],
  ];
  const widths = rows[0]?.map((_title, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const print = (row: readonly string[]) =>
    row.map((cell, column) => (column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)));
  return rows.map((row) => print(row).join('  ').trimEnd()).join('\n');
}
