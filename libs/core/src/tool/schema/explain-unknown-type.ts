import { isType, type Type } from '../type.js';

/** Why a type that TypeScript emitted does not say enough, and what to write. Follows the name of the value. */
export function explainUnknownType(reflected: unknown): string {
  if (reflected === Array || reflected === Set) {
    return (
      `is ${reflected === Array ? 'an array' : 'a Set'}, but the type of its items is not known. Add @ToolParam({ type: [String] }) ` +
      'with the class of the items, or @ToolParam({ schema }).'
    );
  }
  if (reflected === Map) {
    return (
      'is a Map, but the type of its values is not known. Add @ToolParam({ type: { values: String } }) with the class of ' +
      'the values, or @ToolParam({ schema }).'
    );
  }
  if (reflected === undefined) {
    return (
      'has no type at run time: TypeScript emits the types of decorated methods only, and only with "experimentalDecorators" and ' +
      '"emitDecoratorMetadata". Turn these on, or add @ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  if (reflected === Object || reflected === Function) {
    return (
      `has no type at run time: TypeScript emitted ${(reflected as Type).name}. An interface, a union (also with null or ` +
      'undefined) or a type alias leaves nothing behind, and neither does a class imported with `import type`. Import the ' +
      'class as a value, use a class with class-validator decorators, or add @ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  if (reflected === BigInt) {
    return (
      'is a bigint, and JSON has no such number. Declare a string, which keeps all digits, or a number, and make a bigint of it in the ' +
      'method: BigInt(text). Or add @ToolParam({ schema }) with the schema of what the model is to write, which is then handed over as it is.'
    );
  }
  if (reflected === Symbol) return 'is a symbol, which JSON does not have. Declare a string.';
  const name = isType(reflected) ? reflected.name : JSON.stringify(reflected);
  return (
    `is of type ${name}, which does not say what its properties are. Decorate them with class-validator ` +
    'decorators or @ToolParam(), or add @ToolParam({ schema }).'
  );
}
