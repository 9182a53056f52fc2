import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/**
 * The classes whose types differ in two texts of `metadata.ts`, and those that only one of them has.
 * The format of the texts does not matter.
 */
export function staleClasses(ts: TypeScript, before: string, after: string): string[] {
  const known = classesIn(ts, before);
  const current = classesIn(ts, after);
  return [...new Set([...known.keys(), ...current.keys()])]
    .filter((name) => known.get(name) !== current.get(name))
    .sort();
}

/** The classes of `metadata.ts`, with a text of their types that does not depend on the format. */
function classesIn(ts: TypeScript, text: string): ReadonlyMap<string, string> {
  const file = ts.createSourceFile('metadata.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const classes = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    const [first, second] = ts.isArrayLiteralExpression(node) ? node.elements : [];
    const imported = first && importIn(ts, first);
    if (imported && second && ts.isObjectLiteralExpression(second)) {
      for (const property of second.properties) {
        if (ts.isPropertyAssignment(property))
          classes.set(`${wordsOf(property.name)} in ${specifierIn(ts, imported)}`, wordsOf(property.initializer));
      }
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return classes;
}

/** The import at the start of an expression such as `import('./a').catch(…)`. */
function importIn(ts: TypeScript, node: ts.Node): ts.CallExpression | undefined {
  if (ts.isPropertyAccessExpression(node)) return importIn(ts, node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  return node.expression.kind === ts.SyntaxKind.ImportKeyword ? node : importIn(ts, node.expression);
}

const specifierIn = (ts: TypeScript, { arguments: [specifier] }: ts.CallExpression): string =>
  specifier ? wordsOf(ts.isAsExpression(specifier) ? specifier.expression : specifier) : '';

/** The words of a node, without quotes and what depends on the format. */
function wordsOf(node: ts.Node): string {
  if ('text' in node) return String(node.text);
  const children = node.getChildren();
  if (children.length === 0) return node.getText();
  return children
    .map(wordsOf)
    .filter((word) => !['', ',', '(', ')'].includes(word))
    .join(' ');
}
