/*
 * The part of Angular's schematics that ours use. Only the Nest CLI depends on that package, so with
 * pnpm we could not import it.
 */

/** The files of an application, with the changes that are not written yet. */
export interface Tree {
  exists(path: string): boolean;
  read(path: string): { toString(): string } | null;
  readText(path: string): string;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
  getDir(path: string): { readonly subfiles: readonly string[] };
}

/** What a schematic can do besides changing files. */
export interface Context {
  readonly logger: { warn(line: string): void };
  /** Runs a task when all files are written, and after others. Returns its id. */
  addTask(task: { toConfiguration(): { name: string; options: object } }, after: readonly unknown[]): unknown;
}

/** A schematic with its options. */
export type Rule = (tree: Tree, context: Context) => Tree;
