import { Injectable, Logger } from '@nestjs/common';
import {
  CLASS_TYPES,
  type ClassTypes,
  type ClassTypesFactory,
  isJsonObject,
  isType,
  messageOf,
  otherVersionText,
  readSafely,
  sourceHash,
} from '@nestor-ai/schema';
import type { BootstrapProblems } from '../bootstrap-problems.js';
import { PASS_METADATA, PLUGIN } from './find-metadata.js';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The key of this package in `metadata.ts`. */
const PACKAGE = '@nestor-ai/core';

const IMPORT = `Write ${PASS_METADATA}`;

const WRITE_AGAIN = 'Run nestor-schemas again, or build again.';

const logger = new Logger('AiModule');

/** What `metadata.ts` exports by default. */
export type PluginMetadata = () => Promise<Record<string, unknown>>;

/** The types of `pluginMetadata`, once they are attached to their classes. Never throws. */
@Injectable()
export class AttachedTypes {
  /** @param isGiven whether the application was given a `pluginMetadata` */
  constructor(readonly isGiven: boolean) {}

  /**
   * Attaches the types of a `metadata.ts` to their classes, unless the compiler already wrote some
   * into the class. Problems stop the bootstrap later, all at once.
   */
  static async of(metadata: unknown, problems: BootstrapProblems): Promise<AttachedTypes> {
    try {
      if (metadata !== undefined) await attach(await load(metadata), problems);
    } catch (error) {
      problems.add(messageOf(error));
    }
    return new AttachedTypes(metadata !== undefined);
  }
}

/** A class that a file of the application exports, and its types. */
interface Entry {
  readonly file: Promise<unknown>;
  readonly classes: Readonly<Record<string, unknown>>;
}

/** @throws Error that says what to write */
async function load(metadata: unknown): Promise<readonly Entry[]> {
  if (typeof metadata !== 'function') throw new TypeError(`pluginMetadata ${explainMisuse(metadata)} ${IMPORT}`);
  let loaded: unknown;
  try {
    loaded = await (metadata as PluginMetadata)();
  } catch (error) {
    throw new Error(`The files of pluginMetadata cannot be loaded: ${messageOf(error)} ${WRITE_AGAIN}`, {
      cause: error,
    });
  }
  const own = isJsonObject(loaded) && Object.hasOwn(loaded, PACKAGE) ? loaded[PACKAGE] : undefined;
  if (!isJsonObject(own)) {
    throw new TypeError(
      `pluginMetadata has no types for "${PACKAGE}". Run nestor-schemas, or list "${PLUGIN}" in "plugins" of nest-cli.json and ` +
        'build with typeCheck.',
    );
  }
  const { tools = [] } = own;
  if (!Array.isArray(tools)) throw new TypeError(`"tools" of pluginMetadata is no list. ${WRITE_AGAIN}`);
  return tools.map(toEntry);
}

function toEntry(entry: unknown): Entry {
  const [file, classes] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return { file: Promise.resolve(file), classes: isJsonObject(classes) ? classes : {} };
}

function explainMisuse(metadata: unknown): string {
  if (isJsonObject(metadata) && typeof metadata['default'] === 'function') {
    return 'is the module with the metadata, not the function that it exports by default.';
  }
  if (metadata instanceof Promise || (isJsonObject(metadata) && PACKAGE in metadata)) {
    return 'is the result of the function that metadata.ts exports. Do not call it.';
  }
  return `must be the function that metadata.ts exports, but is ${metadata === null ? 'null' : typeof metadata}.`;
}

/** Types of sources that have changed may still be right, for example if only a method body changed. */
async function attach(entries: readonly Entry[], problems: BootstrapProblems): Promise<void> {
  const attached: unknown[] = [];
  problems.add(...(await attachAll(entries, attached)));
  // The types that a class has already are as old as its code.
  const changed = await changedSources(attached);
  if (changed.length === 0) return;
  warnOfTypes(`The types of pluginMetadata may be stale: ${namesOf(changed)} changed since. ${WRITE_AGAIN}`);
}

/** Logs that tools may have other schemas than in production. Nest's testing modules print nothing below errors. */
export function warnOfTypes(text: string): void {
  if (process.env['NODE_ENV'] === 'test') logger.error(text);
  else logger.warn(text);
}

function namesOf([first, ...others]: readonly string[]): string {
  return others.length === 0 ? `${first} has` : `${first} and ${others.length} more have`;
}

/**
 * @param attached to which the types are added that classes got
 * @returns the problems
 */
async function attachAll(entries: readonly Entry[], attached: unknown[]): Promise<readonly string[]> {
  const files = await Promise.allSettled(entries.map(({ file }) => file));
  const otherVersion = entries
    .flatMap(({ classes }) => Object.entries(classes))
    .map(([name, types]) => otherVersionText(name, types))
    .find((text) => text !== undefined);
  if (otherVersion !== undefined) return [otherVersion];
  const problems = files.map((file, index) => {
    const { classes } = entries[index]!;
    const names = Object.keys(classes);
    if (file.status === 'fulfilled') {
      return names.flatMap((name) => attachTo(file.value, name, classes[name], attached) ?? []);
    }
    return [`The file of ${names.join(', ')} cannot be loaded: ${messageOf(file.reason)} ${WRITE_AGAIN}`];
  });
  return [...new Set(problems.flat())];
}

/** @returns the problem, if there is one */
function attachTo(file: unknown, name: string, types: unknown, attached: unknown[]): string | undefined {
  // It throws if files import each other in a circle, and this one has not run yet.
  const type = readSafely(() => Object(file)[name] as unknown);
  if (!isType(type)) {
    return `pluginMetadata has types of the class ${name}, but its file does not export this class any more. ${WRITE_AGAIN}`;
  }
  // The compiler plugin already wrote them into the class, or another AiModule attached them.
  if (Object.hasOwn(type, CLASS_TYPES)) return undefined;
  const factory: ClassTypesFactory = () => types as ClassTypes;
  if (!Reflect.defineProperty(type, CLASS_TYPES, { value: factory, configurable: true })) {
    return `The types of ${name} cannot be attached, because the class is frozen. Freeze it after the application has started.`;
  }
  attached.push(types);
  return undefined;
}

/**
 * Outside production, compares the sources that types were read from with their hashes, where the
 * sources exist.
 *
 * @param types the `ClassTypes` of classes
 * @returns the paths of the files that have changed
 */
async function changedSources(types: readonly unknown[]): Promise<readonly string[]> {
  if (process.env['NODE_ENV'] === 'production') return [];
  const hashes = new Map<string, Set<unknown>>();
  for (const one of types) {
    const sources = isJsonObject(one) && isJsonObject(one['sources']) ? one['sources'] : {};
    for (const [path, hash] of Object.entries(sources)) hashes.set(path, (hashes.get(path) ?? new Set()).add(hash));
  }
  const changed = await Promise.all([...hashes].map(async ([path, expected]) => hasChanged(path, expected)));
  return [...hashes.keys()].filter((_path, index) => changed[index]);
}

async function hasChanged(path: string, expected: ReadonlySet<unknown>): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(resolve(path), 'utf8');
  } catch {
    // Only the compiled code is here, or the process runs in another folder.
    return false;
  }
  const hash = sourceHash(text);
  return [...expected].some((known) => known !== hash);
}
