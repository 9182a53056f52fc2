/* What the compiler plugin adds to a build of 300 tools, to a change of one file in watch mode, and to a start. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { before } from '@nestor-ai/compiler/plugin';
import { median, scaleOf } from '../measure.js';
import { GeneratedApplication } from './application.js';
import { measureColdStarts, ratioTo } from './cold-start.js';

/** The median time of a build, compared with one without the plugin. */
const BUILD_LIMIT = 1.15;
/** The median time of a change in watch mode, in milliseconds. */
const WATCH_LIMIT = 200;
/** The median time of a start of 2,000 tools, compared with one without types. */
const START_LIMIT = 0.8;
/** The size of a `metadata.ts` of 2,000 tools, in bytes. */
const METADATA_LIMIT = 1_000_000;
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
  const ratio = median(ratios);
  const change = median(watch);
  const times = `${median(seconds.with).toFixed(2)} s of CPU with the plugin, ${median(seconds.without).toFixed(2)} s without`;
  console.log(`nest build of 300 tools, Node ${process.version}, ${ROUNDS} rounds, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `  build: ${times}: ${ratio.toFixed(3)}x, ${spreadOf(ratios, 3)} (limit ${BUILD_LIMIT}: ${verdictOf(ratio <= BUILD_LIMIT)})`,
  );
  console.log(
    `  a change in watch mode: ${change.toFixed(0)} ms of the plugin, ${spreadOf(watch, 0)} (limit ${WATCH_LIMIT}: ${verdictOf(change < WATCH_LIMIT)})`,
  );
} finally {
  application.remove();
}

const { times, metadataBytes } = measureColdStarts();
for (const variant of ['with', 'metadata'] as const) {
  const ratio = ratioTo(times, variant);
  console.log(
    `  start of 2,000 tools, ${variant === 'with' ? 'plugin' : 'metadata.ts'}: ${median(times[variant]).toFixed(0)} ms of CPU, ` +
      `${median(times.without).toFixed(0)} ms without types: ${ratio.toFixed(3)}x (limit ${START_LIMIT}: ${verdictOf(ratio <= START_LIMIT)})`,
  );
}
console.log(
  `  metadata.ts: ${(metadataBytes / 1e6).toFixed(2)} MB (limit ${METADATA_LIMIT / 1e6}: ${verdictOf(metadataBytes < METADATA_LIMIT)})`,
);

function spreadOf(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}

function verdictOf(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET';
}
