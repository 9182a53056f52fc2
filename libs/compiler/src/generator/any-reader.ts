import type ts from 'typescript';
import type { ClassReferences } from './class-references.js';
import type { Comments, ValueComment } from './comments.js';
import type { Project } from './declarations.js';
import type { DecoratedClasses } from './decorated-classes.js';
import type { ToolFinder } from './find-tools.js';
import type { InheritedTools } from './inherited-tools.js';
import type { ReadValue } from './read-value.js';
import type { SharedTypes } from './shared-types.js';
import type { Sources } from './sources.js';

/** What the readers of all classes of a program share. */
export interface ProgramContext extends Project {
  readonly finder: ToolFinder;
  readonly inherited: InheritedTools;
  readonly sources: Sources;
  readonly comments: Comments;
  readonly decorated: DecoratedClasses;
}

/** What the readers of the types of a class share. */
export interface ReaderContext extends ProgramContext {
  /** The classes whose instances are created at run time. Undefined for results, which are JSON. */
  readonly classes: ClassReferences | undefined;
  /** Notes a wrong tag in a comment. */
  readonly reportTag: (problem: string, node: ts.Node | undefined) => void;
}

/** What reads any type: the readers of objects, containers and unions ask it for the types inside. */
export interface AnyReader {
  readonly context: ReaderContext;
  readonly shared: SharedTypes;
  /**
   * @param node where the type is written, if it is known: it has the order of a union
   * @throws UnsayableType if no schema describes the type
   */
  read(type: ts.Type, node?: ts.TypeNode): ReadValue;
  /** Adds what a comment says to a schema, without the tags that do not fit it. */
  commented(value: ReadValue, comment: ValueComment, node: ts.Node | undefined): ReadValue;
}
