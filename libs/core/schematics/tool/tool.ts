import { posix } from 'node:path';
import { addToModule } from '../module-file/add-to-module.js';
import { quoteOf } from '../module-file/imports.js';
import { findNearestModule } from '../module-file/root-module.js';
import { createOnce, extensionOf, given, loadCompiler, pathOf, readManifest, update } from '../project.js';
import type { Rule, Tree } from '../tree.js';
import { toolClass, toolTest } from './tool-files.js';

/** The options of `nest generate --collection @nestor-ai/core tool`. */
export interface ToolOptions {
  readonly name: string;
  readonly path?: string;
  readonly sourceRoot?: string;
  readonly flat?: boolean;
  readonly spec?: boolean;
  readonly specFileSuffix?: string;
  readonly skipImport?: boolean;
}

/** Creates a class with a tool and its test, and provides the class in the nearest module. */
export function tool(options: ToolOptions): Rule {
  const name = kebabCase(posix.basename(options.name));
  if (!/^[a-z][a-z\d.-]*$/.test(name))
    throw new Error(
      `The name of a tool starts with a letter from a to z, then has these, digits and dashes, and '${options.name}' does not.`,
    );
  return (tree, context) => {
    const sourceRoot = given(options.sourceRoot) ?? 'src';
    const parent = pathOf(sourceRoot, given(options.path) ?? '', kebabCase(posix.dirname(options.name)));
    const folder = options.flat ? parent : pathOf(parent, name);
    const extension = extensionOf(readManifest(tree));
    const file = `${name}.tools`;
    const path = pathOf(folder, `${file}.ts`);
    const names = {
      symbol: `${pascalCase(name)}Tools`,
      method: camelCase(name),
      from: `./${file}${extension}`,
      metadata: tree.exists(pathOf(sourceRoot, 'metadata.ts'))
        ? `${posix.relative(folder, sourceRoot) || '.'}/metadata${extension}`
        : undefined,
    };
    const left: string[] = [];
    const module = options.skipImport ? undefined : findNearestModule(tree, folder);
    const quote = quoteOf(module ? tree.readText(module) : '');
    const write = (target: string, content: string) => {
      if (tree.exists(target)) left.push(`${target} exists, so it was left as it is.`);
      else createOnce(tree, target, content.replaceAll("'", quote));
    };
    write(path, toolClass(names));
    if (options.spec ?? true) {
      write(pathOf(folder, `${file}.${given(options.specFileSuffix) ?? 'spec'}.ts`), toolTest(names));
    }
    if (module) left.push(...provide(tree, module, names.symbol, pathOf(folder, `${file}${extension}`)));
    else if (!options.skipImport)
      left.push(`There is no module above ${folder}. Add ${names.symbol} to the providers of one.`);
    for (const line of left) context.logger.warn(line);
    return tree;
  };
}

/** @returns what is left to do */
function provide(tree: Tree, module: string, symbol: string, file: string): string[] {
  const byHand = `Add ${symbol} to its providers.`;
  const ts = loadCompiler();
  if (!ts) return [`The package typescript is not installed, so ${module} was not changed. ${byHand}`];
  const path = posix.relative(posix.dirname(module), file);
  const from = path.startsWith('.') ? path : `./${path}`;
  const changed = addToModule(ts, tree.readText(module), 'providers', [{ symbol, from }]);
  if ('problem' in changed) return [`${module} was not changed: ${changed.problem}. ${byHand}`];
  update(tree, module, changed.text);
  return [];
}

const kebabCase = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase();

const camelCase = (name: string): string =>
  name.replace(/[-.]+(\w?)/g, (_match, letter: string) => letter.toUpperCase());

const pascalCase = (name: string): string => {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};
