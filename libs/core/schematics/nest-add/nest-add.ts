import { given, readManifest } from '../project.js';
import type { Context, Rule } from '../tree.js';
import { addModules } from './add-modules.js';
import { addPlugin } from './add-plugin.js';
import { addDependencies } from './dependencies.js';
import { addEnvFiles } from './env-files.js';

/** The options of `nest add @nestor-ai/core`. */
export interface NestAddOptions {
  readonly sourceRoot?: string;
  readonly example?: boolean;
  readonly skipInstall?: boolean;
}

const WITHOUT_KEY = 'https://github.com/nestor-ai/nestor/blob/main/docs/guides/models.md#without-a-key';
const ASK = `curl localhost:3000/chat -H 'content-type: application/json' -d '{"message":"How warm is it in Paris?"}'`;

/** Makes an application ready for tools: packages, the compiler plugin, modules, an example with its test, and .env. */
export function nestAdd({ sourceRoot, example = true, skipInstall = false }: NestAddOptions): Rule {
  return (tree, context) => {
    const manifest = readManifest(tree);
    if (!manifest) throw new Error('There is no package.json here. Run nest add in the folder of your application.');
    const root = given(sourceRoot) ?? 'src';
    const added = addDependencies(tree, manifest);
    // The Nest CLI installs with the package manager of the application.
    const install = { command: 'install', quiet: true };
    const installing = added.length > 0 && !skipInstall ? [addTask(context, 'node-package', install)] : [];
    const hasPlugin = addPlugin(tree);
    const problems = [
      ...addModules(tree, root, manifest, { wantsExample: example, hasPlugin }),
      ...addEnvFiles(tree),
      ...(added.length > 0 && skipInstall
        ? [`Install the packages that were added to package.json: ${added.join(', ')}.`]
        : []),
    ];
    for (const problem of problems) context.logger.warn(problem);
    // The last task: the Nest CLI lists the files before, and npm writes its warnings.
    if (example && problems.length === 0) addTask(context, 'run-schematic', { name: 'next', options: {} }, installing);
    return tree;
  };
}

/** Says what to do after `nest add`. A task has no logger. */
export function next(): Rule {
  return (tree) => {
    process.stdout.write(
      `\nNext: put your key into .env, or give AiSdkModule a fallback that answers without one (${WITHOUT_KEY}). Start the application, and ask it:\n  ${ASK}\n`,
    );
    return tree;
  };
}

function addTask(context: Context, name: string, options: object, after: readonly unknown[] = []): unknown {
  return context.addTask({ toConfiguration: () => ({ name, options }) }, after);
}
