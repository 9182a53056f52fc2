import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** Prints diagnostics as the compiler does. An error makes the process end with exit code 1. */
export function reportDiagnostics(ts: TypeScript, diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const host: ts.FormatDiagnosticsHost = {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
    getNewLine: () => ts.sys.newLine,
  };
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host) + ts.sys.newLine);
  if (diagnostics.some(({ category }) => category === ts.DiagnosticCategory.Error)) process.exitCode = 1;
}
