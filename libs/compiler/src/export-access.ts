import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** `module.Name`, or `module["a name"]` for `export { Name as "a name" }`. */
export function createExportAccess({ factory }: TypeScript, module: ts.Expression, exportName: string): ts.Expression {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(exportName)
    ? factory.createPropertyAccessExpression(module, exportName)
    : factory.createElementAccessExpression(module, factory.createStringLiteral(exportName));
}
