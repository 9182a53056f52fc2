import type ts from 'typescript';
import { DATE_SCHEMA, setOf } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import type { OpenRevive, ReadValue } from './read-value.js';
import type { AnyReader } from './any-reader.js';
import { UnsayableType } from './unsayable.js';

/** Classes of JavaScript and Node.js that JSON has no form for, and what to declare instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['RegExp', 'Declare a string, and create the RegExp in the method.'],
  ['Promise', 'Declare the value itself.'],
  ['Function', 'A model cannot pass code. Remove it.'],
  ['Buffer', 'Declare a string with base64, and decode it in the method.'],
  ['Uint8Array', 'Declare a string with base64, and decode it in the method.'],
  ['ArrayBuffer', 'Declare a string with base64, and decode it in the method.'],
  ['Blob', 'Declare a string with base64 or a URL, and read it in the method.'],
  ['File', 'Declare a string with base64 or a URL, and read it in the method.'],
]);

/** Reads arrays, tuples, Sets, Maps, Dates and URLs. */
export class ContainerReader {
  constructor(private readonly reader: AnyReader) {}

  /** @returns undefined if the type is another object */
  read(type: ts.ObjectType, node: ts.TypeNode | undefined): ReadValue | undefined {
    const { ts, checker } = this.reader.context;
    const { shared } = this.reader;
    if (checker.isTupleType(type))
      return shared.shareIfRecursive(type, () => this.#tuple(type as ts.TupleTypeReference));
    if (checker.isArrayType(type))
      return shared.shareIfRecursive(type, () => this.#array(type as ts.TypeReference, node));
    if (this.#isNamedArray(type))
      return shared.share(type, type.symbol.name, () => this.#items(type.getNumberIndexType()!));
    const name = this.#builtInName(type);
    if (name === undefined) return undefined;
    const { schema, revive } = this.reader.context.classes ? INPUT : OUTPUT;
    const [first, second] = checker.getTypeArguments(type as ts.TypeReference);
    switch (name) {
      case 'Date':
        return { schema: DATE_SCHEMA, ...(revive && { revive: 'date' }) };
      case 'URL':
        return { schema: { type: 'string', format: 'uri' }, ...(revive && { revive: 'url' }) };
      case 'Set':
      case 'ReadonlySet': {
        return shared.shareIfRecursive(type, () => {
          const item = this.reader.read(first!);
          return { schema: schema.set(item.schema), ...(revive && { revive: { set: item.revive ?? null } }) };
        });
      }
      case 'Map':
      case 'ReadonlyMap':
        return shared.shareIfRecursive(type, () => this.#map(first!, second!, revive));
      case 'Object':
        return { schema: { type: 'object' } };
      case 'String':
      case 'Number':
      case 'Boolean':
        return { schema: { type: name.toLowerCase() } };
      default:
        if (isPlain(ts, type)) return undefined;
        throw UnsayableType.outsideJson(`is a ${name}, which JSON does not have`, INSTEAD.get(name));
    }
  }

  #array(type: ts.TypeReference, node: ts.TypeNode | undefined): ReadValue {
    const { ts, checker } = this.reader.context;
    const [item] = checker.getTypeArguments(type);
    return this.#items(item!, itemNode(ts, node));
  }

  /** `interface JsonArray extends Array<JsonValue> {}` */
  #isNamedArray(type: ts.ObjectType): boolean {
    const { ts, checker } = this.reader.context;
    const { Property, Method } = ts.SymbolFlags;
    const { declarations = [], members } = (type.symbol as ts.Symbol | undefined) ?? {};
    const isArray = declarations.some((one) => ts.isInterfaceDeclaration(one) && one.heritageClauses);
    if (!isArray || !checker.isArrayLikeType(type)) return false;
    return ![...(members?.values() ?? [])].some(({ flags }) => flags & (Property | Method));
  }

  #items(item: ts.Type, node?: ts.TypeNode): ReadValue {
    const { schema, revive } = this.reader.read(item, node);
    return { schema: { type: 'array', items: schema }, ...(revive && { revive: { array: revive } }) };
  }

  #tuple(type: ts.TupleTypeReference): ReadValue {
    const { ts, checker } = this.reader.context;
    const { elementFlags } = type.target;
    const items = checker.getTypeArguments(type).map((item) => this.reader.read(item));
    const restAt = elementFlags.findIndex((flags) => flags & ts.ElementFlags.Variable);
    if (restAt >= 0 && restAt < items.length - 1) {
      throw new UnsayableType('is a tuple with items after its rest', 'Write the rest at the end, or use an object.');
    }
    const rest = restAt < 0 ? undefined : items[restAt];
    const fixed = restAt < 0 ? items : items.slice(0, restAt);
    const minItems = elementFlags.filter((flags) => flags & ts.ElementFlags.Required).length;
    const revives = fixed.map(({ revive }) => revive ?? null);
    return {
      schema: {
        type: 'array',
        prefixItems: fixed.map(({ schema }) => schema),
        ...(rest ? { items: rest.schema } : { items: false, maxItems: fixed.length }),
        minItems,
      },
      ...((rest?.revive || revives.some(Boolean)) && {
        revive: { tuple: revives, ...(rest?.revive && { rest: rest.revive }) },
      }),
    };
  }

  #map(key: ts.Type, value: ts.Type, isRevived: boolean): ReadValue {
    const { schema: names, revive: converted } = this.reader.read(key);
    if (names.type !== 'string' || converted !== undefined) {
      throw new UnsayableType(
        `is a Map with keys of type '${this.reader.context.checker.typeToString(key)}'`,
        'In JSON, keys are texts. Write Map<string, …>, or an array of pairs.',
      );
    }
    const { schema, revive } = this.reader.read(value);
    const limited = Object.keys(names).length > 1;
    const map: OpenRevive = { map: revive ?? null };
    return {
      schema: { type: 'object', additionalProperties: schema, ...(limited && { propertyNames: names }) },
      ...(isRevived && { revive: map }),
    };
  }

  /** The name of a type that JavaScript or Node.js declares. */
  #builtInName({ symbol, aliasSymbol }: ts.ObjectType): string | undefined {
    const { program } = this.reader.context;
    const declared = (symbol as ts.Symbol | undefined)?.declarations;
    if (!declared || !symbol.name || symbol.name.startsWith('__')) return undefined;
    // A method, such as `toString`.
    if (symbol.flags & this.reader.context.ts.SymbolFlags.Method) return undefined;
    const isBuiltIn = declared.some((declaration) => {
      const file = declaration.getSourceFile();
      return program.isSourceFileDefaultLibrary(file) || /[\\/]@types[\\/]node[\\/]/.test(file.fileName);
    });
    return isBuiltIn && aliasSymbol?.name !== 'Record' ? symbol.name : undefined;
  }
}

const INPUT = { schema: { set: setOf }, revive: true } as const;
const OUTPUT = { schema: { set: (items: ReadValue['schema']) => ({ type: 'array', items }) }, revive: false } as const;

/** Whether an interface of a library is only data. */
function isPlain(ts: TypeScript, { symbol }: ts.ObjectType): boolean {
  const { declarations = [] } = symbol;
  return declarations.every(
    (declaration) =>
      ts.isInterfaceDeclaration(declaration) && declaration.members.every((member) => ts.isPropertySignature(member)),
  );
}

/** Where the type of the items is written. */
function itemNode(ts: TypeScript, node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (!node) return undefined;
  if (ts.isArrayTypeNode(node)) return node.elementType;
  if (ts.isTypeOperatorNode(node)) return itemNode(ts, node.type);
  return ts.isTypeReferenceNode(node) ? node.typeArguments?.[0] : undefined;
}
