import type { ClassDeclaration, Expression, Node, ObjectLiteralExpression, SourceFile } from 'typescript';
import type { Compiler } from '../project.js';
import { type Edit, insertElements, insertProperty } from './edits.js';
import { addImport, addLine, isOther } from './imports.js';

/** Something that a module lists. */
export interface Entry {
  /** The class to import. */
  readonly symbol: string;
  /** Where to import it from. */
  readonly from: string;
  /** The element of the list. Default: the symbol. */
  readonly element?: string;
  /** The default export of another file that the element uses. */
  readonly uses?: { readonly symbol: string; readonly from: string };
}

/** The new text of a module file, or why it cannot be changed. */
export type Changed = { readonly text: string } | { readonly problem: string };

/** Adds what is missing to a list in `@Module()`, and imports it. */
export function addToModule(
  ts: Compiler,
  text: string,
  property: 'imports' | 'providers',
  entries: readonly Entry[],
): Changed {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const metadata = findModule(ts, source)?.metadata;
  if (!metadata) return { problem: 'it has no class with @Module({ … })' };
  const list = findProperty(ts, metadata, property);
  if (list && !ts.isArrayLiteralExpression(list)) return { problem: `its ${property} are not an array literal` };
  const missing = entries.filter(({ symbol }) => !list || !names(ts, list, symbol));
  // A listed class of the application may be imported under another path, such as an alias.
  const others = entries.filter((entry) => missing.includes(entry) || !entry.from.startsWith('.'));
  const other = others.find((entry) => isOther(ts, source, entry));
  if (other) return { problem: `its ${other.symbol} is not the one of ${other.from}` };
  if (missing.length === 0) return { text };
  const elements = missing.map(({ symbol, element = symbol }) => element);
  const edits = [
    ...missing.flatMap((entry) => [
      ...addImport(ts, source, entry),
      ...(entry.uses ? [addLine(ts, source, entry.uses.symbol, entry.uses.from)] : []),
    ]),
    ...(list ? insertElements(source, list, elements) : insertProperty(source, metadata, property, elements)),
  ];
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  return checked(ts, apply(text, edits, newLine));
}

/** Whether an expression names a class. A name in a comment does not count. */
function names(ts: Compiler, node: Node, symbol: string): boolean {
  return (
    (ts.isIdentifier(node) && node.text === symbol) || !!ts.forEachChild(node, (child) => names(ts, child, symbol))
  );
}

/** @returns the name of the class with `@Module()`; undefined when it is no named export */
export function nameOfModule(ts: Compiler, text: string): string | undefined {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const { modifiers = [], name } = findModule(ts, source)?.declaration ?? {};
  const kinds = modifiers.map(({ kind }) => kind);
  const isNamed = kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
  return isNamed ? name?.text : undefined;
}

interface ModuleClass {
  readonly declaration: ClassDeclaration;
  readonly metadata: ObjectLiteralExpression;
}

/** @returns the last class with `@Module()`, since it can import those above it, and its metadata */
function findModule(ts: Compiler, source: SourceFile): ModuleClass | undefined {
  const classes = source.statements.filter((statement): statement is ClassDeclaration =>
    ts.isClassDeclaration(statement),
  );
  for (const declaration of classes.reverse()) {
    for (const { expression } of ts.getDecorators(declaration) ?? []) {
      if (!ts.isCallExpression(expression) || expression.expression.getText(source) !== 'Module') continue;
      const [metadata] = expression.arguments;
      if (metadata && ts.isObjectLiteralExpression(metadata)) return { declaration, metadata };
    }
  }
  return undefined;
}

/** @returns the value of a property; the metadata itself when the property has none, as in `{ imports }` */
function findProperty(ts: Compiler, metadata: ObjectLiteralExpression, name: string): Expression | undefined {
  for (const property of metadata.properties) {
    if (!property.name || !('text' in property.name) || property.name.text !== name) continue;
    return ts.isPropertyAssignment(property) ? property.initializer : metadata;
  }
  return undefined;
}

/** Applies edits from the end to the start. Edits at one position keep their order. */
function apply(text: string, edits: readonly Edit[], newLine: string): string {
  const ordered = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((x, y) => y.start - x.start || y.index - x.index);
  return ordered.reduce(
    (result, { start, end, text: with_ }) =>
      result.slice(0, start) + with_.replaceAll(/\r?\n/g, newLine) + result.slice(end),
    text,
  );
}

/** No file is written that the compiler cannot read. */
function checked(ts: Compiler, text: string): Changed {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { experimentalDecorators: true, target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.length === 0 ? { text } : { problem: 'its metadata cannot be edited' };
}
