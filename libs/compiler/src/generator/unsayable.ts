import type ts from 'typescript';

/** How many names of a path a message has. */
const MAX_PATH = 10;

/** A property that is read. */
interface PropertyPlace {
  readonly name: string;
  readonly node: ts.Node | undefined;
  /** Whether an object may lack it. */
  readonly isOptional: boolean;
}

/** A type that no JSON Schema can describe. */
export class UnsayableType extends Error {
  /** The names of the properties that lead to it, from the outside. */
  readonly path: string[] = [];
  /** The declaration of the innermost property. */
  node: ts.Node | undefined;
  /** The type, if it depends on type parameters. */
  generic: ts.Type | undefined;
  /** Whether JSON has none of its values. One of several types is then left out. */
  isOutsideJson = false;

  /**
   * @param what what it is, as the end of a sentence: 'is a function'
   * @param remedy what to write instead, as a sentence
   */
  constructor(
    readonly what: string,
    readonly remedy = 'Use another type, or describe the value with @ToolParam({ schema }).',
  ) {
    super(what);
  }

  /** A type that JSON has no values of, such as a function. */
  static outsideJson(what: string, remedy?: string): UnsayableType {
    return Object.assign(new UnsayableType(what, remedy), { isOutsideJson: true });
  }

  /** The same, for another place. */
  copy(): UnsayableType {
    const { path, node, generic, isOutsideJson } = this;
    return Object.assign(new UnsayableType(this.what, this.remedy), { path: [...path], node, generic, isOutsideJson });
  }

  /** Reads a property. If its type cannot be described, the error names the property. */
  static inside<T>({ name, node, isOptional }: PropertyPlace, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof UnsayableType) {
        error.path.unshift(name);
        error.node ??= node;
        error.isOutsideJson &&= !isOptional;
      }
      throw error;
    }
  }

  /** The whole message. @param value names the value, such as "Parameter 'city' of Finder.find()" */
  describe(value: string): string {
    const { path, what, remedy } = this;
    const names = path.length > MAX_PATH ? [...path.slice(0, MAX_PATH), '…'] : path;
    const inner = path.length === 0 ? '' : ` has a property '${names.join('.')}' that`;
    return `${value}${inner} ${what}. ${remedy}`;
  }
}
