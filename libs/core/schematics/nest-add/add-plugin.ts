import { loadCompiler, update } from '../project.js';
import type { Tree } from '../tree.js';

const PLUGIN = '@nestor-ai/compiler';

/** The builders that run transformers. The others need a generated file: see the guide "Types as schemas". */
const BUILDERS = new Set(['tsc', 'webpack']);

/** The part of nest-cli.json that the plugin changes. */
interface Configuration {
  readonly compilerOptions?: {
    readonly builder?: string | { readonly type?: string };
    readonly plugins?: readonly (string | { readonly name?: string })[];
  };
}

/** Adds the compiler plugin to nest-cli.json, so that the types of tools are their schemas. @returns whether it is there now */
export function addPlugin(tree: Tree): boolean {
  const configuration = read(tree.read('nest-cli.json')?.toString());
  // Without the API of a compiler, the Nest CLI cannot run plugins.
  if (!configuration || !loadCompiler()) return false;
  const { builder = 'tsc', plugins = [], ...others } = configuration.compilerOptions ?? {};
  if (!BUILDERS.has((typeof builder === 'string' ? builder : builder.type) ?? 'tsc')) return false;
  if (plugins.some((plugin) => (typeof plugin === 'string' ? plugin : plugin.name) === PLUGIN)) return true;
  const given = configuration.compilerOptions?.builder;
  const compilerOptions = { ...others, ...(given !== undefined && { builder: given }), plugins: [...plugins, PLUGIN] };
  update(tree, 'nest-cli.json', `${JSON.stringify({ ...configuration, compilerOptions }, undefined, 2)}\n`);
  return true;
}

/** @returns undefined for a file that is missing, or that is more than JSON */
function read(text: string | undefined): Configuration | undefined {
  try {
    const configuration: unknown = JSON.parse(text ?? '');
    return typeof configuration === 'object' && configuration !== null ? configuration : undefined;
  } catch {
    return undefined;
  }
}
