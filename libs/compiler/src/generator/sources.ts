import type ts from 'typescript';
import { remembered, sourceHash } from '@nestor-ai/schema/format';
import { pathOf, type Project } from './declarations.js';
import type { ToolFinder } from './find-tools.js';

/** Finds the files that declare types. */
export class Sources {
  readonly #declared = new Map<ts.Node, ReadonlySet<ts.Declaration>>();
  readonly #hashes = new Map<ts.SourceFile, string>();

  constructor(
    private readonly project: Project,
    private readonly finder: ToolFinder,
  ) {}

  /** The file of a class, and those of the project that declare what these nodes of it name, with hashes. */
  of(owner: ts.Node, nodes: readonly ts.Node[]): Readonly<Record<string, string>> {
    const files = new Set([owner.getSourceFile()]);
    const seen = new Set<ts.Node>();
    const pending = [...nodes];
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      for (const declaration of this.#namedIn(node)) {
        files.add(declaration.getSourceFile());
        pending.push(declaration);
      }
    }
    const entries = [...files].map((file) => [pathOf(this.project.folder, file), this.#hashOf(file)] as const);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The declarations in the project that a node names. */
  #namedIn(node: ts.Node): ReadonlySet<ts.Declaration> {
    const { ts, checker } = this.project;
    let declared = this.#declared.get(node) as Set<ts.Declaration> | undefined;
    if (declared) return declared;
    this.#declared.set(node, (declared = new Set()));
    const visit = (at: ts.Node): void => {
      // Code does not change a type that is written.
      if (ts.isBlock(at) || ts.isDecorator(at)) return;
      if (ts.isIdentifier(at)) {
        const local = checker.getSymbolAtLocation(at);
        const symbol = local && local.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(local) : local;
        for (const declaration of symbol?.declarations ?? []) {
          const file = declaration.getSourceFile();
          if (!ts.isSourceFile(declaration) && this.#isOfProject(file)) declared.add(declaration);
        }
      }
      ts.forEachChild(at, visit);
    };
    visit(node);
    return declared;
  }

  #isOfProject(file: ts.SourceFile): boolean {
    const { program } = this.project;
    if (program.isSourceFileDefaultLibrary(file) || program.isSourceFileFromExternalLibrary(file)) return false;
    return !this.finder.isOurFile(file.fileName);
  }

  #hashOf(file: ts.SourceFile): string {
    return remembered(this.#hashes, file, () => sourceHash(file.text));
  }
}
