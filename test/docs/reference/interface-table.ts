import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { commentOf } from './comment-of.js';
import { code, markdownTable } from './markdown-table.js';

type Member = ts.PropertySignature | ts.MethodSignature | ts.PropertyDeclaration | ts.MethodDeclaration;

/**
 * The members of an interface or class with their types and comments, as a table. Deprecated members are left out, and so is the `type`
 * of an event, which is its name.
 *
 * @param source where it stands: `libs/core/src/model/tool-policies.ts ToolPolicies`
 * @param title the title of the first column
 */
export function interfaceTable(source: string, title: string): string {
  const [path, name] = source.split(' ') as [string, string];
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find(
    (statement): statement is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name,
  );
  if (!declaration) throw new Error(`${path} has no interface or class ${name}.`);
  const members = [...declaration.members].filter(isShown);
  const shown = title === 'field' ? members.filter(({ name }) => name.getText() !== 'type') : members;
  const rows = shown.map((member) => {
    const comment = commentOf(member);
    if (!comment) throw new Error(`Describe ${name}.${member.name.getText()} in ${path} with a JSDoc comment.`);
    const required = title === 'option' && !member.questionToken ? ' (required)' : '';
    return [code(member.name.getText()) + required, code(typeOf(member)), comment];
  });
  return markdownTable([title, 'type', title === 'option' ? 'what it does' : 'what it is'], rows);
}

function isShown(member: ts.TypeElement | ts.ClassElement): member is Member {
  const isMember =
    ts.isPropertySignature(member) ||
    ts.isMethodSignature(member) ||
    ts.isPropertyDeclaration(member) ||
    ts.isMethodDeclaration(member);
  return isMember && !ts.getJSDocDeprecatedTag(member);
}

function typeOf(member: Member): string {
  if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) return textOf(member.type);
  const parameters = member.parameters.map((parameter) => parameter.name.getText()).join(', ');
  return `(${parameters}) => ${textOf(member.type)}`;
}

function textOf(type: ts.TypeNode | undefined): string {
  return (type?.getText() ?? 'unknown').replace(/\s+/g, ' ').replace(/^\| /, '');
}
