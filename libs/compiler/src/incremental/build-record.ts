import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type ts from 'typescript';
import { pathOf } from '../generator/declarations.js';
import type { GeneratedClass } from '../generator/generated-class.js';

/** A hash of what the plugin adds to a file. */
export const hashOf = (classes: readonly GeneratedClass[]): string =>
  sha256(classes.map(({ types, classes: references }) => [types, references.map(({ exportName }) => exportName)]));

export const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * What the plugin added to the output that TypeScript remembers in a tsbuildinfo file. It lies beside
 * that file, and is only there if the last build had no errors of the plugin.
 */
export class BuildRecord {
  readonly #path: string;

  constructor(
    readonly buildInfoPath: string,
    /** Of the plugin: another one makes all output stale. */
    readonly fingerprint: string,
  ) {
    // What ignores the files of TypeScript, such as .gitignore, ignores it as well.
    this.#path = `${buildInfoPath.replace(/\.tsbuildinfo$/, '')}.nestor.tsbuildinfo`;
  }

  /** The hashes of the files by name. Undefined if there is no record, or one of another plugin. */
  read(): ReadonlyMap<string, string> | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
    const { fingerprint, files } = parse(text);
    return fingerprint === this.fingerprint ? new Map(Object.entries(files ?? {})) : undefined;
  }

  write(files: ReadonlyMap<string, string>): void {
    writeFileSync(this.#path, JSON.stringify({ fingerprint: this.fingerprint, files: Object.fromEntries(files) }));
  }

  delete(): void {
    rmSync(this.#path, { force: true });
  }

  /** Whether TypeScript continues a build. */
  get isContinued(): boolean {
    return existsSync(this.buildInfoPath);
  }

  /** The name of a file in the record. */
  nameOf(file: ts.SourceFile): string {
    return pathOf(dirname(this.buildInfoPath), file);
  }
}

function parse(text: string): { fingerprint?: string; files?: Record<string, string> } {
  try {
    return JSON.parse(text) as { fingerprint?: string; files?: Record<string, string> };
  } catch {
    return {};
  }
}
