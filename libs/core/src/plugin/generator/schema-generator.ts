import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { ClassReader } from './class-reader.js';
import { Comments } from './comments.js';
import { ToolFinder } from './find-tools.js';
import type { GeneratedClass } from './generated-class.js';
import { Sources } from './sources.js';

/** Reads the types of all tools of a program. */
export class SchemaGenerator {
  constructor(
    readonly ts: TypeScript,
    readonly program: ts.Program,
    /** The project's folder, to which the paths of sources are relative. */
    readonly folder: string = process.cwd(),
  ) {}

  /**
   * The classes with tools of all source files, and the classes with decorators that the tools
   * take, by file.
   */
  generate(): ReadonlyMap<ts.SourceFile, readonly GeneratedClass[]> {
    const { ts, program, folder } = this;
    const checker = program.getTypeChecker();
    const finder = new ToolFinder(ts, checker);
    const sources = new Sources(ts, program, checker, finder, folder);
    const reader = new ClassReader({
      ts,
      program,
      checker,
      folder,
      finder,
      sources,
      comments: new Comments(ts, checker),
    });
    const generated = new Map<ts.ClassLikeDeclaration, GeneratedClass>();
    const files = program.getSourceFiles().filter((file) => this.#isOwn(file));
    const pending = files.flatMap((file) => finder.classesOf(file));
    for (let at = 0; at < pending.length; at++) {
      const declaration = pending[at]!;
      if (generated.has(declaration)) continue;
      const read = reader.read(declaration);
      if (!read) continue;
      generated.set(declaration, read);
      pending.push(...read.classes.map((one) => one.declaration));
    }
    return byFile(generated.values());
  }

  #isOwn(file: ts.SourceFile): boolean {
    return !file.isDeclarationFile && !this.program.isSourceFileFromExternalLibrary(file);
  }
}

function byFile(classes: Iterable<GeneratedClass>): ReadonlyMap<ts.SourceFile, readonly GeneratedClass[]> {
  const files = new Map<ts.SourceFile, GeneratedClass[]>();
  for (const generated of classes) {
    const file = generated.declaration.getSourceFile();
    const known = files.get(file);
    if (known) known.push(generated);
    else files.set(file, [generated]);
  }
  return files;
}
