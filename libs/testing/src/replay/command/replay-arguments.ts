import { parseArgs } from 'node:util';

export const USAGE = `Usage: nestor-replay [folder] [options]

Runs the recorded turns (*.turn.json) of a folder again in your application, and shows how they differ.

  folder                 default: test/turns
  -m, --module <file>    the compiled root module, such as dist/app.module.js or dist/main.js#AppModule;
                         default: dist/app.module.js
      --user <json>      the caller's request for guards and tools, such as '{"user":{"id":1}}'
      --update           ask the real model, and write the files again
  -h, --help             print this text`;

/** A mistake of whoever runs the command, which prints it with its usage. */
export class UsageError extends Error {}

/** The arguments of `nestor-replay`. */
export interface ReplayArguments {
  readonly folder: string;
  readonly moduleFile: string;
  /** The name of the exported class. Undefined: the only one that is a module. */
  readonly moduleName: string | undefined;
  readonly request: unknown;
  readonly update: boolean;
  readonly help: boolean;
}

/** @throws Error that tells of an argument that is unknown or has no valid value */
export function parseArguments(args: readonly string[]): ReplayArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      module: { type: 'string', short: 'm', default: 'dist/app.module.js' },
      user: { type: 'string' },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (positionals.length > 1) throw new UsageError(`There can be one folder, not ${positionals.join(' and ')}.`);
  const [moduleFile, moduleName] = values.module.split('#');
  return {
    folder: positionals[0] ?? 'test/turns',
    moduleFile: moduleFile!,
    moduleName,
    request: values.user === undefined ? undefined : parseUser(values.user),
    update: values.update,
    help: values.help,
  };
}

function parseUser(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`--user must be JSON, such as '{"user":{"id":1}}'.`);
  }
}
