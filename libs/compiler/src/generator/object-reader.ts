import type ts from 'typescript';
import type { JsonSchema } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import { classOf, isCompiled } from './class-references.js';
import { declarationOf } from './declarations.js';
import { checkInput } from './input-class.js';
import { allowsUndefined, initialValue } from './literals.js';
import { jsonOf, refuseWritten } from './own-json.js';
import { type OpenRevive, type ReadValue } from './read-value.js';
import { templatePattern } from './template-pattern.js';
import type { AnyReader } from './any-reader.js';
import { orderedProperties } from './union-order.js';
import { UnsayableType } from './unsayable.js';

/** What was read of the properties that an object does not name. */
interface OtherProperties {
  readonly keywords: JsonSchema;
  readonly revive?: OpenRevive;
}

/** Reads interfaces, object types and classes. */
export class ObjectReader {
  constructor(private readonly reader: AnyReader) {}

  read(type: ts.Type): ReadValue {
    const { ts, program, checker, classes, decorated } = this.reader.context;
    if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) {
      throw UnsayableType.outsideJson(
        'is a function, which JSON does not have',
        'A model cannot pass code. Remove it.',
      );
    }
    const declaration = classOf(ts, type);
    const isOfPackage = declaration && isCompiled(program, declaration);
    if (declaration && !isOfPackage && decorated.has(declaration)) return this.#decorated(declaration);
    const json = jsonOf(checker, type);
    if (json && !classes) return this.reader.read(json);
    if (isOfPackage ?? true) refuseWritten(ts, checker, type);
    if (isOfPackage) throw this.#ofPackage(type);
    return this.reader.shared.share(type, this.#nameOf(type), () =>
      this.#described(type, this.#object(type, declaration)),
    );
  }

  #decorated(declaration: ts.ClassDeclaration): ReadValue {
    const { classes } = this.reader.context;
    // The decorators of a class may change its JSON.
    if (!classes) throw new UnsayableType('is a class with decorators');
    const index = classes.indexOf(declaration);
    if (index !== undefined) return { schema: { $ref: `class:${index}` }, revive: { class: index } };
    throw new UnsayableType(
      `is the class ${declaration.name?.text ?? 'without a name'}, which its file does not export`,
      'Export the class, so that its decorators can validate the value.',
    );
  }

  #ofPackage(type: ts.Type): UnsayableType {
    return UnsayableType.outsideJson(
      `is the class ${type.symbol.name} of a package, whose decorators its types do not show`,
      'Declare an interface, describe the parameter with @ToolParam({ type }), or leave the property out with Omit<T, …>.',
    );
  }

  #described(type: ts.Type, value: ReadValue): ReadValue {
    const { comments } = this.reader.context;
    const symbol: ts.Symbol | undefined = type.aliasSymbol ?? type.symbol;
    const declaration = symbol?.declarations?.[0];
    if (!declaration || comments.isOfHelper(declaration)) return value;
    return this.reader.commented(value, comments.ofSymbol(symbol), declaration);
  }

  #object(type: ts.Type, declaration: ts.ClassDeclaration | undefined): ReadValue {
    const { ts, checker, classes } = this.reader.context;
    if (declaration && classes) checkInput(ts, checker, declaration);
    const instance = declaration && classes?.indexOf(declaration);
    if (declaration && classes && instance === undefined) this.#checkPlain(type, declaration);
    const properties: [string, JsonSchema][] = [];
    const revives: [string, OpenRevive][] = [];
    const required: string[] = [];
    let methods = 0;
    for (const property of orderedProperties(ts, checker, type)) {
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const place = { name: this.#writtenName(property), node: property.declarations?.[0], isOptional };
      const isMethod = classes && !declaration && this.#isMethod(property);
      if (isMethod) methods++;
      if (isMethod && isOptional) continue;
      const read = UnsayableType.inside(place, () => {
        if (!isMethod) return this.#property(property, type, declaration, instance);
        throw UnsayableType.outsideJson('is a method', `Leave it out with Omit<T, '${property.name}'>.`);
      });
      if (!read) continue;
      properties.push([property.name, read.value.schema]);
      if (read.value.revive) revives.push([property.name, read.value.revive]);
      if (read.isRequired) required.push(property.name);
    }
    if (methods > 0 && properties.length === 0) throw UnsayableType.outsideJson('has only methods');
    const others = this.#others(type, properties.length > 0);
    const hasRevive = instance !== undefined || revives.length > 0 || others.revive;
    return {
      schema: {
        type: 'object',
        ...((properties.length > 0 || others.keywords['additionalProperties'] === false) && {
          properties: Object.fromEntries(properties),
          required,
        }),
        ...others.keywords,
      },
      ...(hasRevive && {
        revive: {
          object: Object.fromEntries(revives),
          ...(others.revive && { values: others.revive }),
          ...(instance !== undefined && { instance }),
        },
      }),
    };
  }

  /** An object can only replace an instance that has nothing but values. */
  #checkPlain(type: ts.Type, { name }: ts.ClassDeclaration): void {
    const { ts, checker } = this.reader.context;
    const { Method, Accessor } = ts.SymbolFlags;
    const code = checker.getPropertiesOfType(type).find(({ flags }) => flags & (Method | Accessor));
    if (!code) return;
    const what = code.flags & Method ? `method ${code.name}()` : `accessor ${code.name}`;
    throw new UnsayableType(
      `is the class ${name?.text ?? 'without a name'}, whose ${what} an object of JSON lacks`,
      'Export the class from its file, so that an instance can be created.',
    );
  }

  #property(
    symbol: ts.Symbol,
    of: ts.Type,
    owner: ts.ClassDeclaration | undefined,
    instance: number | undefined,
  ): { readonly value: ReadValue; readonly isRequired: boolean } | undefined {
    const { ts, checker, comments, classes } = this.reader.context;
    const declaration = declarationOf(symbol);
    const name = declaration && ts.getNameOfDeclaration(declaration);
    if (name && ts.isPrivateIdentifier(name)) return undefined;
    if (symbol.name.startsWith('__@'))
      throw UnsayableType.outsideJson('has a symbol as its name', 'Use a text as its name.');
    if (declaration && owner && this.#isLeftOut(declaration, symbol, instance !== undefined || !classes))
      return undefined;
    const type = checker.getTypeOfSymbol(symbol);
    // `kind?: never` says that there is no such property.
    if (symbol.flags & ts.SymbolFlags.Optional && isEmpty(ts, type)) return undefined;
    if (!classes && checker.getNonNullableType(type).getCallSignatures().length > 0) return undefined;
    const node = declaration && 'type' in declaration ? (declaration.type as ts.TypeNode | undefined) : undefined;
    // An instance sets by itself what its class says. An object of JSON does not.
    const ofInstance = instance === undefined ? undefined : declaration;
    const isField = ofInstance && (ts.isPropertyDeclaration(ofInstance) || ts.isParameter(ofInstance));
    const initializer = isField ? ofInstance.initializer : undefined;
    const isSet = initializer !== undefined || (ofInstance && ts.isAccessor(ofInstance));
    const isOptional = isSet || (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const value = this.reader.commented(
      this.reader.read(type, node),
      comments.ofProperty(symbol, type, of),
      declaration,
    );
    const fallback = initializer && initialValue(ts, checker, initializer);
    const isMissing = fallback !== undefined && value.schema['default'] === undefined;
    return {
      value: isMissing ? { ...value, schema: { ...value.schema, default: fallback } } : value,
      isRequired: !isOptional && !allowsUndefined(ts, type),
    };
  }

  /** Whether a type takes a property over from a class or a package, where it is a method: `Partial<User>`. */
  #isMethod(symbol: ts.Symbol): boolean {
    const { ts } = this.reader.context;
    const declaration = declarationOf(symbol);
    if (!declaration) return false;
    if (ts.isMethodDeclaration(declaration)) return true;
    const { type } = declaration as Partial<ts.PropertySignature>;
    const isSignature = ts.isMethodSignature(declaration) || (type !== undefined && ts.isFunctionTypeNode(type));
    return isSignature && declaration.getSourceFile().isDeclarationFile;
  }

  /** The name of a property in messages. TypeScript makes names for symbols. */
  #writtenName({ name, declarations = [] }: ts.Symbol): string {
    const { ts } = this.reader.context;
    const written = name.startsWith('__@') && declarations[0] && ts.getNameOfDeclaration(declarations[0]);
    return written ? written.getText() : name;
  }

  /** Whether a member of a class is not part of its JSON. */
  #isLeftOut(declaration: ts.Declaration, symbol: ts.Symbol, hasOwnMethods: boolean): boolean {
    const { ts, classes } = this.reader.context;
    const { Private, Protected } = ts.ModifierFlags;
    if (ts.getCombinedModifierFlags(declaration) & (Private | Protected)) return true;
    // JSON.stringify() leaves out accessors, because the prototype has them.
    if (symbol.flags & ts.SymbolFlags.Accessor) return !classes || !(symbol.flags & ts.SymbolFlags.SetAccessor);
    return ts.isMethodDeclaration(declaration) && hasOwnMethods;
  }

  /** What the index signatures say. */
  #others(type: ts.Type, hasProperties: boolean): OtherProperties {
    const { ts, checker, classes } = this.reader.context;
    const infos = checker.getIndexInfosOfType(type).filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.ESSymbol));
    const read = infos.map(({ keyType, type: values }) => ({
      pattern: this.#keyPattern(keyType),
      value: values.flags & ts.TypeFlags.Never ? undefined : this.reader.read(values),
    }));
    const [revive, another] = read.flatMap(({ value }) => value?.revive ?? []);
    if (another) throw new UnsayableType('has several kinds of keys with values that are converted');
    const patterns = read.flatMap(({ pattern, value }) =>
      pattern !== undefined && value ? [[pattern, value.schema] as const] : [],
    );
    const others = read.find(({ pattern }) => pattern === undefined)?.value?.schema;
    const isOpen = infos.length === 0 && (!classes || (!hasProperties && !type.isClass()));
    return {
      keywords: {
        ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) }),
        ...(!isOpen && { additionalProperties: others ?? false }),
      },
      ...(revive && { revive }),
    };
  }

  /** Undefined for any text. */
  #keyPattern(type: ts.Type): string | undefined {
    const { ts } = this.reader.context;
    if (type.flags & ts.TypeFlags.Number) return '^-?\\d+(\\.\\d+)?$';
    return type.flags & ts.TypeFlags.TemplateLiteral ? templatePattern(ts, type as ts.TemplateLiteralType) : undefined;
  }

  /** The name of a type in `$defs`. */
  #nameOf(type: ts.Type): string {
    const symbol: ts.Symbol | undefined = type.aliasSymbol ?? type.symbol;
    if (!symbol || symbol.name.startsWith('__') || symbol.name === 'default') return 'Type';
    const { checker } = this.reader.context;
    const given = type.aliasSymbol ? type.aliasTypeArguments : checker.getTypeArguments(type as ts.TypeReference);
    const names = (given ?? []).filter((one) => one.symbol !== type.symbol).map((one) => checker.typeToString(one));
    return [symbol.name, ...names].join('_').slice(0, 60);
  }
}

/** Whether a property may only be undefined. */
function isEmpty(ts: TypeScript, type: ts.Type): boolean {
  const { Never, Undefined, Void } = ts.TypeFlags;
  const types = type.isUnion() ? type.types : [type];
  return types.every(({ flags }) => flags & (Never | Undefined | Void));
}
