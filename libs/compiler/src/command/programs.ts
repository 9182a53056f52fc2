import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { UsageError } from './command-arguments.js';

/** Nothing is emitted, so a tsbuildinfo file would be wrong. */
const OPTIONS: ts.CompilerOptions = { noEmit: true, incremental: false, composite: false };

/** @throws UsageError if the tsconfig file has errors */
export function createProgram(ts: TypeScript, tsconfig: string): ts.Program {
  const parsed = ts.getParsedCommandLineOfConfigFile(tsconfig, OPTIONS, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new UsageError(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  const [error] = parsed?.errors ?? [];
  if (!parsed || error) {
    throw new UsageError(`${tsconfig}: ${ts.flattenDiagnosticMessageText(error?.messageText ?? 'is not valid', '\n')}`);
  }
  const { fileNames: rootNames, options, projectReferences = [] } = parsed;
  return ts.createProgram({ rootNames, options, projectReferences });
}

/** Calls back with each new program. The compiler does not check the types. */
export function watchPrograms(ts: TypeScript, tsconfig: string, onProgram: (program: ts.Program) => void): void {
  const host = ts.createWatchCompilerHost(tsconfig, OPTIONS, ts.sys, ts.createAbstractBuilder, undefined, () => {});
  host.afterProgramCreate = (builder) => onProgram(builder.getProgram());
  ts.createWatchProgram(host);
}
