import type ts from 'typescript';
import { CLASS_TYPES, remembered } from '@nestor-ai/schema/format';
import { createExportAccess } from '../export-access.js';
import type { GeneratedClass, ReferencedClass } from '../generator/generated-class.js';
import { createGlobalCall, createParsedJson } from '../json-text.js';
import { ModuleSpecifiers } from '../module-specifier.js';
import type { TypeScript } from '../typescript.js';

/** Adds a static member to each class of a file that returns its types. */
export function addClassTypes(
  ts: TypeScript,
  program: ts.Program,
  context: ts.TransformationContext,
  file: ts.SourceFile,
  classes: readonly GeneratedClass[],
): ts.SourceFile {
  const generated = new Map<ts.Node, GeneratedClass>(classes.map((item) => [item.declaration, item]));
  const imports = new NamespaceImports(ts, new ModuleSpecifiers(ts, program, file.fileName));
  const around = ancestorsOf(classes);
  const visit = (node: ts.Node): ts.Node => {
    const original = ts.getOriginalNode(node);
    const visited = around.has(original) ? ts.visitEachChild(node, visit, context) : node;
    const types = generated.get(original);
    return types && ts.isClassLike(visited) ? withMember(ts, visited, createMember(ts, types, imports)) : visited;
  };
  const transformed = ts.visitEachChild(file, visit, context);
  return imports.addTo(transformed);
}

/** The nodes around classes: nothing else has to be visited. */
function ancestorsOf(classes: readonly GeneratedClass[]): ReadonlySet<ts.Node> {
  const ancestors = new Set<ts.Node>();
  for (const { declaration } of classes) {
    for (let node: ts.Node = declaration.parent; node && !ancestors.has(node); node = node.parent) ancestors.add(node);
  }
  return ancestors;
}

function withMember(
  { factory, setTextRange, isClassDeclaration }: TypeScript,
  node: ts.ClassLikeDeclaration,
  member: ts.ClassElement,
): ts.ClassLikeDeclaration {
  const members = setTextRange(factory.createNodeArray([...node.members, member]), node.members);
  const { modifiers, name, typeParameters, heritageClauses } = node;
  const parts = [modifiers, name, typeParameters, heritageClauses, members] as const;
  return isClassDeclaration(node)
    ? factory.updateClassDeclaration(node, ...parts)
    : factory.updateClassExpression(node, ...parts);
}

/**
 * `static [globalThis.Symbol.for('nestor.ClassTypes')]() { return { ...globalThis.JSON.parse('{…}'), classes: [() => ItemDto] } }`
 */
function createMember(ts: TypeScript, types: GeneratedClass, imports: NamespaceImports): ts.MethodDeclaration {
  const { factory, SyntaxKind } = ts;
  const key = factory.createStringLiteral(Symbol.keyFor(CLASS_TYPES) ?? '');
  return factory.createMethodDeclaration(
    [factory.createModifier(SyntaxKind.StaticKeyword)],
    undefined,
    factory.createComputedPropertyName(createGlobalCall(ts, 'Symbol', 'for', key)),
    undefined,
    undefined,
    [],
    undefined,
    factory.createBlock([factory.createReturnStatement(createResult(ts, types, imports))]),
  );
}

function createResult(ts: TypeScript, types: GeneratedClass, imports: NamespaceImports): ts.Expression {
  const { factory } = ts;
  const json = createParsedJson(ts, types.types);
  if (types.classes.length === 0) return json;
  const references = types.classes.map((reference) => createLazy(ts, imports.referTo(reference, types)));
  return factory.createObjectLiteralExpression([
    factory.createSpreadAssignment(json),
    factory.createPropertyAssignment('classes', factory.createArrayLiteralExpression(references)),
  ]);
}

const createLazy = ({ factory }: TypeScript, value: ts.Expression): ts.ArrowFunction =>
  factory.createArrowFunction(undefined, undefined, [], undefined, undefined, value);

/** The imports that a file needs for the classes that its tools take. */
class NamespaceImports {
  readonly #names = new Map<string, ts.Identifier>();

  constructor(
    readonly ts: TypeScript,
    readonly specifiers: ModuleSpecifiers,
  ) {}

  /** An expression for a class in the file of another. A class without a name is only known to itself. */
  referTo({ declaration, exportName }: ReferencedClass, from: GeneratedClass): ts.Expression {
    const { factory } = this.ts;
    const file = declaration.getSourceFile();
    if (file === from.declaration.getSourceFile()) {
      return declaration.name ? factory.createIdentifier(declaration.name.text) : factory.createThis();
    }
    const specifier = this.specifiers.of(file);
    const module = this.specifiers.isCommonJs ? this.#require(specifier) : this.#nameOf(specifier);
    return createExportAccess(this.ts, module, exportName);
  }

  /**
   * Adds the imports behind the last one, so that modules load in the same order as without them. A
   * namespace, because the compiler does not rename what a synthetic import of a name refers to.
   */
  addTo(file: ts.SourceFile): ts.SourceFile {
    const { factory, setTextRange, isImportDeclaration, isImportEqualsDeclaration } = this.ts;
    const { isExpressionStatement, isStringLiteral } = this.ts;
    if (this.#names.size === 0) return file;
    const added = [...this.#names].map(([specifier, name]) =>
      factory.createImportDeclaration(
        undefined,
        factory.createImportClause(false, undefined, factory.createNamespaceImport(name)),
        factory.createStringLiteral(specifier),
      ),
    );
    const isDirective = (node: ts.Node) => isExpressionStatement(node) && isStringLiteral(node.expression);
    const at =
      file.statements.findLastIndex(
        (node) => isImportDeclaration(node) || isImportEqualsDeclaration(node) || isDirective(node),
      ) + 1;
    const statements = [...file.statements.slice(0, at), ...added, ...file.statements.slice(at)];
    return factory.updateSourceFile(file, setTextRange(factory.createNodeArray(statements), file.statements));
  }

  /**
   * Loads the file when the class is needed. An import at the top would close a circle of files where
   * the code only imports a type.
   */
  #require(specifier: string): ts.Expression {
    const { factory } = this.ts;
    const text = factory.createStringLiteral(specifier);
    return factory.createCallExpression(factory.createIdentifier('require'), undefined, [text]);
  }

  #nameOf(specifier: string): ts.Identifier {
    const { factory, GeneratedIdentifierFlags } = this.ts;
    return remembered(this.#names, specifier, () =>
      factory.createUniqueName('nestor', GeneratedIdentifierFlags.Optimistic),
    );
  }
}
