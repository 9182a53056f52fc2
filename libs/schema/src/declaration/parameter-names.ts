import type { InputDeclaration } from '../input/declared-input.js';
import { readSourceParameters, type SourceParameter } from '../schema/source-parameters.js';
import { classNameOf } from '../type.js';
import { ToolDeclarationException } from './tool-declaration.exception.js';

/** The method whose input is read. */
export interface MethodSource {
  /** The prototype, or the class of a static method. */
  readonly target: object;
  readonly methodName: string;
  readonly options: InputDeclaration & { readonly description?: string };
}

/** The parameter names from a method's source. Parsed on first use. */
export class ParameterNames {
  #parameters: readonly SourceParameter[] | null | undefined;

  constructor(
    private readonly source: MethodSource,
    private readonly count: number,
  ) {}

  nameOf(index: number): string {
    const { source } = this;
    const parameter = this.#read()?.[index];
    if (!parameter?.name || parameter.isRest) {
      throw new ToolDeclarationException(
        `The name of parameter number ${index + 1} of ${describeMethod(source)} is unknown: ${this.#reason(parameter)} ` +
          "Name it with @ToolParam({ name: '…' }), or use a single object with @Tool({ inputType }) or @Tool({ inputSchema }).",
      );
    }
    return parameter.name;
  }

  hasDefault(index: number): boolean {
    return this.#read()?.[index]?.hasDefault ?? false;
  }

  defaultOf(index: number): string | number | boolean | undefined {
    return this.#read()?.[index]?.defaultValue;
  }

  #read(): readonly SourceParameter[] | null {
    if (this.#parameters === undefined) {
      const method = (this.source.target as Record<string, (...args: never[]) => unknown>)[this.source.methodName];
      const parameters = method && readSourceParameters(method);
      // If a decorator replaced the method, the new function may have other parameters.
      this.#parameters = parameters && parameters.length >= this.count ? parameters : null;
    }
    return this.#parameters;
  }

  #reason(parameter: SourceParameter | undefined): string {
    if (parameter?.isRest) return 'it is a rest parameter.';
    if (parameter) return 'it is destructured.';
    return 'the source of the method does not show it (another decorator may have replaced the method).';
  }
}

/** Names a method in messages. */
export function describeMethod({ target, methodName }: MethodSource): string {
  return `${classNameOf(target)}.${methodName}()`;
}
