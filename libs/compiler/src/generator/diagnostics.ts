import type ts from 'typescript';
import type { ValueTypes } from '@nestor-ai/schema/format';
import { pathOf, type Project } from './declarations.js';
import { UnsayableType } from './unsayable.js';

/** The number that marks our diagnostics. TypeScript's own are below 100,000. */
const CODE = 925_001;

/** Collects what no schema can describe, as diagnostics of the compiler. */
export class Diagnostics {
  readonly #list: ts.DiagnosticWithLocation[] = [];

  constructor(private readonly project: Project) {}

  get list(): readonly ts.DiagnosticWithLocation[] {
    return this.#list;
  }

  /**
   * Reads a value.
   *
   * @param where names the value, such as "Parameter 'city' of Finder.find()"
   * @param isLeftOpen whether a subclass says what the type is, so that it is no problem of this class
   * @returns the problem if no schema describes its type
   */
  collect(
    where: string,
    node: ts.Node,
    read: () => ValueTypes,
    isLeftOpen: (error: UnsayableType) => boolean = () => false,
  ): ValueTypes {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnsayableType)) throw error;
      const place = this.#isOwn(error.node) ? error.node : node;
      const text = error.describe(where);
      return { error: isLeftOpen(error) ? this.#located(text, place) : this.add(text, place) };
    }
  }

  /** @returns the text with its place */
  add(text: string, node: ts.Node): string {
    const file = node.getSourceFile();
    const start = node.getStart(file);
    this.#list.push({
      category: this.project.ts.DiagnosticCategory.Error,
      code: CODE,
      source: 'nestor',
      file,
      start,
      length: Math.max(1, node.getEnd() - start),
      messageText: text,
    });
    return this.#located(text, node);
  }

  #located(text: string, node: ts.Node): string {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return `${pathOf(this.project.folder, file)}:${line + 1}: ${text}`;
  }

  #isOwn(node: ts.Node | undefined): node is ts.Node {
    const file = node?.getSourceFile();
    if (!file) return false;
    return (
      !this.project.program.isSourceFileDefaultLibrary(file) &&
      !this.project.program.isSourceFileFromExternalLibrary(file)
    );
  }
}
