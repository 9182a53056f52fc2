import type ts from 'typescript';

/** How many names of a path a message has. */
const MAX_PATH = 10;

/** A type that no JSON Schema can describe. */
export class UnsayableType extends Error {
  /** The names of the properties that lead to it, from the outside. */
  readonly path: string[] = [];
  /** The declaration of the innermost property. */
  node: ts.Node | undefined;
  /** The type, if it depends on type parameters. */
  generic: ts.Type | undefined;

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

  /** Reads a property. If its type cannot be described, the error names the property. */
  static inside<T>(name: string, node: ts.Node | undefined, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof UnsayableType) {
        error.path.unshift(name);
        error.node ??= node;
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
