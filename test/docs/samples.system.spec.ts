import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { extractSamples } from './samples.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const samples = extractSamples(root, join(root, 'test/docs/generated/compile'));

// This is a build of all packages from their sources, and as slow as `npm run typecheck`.
it('the code samples of README and docs compile', () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
      },
    },
  )!;
  const files = samples.map(({ file }) => file);
  expect(files.length).toBeGreaterThan(10);
  // A sample may declare what it does not use.
  const program = ts.createProgram(files, { ...config.options, noUnusedLocals: false, noUnusedParameters: false });
  const problems = files.flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
  expect(problems).toEqual([]);
}, 120_000);
