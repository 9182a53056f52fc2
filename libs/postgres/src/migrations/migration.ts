import type { TableNames } from '../database/table-names.js';

/** One change of the schema. Never edit one that was released: add another. */
export interface Migration {
  /** What it makes, for the table of versions. */
  readonly name: string;
  /**
   * Whether code of the version before it no longer works after it. During a roll-out both versions
   * run, so avoid it: add columns with defaults, and drop them one version later. Default: false.
   */
  readonly isBreaking?: boolean;
  /** The statements, separated by semicolons. */
  sql(names: TableNames): string;
}
