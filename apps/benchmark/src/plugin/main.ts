/* What the compiler plugin adds to a build of 300 tools, and to a change of one file in watch mode. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { before } from '@nestor-ai/core/plugin';
import { median, scaleOf } from '../measure.js';
import { GeneratedApplication } from './application.js';

const ROUNDS = Math.max(3, Math.round(9 * scaleOf(process.env.BENCH_SCALE)));
const require = createRequire(import.meta.url);
const NEST = join(dirname(require.resolve('@nestjs/cli/package.json')), 'bin/nest.js');

const compiler = require('typescript') as typeof ts;

/** Prints the processor time of a process at its end, which other processes of the machine do not change. */
const PRELOAD = `data:text/javascript,process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  console.log('cpu ' + (user + system) / 1000);
});`;

/** The processor time of `nest build`, in milliseconds. */
function build(application: GeneratedApplication, withPlugin: boolean): number {
  application.configure(withPlugin);
  rmSync(join(application.folder, 'tsconfig.tsbuildinfo'), { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', PRELOAD, NEST, 'build'], {
    cwd: application.folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return Number(/^cpu (.*)$/m.exec(stdout)?.[1]);
}

/** Checks and emits a program as watch mode does. @returns the milliseconds that the plugin took */
function timeOfPlugin(builder: ts.EmitAndSemanticDiagnosticsBuilderProgram): number {
  builder.getSemanticDiagnostics();
  const begin = performance.now();
  const plugin = before({}, builder.getProgram());
  let time = performance.now() - begin;
  const measured: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const transform = plugin(context);
    return (file) => {
      const start = performance.now();
      const result = transform(file);
      time += performance.now() - start;
      return result;
    };
  };
  builder.emit(undefined, () => {}, undefined, undefined, { before: [measured] });
  return time;
}

/** The time of the plugin when one file has changed, in milliseconds. As in watch mode, the types are checked before. */
function measureWatch(application: GeneratedApplication): number[] {
  process.chdir(application.folder);
  const times: number[] = [];
  let program: ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined;
  const sources = new Map<string, ts.SourceFile | undefined>();
  for (let round = 0; round <= ROUNDS; round++) {
    application.change(round);
    const { options, fileNames } = compiler.getParsedCommandLineOfConfigFile(
      'tsconfig.json',
      {},
      {
        ...compiler.sys,
        onUnRecoverableConfigFileDiagnostic() {},
      },
    )!;
    const compilerHost = compiler.createIncrementalCompilerHost(options);
    const read = compilerHost.getSourceFile.bind(compilerHost);
    compilerHost.getSourceFile = (name, ...others) => {
      const isChanged = name.endsWith('options-7.ts');
      if (isChanged || !sources.has(name)) sources.set(name, read(name, ...others));
      return sources.get(name);
    };
    program = compiler.createEmitAndSemanticDiagnosticsBuilderProgram(
      fileNames,
      { ...options, incremental: false },
      compilerHost,
      program,
    );
    times.push(timeOfPlugin(program));
  }
  // The first program is a whole build.
  return times.slice(1);
}

const application = new GeneratedApplication();
try {
  build(application, true);
  const ratios: number[] = [];
  const seconds: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round++) {
    // Each order in turn, because the second of two builds finds more files in memory.
    const isFirst = round % 2 === 0;
    const first = build(application, isFirst);
    const second = build(application, !isFirst);
    const [on, off] = isFirst ? [first, second] : [second, first];
    ratios.push(on / off);
    seconds.with.push(on / 1000);
    seconds.without.push(off / 1000);
  }
  const watch = measureWatch(application);
  console.log(
    JSON.stringify({
      rounds: ROUNDS,
      ratio: rounded(median(ratios)),
      ratios: ratios.map(rounded),
      secondsWith: rounded(median(seconds.with)),
      secondsWithout: rounded(median(seconds.without)),
      watchMilliseconds: Math.round(median(watch)),
      watchMost: Math.round(Math.max(...watch)),
    }),
  );
} finally {
  application.remove();
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
