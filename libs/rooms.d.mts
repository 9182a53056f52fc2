/** A package of `libs/`. */
export interface Room {
  readonly folder: string;
  readonly name: string;
  readonly purpose: string;
  /** How many lines its sources may have. */
  readonly lines: number;
  /** How many names it may export to applications. */
  readonly names: number;
  /** How many of its sources may import each other, types counted. */
  /** The folders that a folder of its sources may import. A folder that is missing may import any. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** Where its sources may import the container of Nest. Undefined: anywhere. */
  readonly container: string | undefined;
  /** Its package.json. */
  readonly manifest: { readonly [field: string]: unknown };
  /** What applications import, and the source of each. */
  readonly entries: readonly { readonly name: string; readonly path: string; readonly source: string }[];
  /** The sources of its commands. */
  readonly commands: readonly string[];
  /** The packages that it may import. */
  readonly mayImport: readonly string[];
}

/** Packages that become part of the bundles. */
export const BUNDLED: readonly string[];
export const ROOMS: readonly Room[];
/** The rooms that a room may import. */
export function below(room: Room): Room[];
