import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { TypeScript } from '../typescript.js';
import { type CommandArguments, UsageError } from './command-arguments.js';

/** The project whose types are read. */
export interface Project {
  readonly tsconfig: string;
  /** The path of `metadata.ts`. */
  readonly out: string;
}

/** What the command reads in nest-cli.json. */
interface NestProject {
  readonly root?: string;
  readonly sourceRoot?: string;
  readonly compilerOptions?: { readonly tsConfigPath?: string };
}

interface NestCli extends NestProject {
  readonly monorepo?: boolean;
  readonly projects?: Readonly<Record<string, NestProject>>;
}

/**
 * Finds the tsconfig file and the source root of a project.
 *
 * @throws UsageError if there is no such project or file
 */
export function findProject(
  ts: TypeScript,
  folder: string,
  { project: name, tsconfig, out }: Pick<CommandArguments, 'project' | 'tsconfig' | 'out'>,
): Project {
  const nest = readNestCli(ts, folder);
  const project = name === undefined ? nest : findNamed(nest, name);
  const configured = tsconfig ?? project.compilerOptions?.tsConfigPath;
  const candidates = configured ? [configured] : defaultConfigs(nest, project);
  const found = candidates.map((file) => resolve(folder, file)).find((file) => existsSync(file));
  if (!found) throw new UsageError(`There is no ${candidates.join(' and no ')} in ${folder}. Pass one with --project.`);
  const sourceRoot = project.sourceRoot ?? 'src';
  return { tsconfig: found, out: resolve(folder, out ?? join(sourceRoot, 'metadata.ts')) };
}

function findNamed({ projects = {} }: NestCli, name: string): NestProject {
  const project = Object.hasOwn(projects, name) ? projects[name] : undefined;
  if (project) return project;
  const names = Object.keys(projects);
  const known = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has no projects.';
  throw new UsageError(`nest-cli.json has no project ${name}. ${known}`);
}

/** The Nest CLI's defaults: tsconfig.app.json in projects of a monorepo, else tsconfig.build.json. */
function defaultConfigs(nest: NestCli, { root = '' }: NestProject): string[] {
  const names = ['tsconfig.build.json', 'tsconfig.json'];
  const all = nest.monorepo ? ['tsconfig.app.json', 'tsconfig.lib.json', ...names] : names;
  return all.map((name) => join(root, name));
}

function readNestCli(ts: TypeScript, folder: string): NestCli {
  const path = join(folder, 'nest-cli.json');
  if (!existsSync(path)) return {};
  const { config, error } = ts.parseConfigFileTextToJson(path, readFileSync(path, 'utf8')) as {
    config?: NestCli;
    error?: { messageText: unknown };
  };
  if (error) throw new UsageError(`${relative(folder, path)} is no valid JSON: ${String(error.messageText)}`);
  return config ?? {};
}
