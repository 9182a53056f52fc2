import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { messageOf } from '@nestor-ai/schema';
import { replayTurn } from '../replay-turn.js';
import { parseArguments, type ReplayArguments, USAGE, UsageError } from './replay-arguments.js';
import { loadRootModule } from './root-module.js';

/** Runs `nestor-replay`. Returns its exit code: 1 if a turn has changed, 2 for a mistake in the arguments. */
export async function run(args: readonly string[]): Promise<number> {
  let options: ReplayArguments;
  try {
    options = parseArguments(args);
  } catch (error) {
    return explain(error);
  }
  if (options.help) return print(USAGE);
  try {
    return await replayAll(options);
  } catch (error) {
    if (error instanceof UsageError) return explain(error);
    throw error;
  }
}

function explain(mistake: unknown): number {
  process.stderr.write(`${messageOf(mistake)}\n\n${USAGE}\n`);
  return 2;
}

async function replayAll({ folder, moduleFile, moduleName, request, update }: ReplayArguments): Promise<number> {
  const files = filesOf(folder);
  if (files.length === 0) throw new UsageError(`There is no *.turn.json in ${folder}.`);
  const rootModule = await loadRootModule(moduleFile, moduleName);
  let failed = 0;
  for (const file of files) {
    const shown = relative('.', file);
    try {
      await replayOne(rootModule, file, { request, update });
      print(`✓ ${shown}${update ? ' (recorded again)' : ''}`);
    } catch (error) {
      failed++;
      print(`✗ ${shown}\n${messageOf(error)}`);
    }
  }
  print(`${files.length - failed} of ${files.length} turns ${update ? 'recorded' : 'are the recorded ones'}.`);
  return failed > 0 ? 1 : 0;
}

/** Each turn has an application of its own, so that none sees what the tools of another one have left. */
async function replayOne(
  rootModule: new (...args: never[]) => object,
  file: string,
  options: { readonly request: unknown; readonly update: boolean },
): Promise<void> {
  const app = await NestFactory.createApplicationContext(rootModule, { logger: ['error'], abortOnError: false });
  try {
    await replayTurn(app, file, options);
  } finally {
    await app.close();
  }
}

function filesOf(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.turn.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    throw new UsageError(`There is no folder ${folder}.`);
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
