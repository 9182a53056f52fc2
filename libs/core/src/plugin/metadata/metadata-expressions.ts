import type ts from 'typescript';
import { createExportAccess } from '../export-access.js';
import { createJsonExpression } from '../json-expression.js';
import type { TypeScript } from '../typescript.js';
import type { ClassMetadata, ProgramMetadata } from './program-metadata.js';

/** A file in `metadata.ts`: its import, and the types of its classes. */
export type FileEntry = [ts.Expression, Record<string, ts.ObjectLiteralExpression>];

/** The entries of all files. */
export function createEntries(ts: TypeScript, { files }: ProgramMetadata, multiLine = false): FileEntry[] {
  return [...files].map(([specifier, classes]) => [
    createImport(ts, specifier),
    Object.fromEntries([...classes].map(([name, metadata]) => [name, createTypes(ts, metadata, multiLine)])),
  ]);
}

/**
 * The text of an import. The specifier is only known to be a text, so that `metadata.ts` compiles
 * after a file was deleted or a class renamed, until it is written again.
 */
export const importText = (specifier: string): string => `import(${JSON.stringify(specifier)} as string)`;

function createImport({ factory, SyntaxKind }: TypeScript, specifier: string): ts.Expression {
  const text = factory.createAsExpression(
    factory.createStringLiteral(specifier),
    factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
  );
  return factory.createCallExpression(factory.createIdentifier('import'), undefined, [text]);
}

/** `{ ...{ "version": 1, … } as any, classes: [() => t["./item.dto.js"].ItemDto] }`, which is any to the compiler. */
function createTypes(
  ts: TypeScript,
  { types, classes }: ClassMetadata,
  multiLine: boolean,
): ts.ObjectLiteralExpression {
  const { factory, SyntaxKind } = ts;
  const json = factory.createAsExpression(
    createJsonExpression(ts, types, multiLine),
    factory.createKeywordTypeNode(SyntaxKind.AnyKeyword),
  );
  const properties: ts.ObjectLiteralElementLike[] = [factory.createSpreadAssignment(json)];
  if (classes.length > 0) {
    const references = classes.map(({ specifier, exportName }) => createReference(ts, specifier, exportName));
    properties.push(factory.createPropertyAssignment('classes', factory.createArrayLiteralExpression(references)));
  }
  return factory.createObjectLiteralExpression(properties, multiLine);
}

/** `() => t["./item.dto.js"].ItemDto` */
function createReference(ts: TypeScript, specifier: string, exportName: string): ts.Expression {
  const { factory } = ts;
  const module = factory.createElementAccessExpression(
    factory.createIdentifier('t'),
    factory.createStringLiteral(specifier),
  );
  const value = createExportAccess(ts, module, exportName);
  return factory.createArrowFunction(undefined, undefined, [], undefined, undefined, value);
}
