import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type ts from 'typescript';
import { createEntries, importTexts } from '../metadata/metadata-expressions.js';
import type { ProgramMetadata } from '../metadata/program-metadata.js';
import type { TypeScript } from '../typescript.js';

const HEADER = `/* eslint-disable */
/* oxlint-disable */
/* prettier-ignore */
// Written by nestor-schemas. Do not edit.
`;

/** The text of `metadata.ts`, in the shape that the Nest CLI writes with swc. */
export function printMetadata(ts: TypeScript, metadata: ProgramMetadata): string {
  const { factory } = ts;
  const entries = createEntries(ts, metadata).map(([file, classes]) =>
    factory.createArrayLiteralExpression([file, createObject(ts, Object.entries(classes))], true),
  );
  const tools = factory.createArrayLiteralExpression(entries, true);
  const result = createObject(ts, [['@nestor-ai/core', createObject(ts, [['tools', tools]])]]);
  const printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed });
  const file = ts.createSourceFile('metadata.ts', '', ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const imports = Object.entries(importTexts(metadata)).map(
    ([specifier, imported]) => `        [${JSON.stringify(specifier)}]: ${imported},\n`,
  );
  const t = imports.length > 0 ? `    const t: Record<string, any> = {\n${imports.join('')}    };\n` : '';
  const text = printer.printNode(ts.EmitHint.Expression, result, file).replaceAll('\n', '\n    ');
  return `${HEADER}export default async (): Promise<Record<string, any>> => {\n${t}    return ${text};\n};\n`;
}

function createObject({ factory }: TypeScript, properties: readonly [string, ts.Expression][]): ts.Expression {
  return factory.createObjectLiteralExpression(
    properties.map(([key, value]) => factory.createPropertyAssignment(factory.createStringLiteral(key), value)),
    true,
  );
}

export const readMetadata = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;

/** Writes the file if its text differs, so that watchers do not start for nothing. @returns whether it did */
export function writeMetadata(path: string, text: string): boolean {
  if (readMetadata(path) === text) return false;
  writeFileSync(path, text);
  return true;
}
