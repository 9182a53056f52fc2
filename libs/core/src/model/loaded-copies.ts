/** The name and version in package.json; a spec compares them. */
export const PACKAGE_NAME = '@nestor-ai/core';
export const PACKAGE_VERSION = '0.1.0';

/** A copy of this package that the process has loaded. */
export interface LoadedCopy {
  readonly version: string;
  /** The file that it was loaded from. */
  readonly file: string;
}

// All copies share this map, whatever their version: its form never changes.
const KEY = Symbol.for('@nestor-ai/core:copies');
const shared = globalThis as { [KEY]?: Map<string, LoadedCopy> };
const copies = (shared[KEY] ??= new Map());

// A test runner that empties its registry loads the same file again, which makes no other copy.
const file = currentFile();
copies.set(file, { version: PACKAGE_VERSION, file });

/** All copies of this package in the process, in the order of loading. Usually there is one. */
export function loadedCopies(): readonly LoadedCopy[] {
  return [...copies.values()];
}

/**
 * The file that is running. Neither `import.meta` nor `__filename` exists in every format that this
 * package is built to, but stack traces do.
 */
function currentFile(): string {
  const before: unknown = Reflect.get(Error, 'prepareStackTrace');
  // Reflect does not throw where Error is frozen.
  Reflect.set(Error, 'prepareStackTrace', (_error: Error, [site]: NodeJS.CallSite[]) => site?.getFileName());
  const { stack } = new Error('Where am I?');
  Reflect.set(Error, 'prepareStackTrace', before);
  return stack ?? 'unknown file';
}
