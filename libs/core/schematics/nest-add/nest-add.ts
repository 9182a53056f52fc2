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

const ASK = `curl localhost:3000/chat -H 'content-type: application/json' -d '{"message":"How warm is it in Paris?"}'`;

/** Makes an application ready for tools: packages, the compiler plugin, modules, an example with its test, and .env. */
export function nestAdd({ sourceRoot, example = true, skipInstall = false }: NestAddOptions): Rule {
  return (tree, context) => {
    const manifest = readManifest(tree);
    if (!manifest) throw new Error('There is no package.json here. Run nest add in the folder of your application.');
    const root = given(sourceRoot) ?? 'src';
    const added = addDependencies(tree, manifest);
    if (added.length > 0 && !skipInstall) installPackages(context);
    const hasPlugin = addPlugin(tree);
    const problems = [
      ...addModules(tree, root, manifest, { wantsExample: example, hasPlugin }),
      ...addEnvFiles(tree),
      ...(added.length > 0 && skipInstall
        ? [`Install the packages that were added to package.json: ${added.join(', ')}.`]
        : []),
    ];
    for (const problem of problems) context.logger.warn(problem);
    if (example && problems.length === 0) {
      context.logger.info(
        `Next: put your key into .env, or give AiSdkModule a fallback that answers without one (guide "Models"). Start the application, and ask it:\n  ${ASK}`,
      );
    }
    return tree;
  };
}

/** The task of the Nest CLI that installs with the package manager of the application. */
function installPackages(context: Context): void {
  context.addTask({ toConfiguration: () => ({ name: 'node-package', options: { command: 'install', quiet: true } }) });
}
