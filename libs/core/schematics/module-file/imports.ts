import type { ImportDeclaration, SourceFile, StringLiteral } from 'typescript';
import type { Compiler } from '../project.js';
import { type Edit, insert } from './edits.js';

/** Imports a class unless the file does so already. Extends an import from the same package. */
export function addImport(
  ts: Compiler,
  source: SourceFile,
  { symbol, from }: { readonly symbol: string; readonly from: string },
): Edit[] {
  const imports = source.statements.filter((statement): statement is ImportDeclaration =>
    ts.isImportDeclaration(statement),
  );
  for (const { importClause, moduleSpecifier } of imports) {
    const named = importClause?.namedBindings;
    if (!importClause || !named || !ts.isNamedImports(named) || importClause.getText(source).startsWith('type '))
      continue;
    if (named.elements.some(({ name }) => name.text === symbol)) return [];
    const last = named.elements.at(-1);
    if ((moduleSpecifier as StringLiteral).text === from && last) return [insert(last.end, `, ${symbol}`)];
  }
  return [addLine(ts, source, `{ ${symbol} }`, from)];
}

/** Adds an import behind the others. @param what a default export, or names in braces */
export function addLine(ts: Compiler, source: SourceFile, what: string, from: string): Edit {
  const quote = quoteOf(source.text);
  const line = `import ${what} from ${quote}${from}${quote};`;
  const last = source.statements.filter((statement) => ts.isImportDeclaration(statement)).at(-1);
  return last ? insert(last.end, `\n${line}`) : insert(0, `${line}\n`);
}

/** @returns the quote that a file uses for its imports */
export const quoteOf = (text: string): string => /from\s*(['"])/.exec(text)?.[1] ?? "'";

/** Whether the file has something else, or only the type, under the name of a class to import. */
export function isOther(
  ts: Compiler,
  source: SourceFile,
  { symbol, from }: { readonly symbol: string; readonly from: string },
): boolean {
  return source.statements.some((statement) => {
    if (ts.isClassDeclaration(statement)) return statement.name?.text === symbol;
    if (!ts.isImportDeclaration(statement) || !statement.importClause) return false;
    const { importClause, moduleSpecifier } = statement;
    if (importClause.name?.text === symbol) return true;
    const { namedBindings } = importClause;
    if (!namedBindings || !ts.isNamedImports(namedBindings)) return namedBindings?.name.text === symbol;
    const found = namedBindings.elements.find(({ name }) => name.text === symbol);
    const isType = found?.isTypeOnly || importClause.isTypeOnly;
    return found !== undefined && (isType || (moduleSpecifier as StringLiteral).text !== from);
  });
}
