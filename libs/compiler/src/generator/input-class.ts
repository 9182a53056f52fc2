import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { isAbstract } from './declarations.js';
import { UnsayableType } from './unsayable.js';

/**
 * Checks that instances of a class without decorated properties can be made of JSON.
 *
 * @throws UnsayableType for an abstract class, and for one that is a service
 */
export function checkInput(ts: TypeScript, checker: ts.TypeChecker, declaration: ts.ClassDeclaration): void {
  const name = declaration.name?.text ?? 'without a name';
  if (isAbstract(ts, declaration)) {
    throw new UnsayableType(
      `is the abstract class ${name}, which has no instances`,
      'Declare a class that extends it, or an interface with its properties.',
    );
  }
  if (isOfNest(ts, checker, declaration) || isCodeOnly(ts, checker, declaration)) {
    throw new UnsayableType(
      `is the class ${name}, which is a service and no data`,
      'Inject it into the class of the tool, and declare what the model has to tell.',
    );
  }
}

/** Whether a class has a decorator of `@nestjs/common`, such as `@Injectable()`. */
function isOfNest(ts: TypeScript, checker: ts.TypeChecker, declaration: ts.ClassDeclaration): boolean {
  return (ts.getDecorators(declaration) ?? []).some(({ expression }) => {
    const called = ts.isCallExpression(expression) ? expression.expression : expression;
    const signature = checker.getTypeAtLocation(called).getCallSignatures()[0];
    const file = signature?.declaration?.getSourceFile().fileName ?? '';
    return /[\\/]@nestjs[\\/]common[\\/]/.test(file);
  });
}

/** Whether a class has methods, and nothing that a model could set. */
function isCodeOnly(ts: TypeScript, checker: ts.TypeChecker, declaration: ts.ClassDeclaration): boolean {
  const { Method, Property, SetAccessor } = ts.SymbolFlags;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const members = checker.getPropertiesOfType(checker.getTypeAtLocation(declaration));
  const isVisible = ({ valueDeclaration: at }: ts.Symbol): boolean =>
    !at || !(ts.getCombinedModifierFlags(at) & hidden);
  const hasData = members.some((member) => member.flags & (Property | SetAccessor) && isVisible(member));
  return !hasData && members.some(({ flags }) => flags & Method);
}
