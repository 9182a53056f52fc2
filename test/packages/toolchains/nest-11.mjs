/* CommonJS toolchains. Each throws if the application fails to build, to start or to answer. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { run } from './applications.mjs';
import { PLUGIN_11 } from './plugin.mjs';
import { assertAnswers, bin, bundlesOf, configure, esbuild, nestBuild, npx, start } from './steps.mjs';

/** Runs the features that Nest 11 implements differently from Nest 12. */
async function runScenarios(folder) {
  const source = readFileSync(new URL('scenarios.ts', import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  writeFileSync(join(folder, 'scenarios.mjs'), outputText);
  await run(folder, process.execPath, ['scenarios.mjs']);
}

export const NEST_11 = {
  'Jest as `nest new` configures it (ts-jest, CommonJS)': (folder) => bin(folder, 'jest'),
  'guards, pipes, filters, scopes and streams': runScenarios,
  async 'nest build'(folder) {
    await nestBuild(folder);
    await assertAnswers(folder, 'dist/main.js');
  },
  async 'TypeScript with module commonjs and moduleResolution node10'(folder) {
    configure(folder, 'tsconfig.classic.json');
    await bin(folder, 'tsc', '-p', 'tsconfig.classic.json', '--incremental', 'false', '--outDir', 'dist/classic');
    await assertAnswers(folder, 'dist/classic/main.js');
  },
  async 'the oldest TypeScript (5.5)'(folder) {
    const options = ['-p', 'tsconfig.build.json', '--noEmit', '--incremental', 'false'];
    await npx(folder, '--yes', '--package', 'typescript@5.5', '--', 'tsc', ...options);
  },
  async 'esbuild to CommonJS'(folder) {
    await esbuild(folder, 'esbuild.cjs');
    await assertAnswers(bundlesOf(folder), 'esbuild.cjs');
  },
  async 'minified with renamed parameters: a warning'(folder) {
    await esbuild(folder, 'minified.cjs', '--minify');
    const { output, toolResponses, expected } = await start(bundlesOf(folder), 'minified.cjs');
    assert.equal(toolResponses[1], expected[1], 'a tool that takes a class');
    assert.match(output, /WARN.*\.price\(\) has a minified name.*@ToolParam/s);
  },
  async 'minified with the names of parameters kept'(folder) {
    await esbuild(folder, 'kept.cjs', '--minify-whitespace', '--minify-syntax', '--keep-names');
    await assertAnswers(bundlesOf(folder), 'kept.cjs');
  },
  async ncc(folder) {
    await nestBuild(folder);
    await bin(folder, 'ncc', 'build', 'dist/main.js', '--out', join(bundlesOf(folder), 'ncc'));
    await assertAnswers(bundlesOf(folder), 'ncc/index.js');
  },
  async 'nest build with webpack and externals: []'(folder) {
    configure(folder, 'webpack.config.cjs');
    const options = ['build', '--webpack', '--webpackPath', 'webpack.config.cjs'];
    await run(folder, 'node_modules/.bin/nest', options, { BUNDLES: bundlesOf(folder) });
    await assertAnswers(bundlesOf(folder), 'webpack.cjs');
  },
  async 'nest build with swc'(folder) {
    await nestBuild(folder, '--builder', 'swc');
    await assertAnswers(folder, 'dist/main.js');
  },
  async 'rspack with its swc loader'(folder) {
    configure(folder, 'rspack.cjs');
    await run(folder, process.execPath, ['rspack.cjs', bundlesOf(folder)]);
    await assertAnswers(bundlesOf(folder), 'rspack.cjs');
  },
  ...PLUGIN_11,
};
