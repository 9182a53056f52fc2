import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '@nestor-ai/schema/format';

/** A mistake in the arguments of a command, which prints it with its usage. */
export class UsageError extends Error {}

/**
 * Reads the arguments of a command.
 *
 * @param config the options that the command has
 * @throws UsageError if an argument is unknown or has no value
 */
export function readArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
