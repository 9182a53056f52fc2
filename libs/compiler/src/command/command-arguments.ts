import { parseArgs } from 'node:util';
import { messageOf } from '@nestor-ai/schema/format';

export const USAGE = `Usage: nestor-schemas [project] [options]

Writes the types of your tools to metadata.ts, for AiModule.forRoot({ pluginMetadata: metadata }).

  project               a project of nest-cli.json, in a monorepo
  -p, --project <file>  the tsconfig file; default: that of nest-cli.json, tsconfig.build.json, tsconfig.json
  -o, --out <file>      the file to write; default: metadata.ts in the source root
  -w, --watch           write the file again when a type changes
      --check           write nothing; exit with 1 if the file is stale
      --report          print the tokens of each tool, and what a model may misunderstand
      --strict          with --check: exit with 1 as well for what --report warns of
      --max-tokens <n>  warn of tools with more tokens; default: 1000
  -h, --help            print this text`;

/** A mistake in the arguments, which the command prints with its usage. */
export class UsageError extends Error {}

/** The arguments of `nestor-schemas`. */
export interface CommandArguments {
  /** The name of a project in nest-cli.json. */
  readonly project?: string | undefined;
  readonly tsconfig?: string | undefined;
  readonly out?: string | undefined;
  readonly watch: boolean;
  readonly check: boolean;
  readonly report: boolean;
  readonly strict: boolean;
  readonly maxTokens: number;
  readonly help: boolean;
}

/** @throws UsageError if an argument is unknown or contradicts another */
export function parseArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = readArguments(args);
  if (positionals.length > 1) throw new UsageError(`There can be one project, not ${positionals.join(' and ')}.`);
  if (values.watch && (values.check || values.report)) {
    throw new UsageError('--watch writes metadata.ts, so it cannot be used with --check or --report.');
  }
  if (values.strict && !values.check) throw new UsageError('--strict needs --check.');
  const maxTokens = Number(values['max-tokens']);
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new UsageError(`--max-tokens must be a whole number above 0, not ${values['max-tokens']}.`);
  }
  return { ...values, project: positionals[0], tsconfig: values.project, maxTokens };
}

/** @throws UsageError if an argument is unknown or has no value */
function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        project: { type: 'string', short: 'p' },
        out: { type: 'string', short: 'o' },
        watch: { type: 'boolean', short: 'w', default: false },
        check: { type: 'boolean', default: false },
        report: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        'max-tokens': { type: 'string', default: '1000' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
