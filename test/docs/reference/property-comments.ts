import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { commentOf } from './comment-of.js';

/** What the code says of a property. */
export interface PropertyComment {
  readonly text: string | undefined;
  /** The text of `@default`, where the tree of properties has no default of its own. */
  readonly defaultValue: string | undefined;
}

/** Where trees of properties are declared. */
const SOURCES = [
  'libs/core/src/nest/properties',
  'libs/ai-sdk/src/configuration',
  'libs/tool-search/src/nest',
  'libs/mcp/src/client',
  'libs/postgres/src/nest',
  'libs/bullmq/src/nest',
  'libs/inspector/src',
  'libs/ui/src',
  'libs/audit/src',
];

const constants = new Map<string, ts.Expression>();
for (const folder of SOURCES)
  for (const name of readdirSync(folder).filter((file) => /(?<!spec)\.ts$/.test(file))) {
    const path = join(folder, name);
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const { name: variable, initializer } of file.statements
      .filter(ts.isVariableStatement)
      .flatMap(declarationsOf))
      if (initializer && ts.isIdentifier(variable)) constants.set(variable.text, initializer);
  }

/** The comments on the keys of a tree of properties, by the path in the tree: `tools.maxResultLength`. */
export function propertyComments(tree: string): ReadonlyMap<string, PropertyComment> {
  const comments = new Map<string, PropertyComment>();
  collect(constants.get(tree), [], comments);
  return comments;
}

function collect(node: ts.Expression | undefined, path: readonly string[], into: Map<string, PropertyComment>): void {
  if (!node) return;
  if (ts.isAsExpression(node)) collect(node.expression, path, into);
  else if (ts.isIdentifier(node)) collect(constants.get(node.text), path, into);
  // Such as forEachName(TOOL_OVERRIDES): the keys are those of the argument.
  else if (ts.isCallExpression(node)) collect(node.arguments[0], path, into);
  else if (ts.isObjectLiteralExpression(node))
    for (const member of node.properties) {
      if (ts.isSpreadAssignment(member)) collect(member.expression, path, into);
      if (!ts.isPropertyAssignment(member)) continue;
      const ownPath = [...path, member.name.getText()];
      into.set(ownPath.join('.'), { text: commentOf(member), defaultValue: defaultOf(member) });
      collect(member.initializer, ownPath, into);
    }
}

function defaultOf(node: ts.Node): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
  return ts.getTextOfJSDocComment(tag?.comment)?.replace(/\s+/g, ' ');
}

function declarationsOf(statement: ts.VariableStatement): readonly ts.VariableDeclaration[] {
  return statement.declarationList.declarations;
}
