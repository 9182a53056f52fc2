import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import { PACKAGE_VERSION } from '../version.js';
import { diagnosticsOf, type GeneratedProgram } from '../generated-program.js';
import type { PluginOptions } from '../plugin-options.js';
import type { TypeScript } from '../typescript.js';
import { BuildRecord, hashOf, sha256 } from './build-record.js';
import { FollowedProgram } from './followed-program.js';
import { rebuild } from './rebuild.js';

const followedPrograms = new WeakMap<ts.Program, FollowedProgram>();

/**
 * Makes a program that TypeScript builds step by step emit all files with stale types, and report
 * the errors of the plugin.
 */
export function followEmits(
  ts: TypeScript,
  program: ts.Program,
  generated: GeneratedProgram,
  options: PluginOptions,
): FollowedProgram {
  return remembered(followedPrograms, program, () => {
    const record = recordOf(ts, program, options);
    const followed = new FollowedProgram(program, hashesOf(generated), diagnosticsOf(generated), record);
    if (followed.mustRebuild && record) rebuild(record.buildInfoPath);
    followed.follow();
    return followed;
  });
}

function recordOf(ts: TypeScript, program: ts.Program, options: PluginOptions): BuildRecord | undefined {
  const path = ts.getTsBuildInfoEmitOutputFilePath(program.getCompilerOptions());
  return path === undefined ? undefined : new BuildRecord(path, sha256([PACKAGE_VERSION, options]));
}

const hashesOf = (generated: GeneratedProgram): Map<ts.SourceFile, string> =>
  new Map([...generated].map(([file, classes]) => [file, hashOf(classes)]));
