import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import { ClassReader } from './class-reader.js';
import { Comments } from './comments.js';
import { isInProject, type Project } from './declarations.js';
import { DecoratedClasses } from './decorated-classes.js';
import { ToolFinder } from './find-tools.js';
import type { GeneratedClass } from './generated-class.js';
import { InheritedTools } from './inherited-tools.js';
import { KnownFiles } from './known-files.js';
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
    const project: Project = { ts, program, checker: program.getTypeChecker(), folder };
    const finder = new ToolFinder(project);
    const inherited = new InheritedTools(project, finder);
    const reader = new ClassReader({
      ...project,
      finder,
      inherited,
      sources: new Sources(project, finder),
      comments: new Comments(project),
      decorated: new DecoratedClasses(project, finder),
    });
    const known = new KnownFiles(project);
    const read = (declaration: ts.ClassLikeDeclaration): GeneratedClass | undefined => {
      const { classes } = known.of(declaration.getSourceFile());
      return remembered(classes, declaration, () => reader.read(declaration));
    };
    const generated = new Map<ts.ClassLikeDeclaration, GeneratedClass>();
    const files = program.getSourceFiles().filter((file) => isInProject(program, file));
    const pending = files.flatMap(
      (file) => (known.of(file).tools ??= finder.classesOf(file, (one) => inherited.of(one).length > 0)),
    );
    for (let at = 0; at < pending.length; at++) {
      const declaration = pending[at]!;
      if (generated.has(declaration)) continue;
      const one = read(declaration);
      if (!one) continue;
      generated.set(declaration, one);
      pending.push(
        ...one.classes.map((reference) => reference.declaration),
        ...(one.superclass ? [one.superclass] : []),
      );
    }
    return byFile(generated.values());
  }
}

function byFile(classes: Iterable<GeneratedClass>): ReadonlyMap<ts.SourceFile, readonly GeneratedClass[]> {
  const files = new Map<ts.SourceFile, GeneratedClass[]>();
  for (const generated of classes)
    remembered(files, generated.declaration.getSourceFile(), (): GeneratedClass[] => []).push(generated);
  return files;
}
