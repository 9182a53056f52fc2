import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from './replay-arguments.js';

type ModuleClass = new (...args: never[]) => object;

/**
 * Loads the root module of an application.
 *
 * @throws UsageError if there is no such file or class
 */
export async function loadRootModule(file: string, name: string | undefined): Promise<ModuleClass> {
  const path = resolve(file);
  if (!existsSync(path)) {
    throw new UsageError(`There is no ${file}. Build the application first, or name its root module with --module.`);
  }
  const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  // A CommonJS file may only have a default export.
  const exported = { ...(loaded['default'] as object | undefined), ...loaded } as Record<string, unknown>;
  if (name !== undefined) {
    if (isModule(exported[name])) return exported[name];
    throw new UsageError(`${file} does not export a module '${name}'.`);
  }
  const modules = [...new Set(Object.values(exported).filter(isModule))];
  if (modules.length === 1) return modules[0]!;
  const names = modules.map((type) => type.name).join(', ') || 'none';
  throw new UsageError(`${file} must export one module, but exports: ${names}. Name it: --module ${file}#AppModule.`);
}

/** Whether a class has the decorator `@Module()`. */
function isModule(value: unknown): value is ModuleClass {
  if (typeof value !== 'function') return false;
  return ['imports', 'providers', 'controllers', 'exports'].some((key) => Reflect.hasOwnMetadata(key, value));
}
