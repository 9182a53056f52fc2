/* A start of 2,000 tools with the compiler plugin, with metadata.ts, and with neither. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { before } from '@nestor-ai/compiler/plugin';
import { readResult } from '../children.js';
import { median } from '../measure.js';
import { GeneratedApplication } from './application.js';

const require = createRequire(import.meta.url);
const compiler = require('typescript') as typeof ts;
const SCHEMAS = join(dirname(require.resolve('@nestor-ai/compiler/plugin')), 'command/nestor-schemas.js');

const FILES = 10;
const CLASSES = 20;
const METHODS = 10;
const ROUNDS = 5;

/** How the types get to the tools. */
export const VARIANTS = ['without', 'with', 'metadata'] as const;
export type Variant = (typeof VARIANTS)[number];

/** The processor time of a start in milliseconds, until the application is ready, and the bytes of `metadata.ts`. */
export interface ColdStarts {
  readonly times: Readonly<Record<Variant, readonly number[]>>;
  readonly metadataBytes: number;
}

/** Measures the variants in turn. */
export function measureColdStarts(): ColdStarts {
  const application = new GeneratedApplication(sources());
  try {
    compile(application, 'without');
    compile(application, 'with');
    run(application, [SCHEMAS]);
    compile(application, 'metadata');
    const times: Record<Variant, number[]> = { without: [], with: [], metadata: [] };
    for (let round = 0; round < ROUNDS; round++) for (const one of VARIANTS) times[one].push(start(application, one));
    return { times, metadataBytes: statSync(join(application.folder, 'src/metadata.ts')).size };
  } finally {
    application.remove();
  }
}

export const ratioTo = (times: ColdStarts['times'], variant: Variant): number =>
  median(times[variant].map((time, round) => time / times.without[round]!));

function compile({ folder }: GeneratedApplication, variant: Variant): void {
  const host = { ...compiler.sys, onUnRecoverableConfigFileDiagnostic() {} };
  const outDir = join(folder, variant);
  const config = join(folder, 'tsconfig.json');
  const { fileNames, options } = compiler.getParsedCommandLineOfConfigFile(
    config,
    { outDir, incremental: false },
    host,
  )!;
  const program = compiler.createProgram(fileNames, options);
  const transformers = variant === 'with' ? { before: [before({}, program)] } : {};
  program.emit(undefined, undefined, undefined, undefined, transformers);
}

function start(application: GeneratedApplication, variant: Variant): number {
  const result = readResult<{ readonly cpu: number }>(run(application, [`${variant}/main.js`], variant));
  if (!result) throw new Error(`The start ${variant} types gave no result.`);
  return result.cpu;
}

function run({ folder }: GeneratedApplication, args: readonly string[], variant = ''): string {
  const env = { ...process.env, NODE_ENV: 'production', VARIANT: variant };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

function sources(): Readonly<Record<string, string>> {
  const files = Array.from({ length: FILES }, (_, file) => file);
  const idsOf = (file: number): readonly number[] => Array.from({ length: CLASSES }, (_, one) => file * CLASSES + one);
  const classes = files.flatMap(idsOf).map((id) => `Finder${id}`);
  const imports = files.map(
    (file) =>
      `import { ${idsOf(file)
        .map((id) => `Finder${id}`)
        .join(', ')} } from './finders-${file}.tools.js';`,
  );
  return Object.fromEntries([
    ...files.map((file) => [`places-${file}.dto.ts`, dtosOf(idsOf(file))] as const),
    ...files.map((file) => [`finders-${file}.tools.ts`, toolsOf(file, idsOf(file))] as const),
    ['main.ts', mainOf(imports, classes)] as const,
  ]);
}

const dtosOf = (ids: readonly number[]): string => `
import { IsInt, IsOptional, IsString } from 'class-validator';
${ids
  .map(
    (id) => `
export class Place${id} {
  /** The name of the place. */
  @IsString() name!: string;
  @IsOptional() @IsInt() stars?: number;
}`,
  )
  .join('\n')}`;

const toolsOf = (file: number, ids: readonly number[]): string => `
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { ${ids.map((id) => `Place${id}`).join(', ')} } from './places-${file}.dto.js';
${ids.map(classOf).join('\n')}`;

const classOf = (id: number): string => `
@Injectable()
export class Finder${id} {
${Array.from({ length: METHODS - 1 }, (_, method) => methodOf(id, method)).join('\n')}
  /** Books a place. */
  @Tool()
  book${id}(place: Place${id}): string {
    return place.name;
  }
}`;

const methodOf = (id: number, method: number): string => `
  /**
   * Finds places of a kind in a city.
   *
   * @param city the name of the city
   */
  @Tool()
  find${id}x${method}(city: string, limit = 10, isExact?: boolean): { found: string[] } {
    return { found: [city, String(limit), String(isExact)] };
  }`;

const mainOf = (imports: readonly string[], classes: readonly string[]): string => `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
${imports.join('\n')}
const file = './metadata.js';
const given = process.env.VARIANT === 'metadata' ? { pluginMetadata: (await import(file)).default } : {};
@Module({
  imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]), ...given })],
  providers: [${classes.join(', ')}],
})
class AppModule {}
await NestFactory.createApplicationContext(AppModule, { logger: false });
const { user, system } = process.cpuUsage();
console.log('\\nRESULT ' + JSON.stringify({ cpu: (user + system) / 1000 }));
process.exit();`;
