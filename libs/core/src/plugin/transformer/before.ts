import type ts from 'typescript';
import { diagnosticsOf, generatedProgramOf } from '../generated-program.js';
import { followEmits } from '../incremental/follow-emits.js';
import type { PluginOptions } from '../plugin-options.js';
import { reportDiagnostics } from '../report-diagnostics.js';
import { loadTypeScript } from '../typescript.js';
import { addClassTypes } from './add-class-types.js';

/**
 * The transformer for tsc, webpack and ts-jest: adds the types of tools to their classes.
 *
 * @param options from `nest-cli.json`
 * @param program that is built; its types that no schema can describe become errors of the build
 */
export function before(options: PluginOptions | undefined, program: ts.Program): ts.TransformerFactory<ts.SourceFile> {
  const ts = loadTypeScript();
  const generated = generatedProgramOf(ts, program);
  const follow = isOfTsLoader(program) ? undefined : followEmits(ts, program, generated, options ?? {});
  if (!follow) reportDiagnostics(ts, diagnosticsOf(generated));
  return (context) => (file) => {
    const original = ts.getOriginalNode(file, ts.isSourceFile);
    const mustReport = follow?.onTransform(original);
    const classes = generated.get(original);
    if (!classes) return file;
    if (mustReport)
      reportDiagnostics(
        ts,
        classes.flatMap(({ diagnostics }) => diagnostics),
      );
    return addClassTypes(ts, program, context, file, classes);
  };
}

/** ts-loader emits file by file with a language service. Only it sets this option. */
const isOfTsLoader = (program: ts.Program): boolean => program.getCompilerOptions()['suppressOutputPathCheck'] === true;
