import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import type { Project } from './declarations.js';
import type { GeneratedClass } from './generated-class.js';

/** What was read of a file, while no file that it imports has changed. */
export interface KnownFile {
  /** The classes of the file that have tools. Undefined until they are searched. */
  tools?: readonly ts.ClassLikeDeclaration[];
  readonly classes: Map<ts.ClassLikeDeclaration, GeneratedClass | undefined>;
}

interface StoredFile extends KnownFile {
  /** The file and all files that it imports, directly or through others. */
  readonly imported: ReadonlySet<ts.SourceFile>;
  surroundings: Surroundings;
}

/** What all files of a program depend on. */
interface Surroundings {
  /** The compiler options and the folder, as text. */
  readonly key: string;
  /** The files that may declare something without being imported, and those of packages. */
  readonly files: ReadonlySet<ts.SourceFile>;
}

/** The compiler keeps the `SourceFile` of a file that has not changed, from one program to the next. */
const stored = new WeakMap<ts.SourceFile, StoredFile>();

/** The part of a source file that the compiler's types leave out. */
interface WithImports {
  readonly imports?: readonly ts.StringLiteralLike[];
}

/** Remembers in watch mode what was read of files that a change cannot concern. */
export class KnownFiles {
  readonly #surroundings: Surroundings;
  readonly #files = new Map<ts.SourceFile, KnownFile>();
  readonly #same = new Map<Surroundings, boolean>();
  readonly #direct = new Map<ts.SourceFile, readonly ts.SourceFile[]>();

  constructor(private readonly project: Project) {
    const { program, folder } = project;
    const { configFile: _file, ...options } = program.getCompilerOptions();
    this.#surroundings = {
      key: JSON.stringify([folder, options]),
      files: new Set(program.getSourceFiles().filter((file) => this.#concernsAll(file))),
    };
  }

  of(file: ts.SourceFile): KnownFile {
    return remembered(this.#files, file, () => this.#read(file));
  }

  #read(file: ts.SourceFile): KnownFile {
    const imported = this.#importedBy(file);
    const known = stored.get(file);
    if (known && this.#isSame(known.surroundings) && areSame(known.imported, imported)) {
      known.surroundings = this.#surroundings;
      return known;
    }
    const fresh: StoredFile = { classes: new Map(), imported, surroundings: this.#surroundings };
    // A compiler that keeps imports elsewhere does not tell what a file depends on.
    if ([...imported].every((one) => one.isDeclarationFile || (one as WithImports).imports)) stored.set(file, fresh);
    return fresh;
  }

  #isSame(other: Surroundings): boolean {
    const { key, files } = this.#surroundings;
    return remembered(this.#same, other, () => key === other.key && areSame(files, other.files));
  }

  #concernsAll(file: ts.SourceFile): boolean {
    return (
      file.isDeclarationFile ||
      !this.project.ts.isExternalModule(file) ||
      file.referencedFiles.length > 0 ||
      /\bdeclare\s+(?:module|global)\b/.test(file.text)
    );
  }

  #importedBy(file: ts.SourceFile): ReadonlySet<ts.SourceFile> {
    const files = new Set([file]);
    // A Set also goes through what is added to it.
    for (const one of files) for (const other of this.#directlyImportedBy(one)) files.add(other);
    return files;
  }

  /** Without files of packages, which all files depend on. */
  #directlyImportedBy(file: ts.SourceFile): readonly ts.SourceFile[] {
    return remembered(this.#direct, file, () => {
      const { imports = [] } = file.isDeclarationFile ? {} : (file as WithImports);
      const modules = imports.map((specifier) => this.project.checker.getSymbolAtLocation(specifier)?.valueDeclaration);
      return modules.filter((module) => module !== undefined).filter(this.project.ts.isSourceFile);
    });
  }
}

function areSame<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a === b || (a.size === b.size && [...a].every((one) => b.has(one)));
}
