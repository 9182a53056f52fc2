import type ts from 'typescript';
import { createExportAccess } from '../export-access.js';
import { createParsedJson } from '../json-text.js';
import type { TypeScript } from '../typescript.js';
import type { ClassMetadata, ProgramMetadata } from './program-metadata.js';

/** A file in `metadata.ts`: its import, and the types of its classes. */
export type FileEntry = [ts.Expression, Record<string, ts.ObjectLiteralExpression>];

/** The entries of all files. */
export function createEntries(ts: TypeScript, { files, isCommonJs }: ProgramMetadata): FileEntry[] {
  return [...files].map(([specifier, classes]) => [
    ts.factory.createIdentifier(importText(specifier, isCommonJs)),
    Object.fromEntries([...classes].map(([name, metadata]) => [name, createTypes(ts, metadata)])),
  ]);
}

/** The modules that `metadata.ts` imports before the others, as text. */
export const importTexts = ({ imports, isCommonJs }: ProgramMetadata): Record<string, string> =>
  Object.fromEntries(imports.map((specifier) => [specifier, `await ${importText(specifier, isCommonJs)}`]));

/**
 * The text of an import. The specifier is only known to be a text, so that `metadata.ts` compiles
 * after a file was deleted or a class renamed, until it is written again. In CommonJS, Jest has no
 * `import()`, which TypeScript keeps, and the `require()` of Vitest loads no sources.
 */
function importText(specifier: string, isCommonJs: boolean): string {
  const text = JSON.stringify(specifier);
  const imported = `import(${text} as string)`;
  return isCommonJs ? `${imported}.catch(() => require(${text}))` : imported;
}

/** `{ ...globalThis.JSON.parse('{"version":1,…}'), classes: [() => t["./item.dto.js"].ItemDto] }`, which is any to the compiler. */
function createTypes(ts: TypeScript, { types, classes }: ClassMetadata): ts.ObjectLiteralExpression {
  const { factory } = ts;
  const json = createParsedJson(ts, types);
  const properties: ts.ObjectLiteralElementLike[] = [factory.createSpreadAssignment(json)];
  if (classes.length > 0) {
    const references = classes.map(({ specifier, exportName }) => createReference(ts, specifier, exportName));
    properties.push(factory.createPropertyAssignment('classes', factory.createArrayLiteralExpression(references)));
  }
  return factory.createObjectLiteralExpression(properties);
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
