import { isType, type Type } from '../type.js';

/**
 * Explains why an emitted type is not sufficient, and the remedy. The text follows the name of the
 * value.
 */
export function explainUnknownType(reflected: unknown): string {
  if (reflected === Array || reflected === Set) {
    return (
      `is ${reflected === Array ? 'an array' : 'a Set'}, but the type of its items is unknown. Add @ToolParam({ type: [String] }) ` +
      'with the class of the items, or @ToolParam({ schema }).'
    );
  }
  if (reflected === Map) {
    return (
      'is a Map, but the type of its values is unknown. Add @ToolParam({ type: { values: String } }) with the class of ' +
      'the values, or @ToolParam({ schema }).'
    );
  }
  if (reflected === undefined) {
    return (
      'has no type at run time. Turn on "experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json (TypeScript then ' +
      'emits the types of decorated methods: an override needs a @Tool() of its own), or add @ToolParam({ type }) or ' +
      '@ToolParam({ schema }).'
    );
  }
  if (reflected === Object || reflected === Function) {
    return (
      `has no type at run time: TypeScript emitted ${(reflected as Type).name}. It cannot emit interfaces, unions (also with ` +
      'null or undefined), type aliases, or classes imported with `import type`. Import the class as a value, use a class ' +
      'with class-validator decorators, or add @ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  if (reflected === BigInt) {
    return (
      'is a bigint, which JSON does not support. Declare a string, which keeps all digits, or a number, and convert it in the ' +
      'method: BigInt(text). Or add @ToolParam({ schema }) for the JSON value, which the method then receives unchanged.'
    );
  }
  if (reflected === Symbol) return 'is a symbol, which JSON does not support. Declare a string.';
  const name = isType(reflected) ? reflected.name : JSON.stringify(reflected);
  if (isType(reflected) && typeof (reflected.prototype as { toJSON?: unknown } | undefined)?.toJSON === 'function') {
    return (
      `is of type ${name}, which has a form of its own in JSON. Declare that form, such as a string, and make the ${name} in the ` +
      'method. Or add @ToolParam({ schema }) for the JSON value, which the method then receives unchanged.'
    );
  }
  return (
    `is of type ${name}, which does not describe its properties. Decorate them with class-validator ` +
    'decorators or @ToolParam(), or add @ToolParam({ schema }).'
  );
}
