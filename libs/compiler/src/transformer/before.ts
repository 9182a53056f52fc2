import type ts from 'typescript';
import { diagnosticsOf, generatedProgramOf, type GeneratedProgram } from '../generated-program.js';
import { followEmits } from '../incremental/follow-emits.js';
import { LoaderPrograms } from '../incremental/loader-programs.js';
import type { PluginOptions } from '../plugin-options.js';
import { reportDiagnostics } from '../report-diagnostics.js';
import { loadTypeScript, type TypeScript } from '../typescript.js';
import { addClassTypes } from './add-class-types.js';

/**
 * The transformer for tsc and webpack: adds the types of tools to their classes.
 *
 * @param options from `nest-cli.json`
 * @param program that is built; its types that no schema can describe become errors of the build
 */
export function before(options: PluginOptions | undefined, program: ts.Program): ts.TransformerFactory<ts.SourceFile> {
  const ts = loadTypeScript();
  return isOfTsLoader(program) ? transformForLoader(ts, program) : transformForBuilder(ts, program, options ?? {});
}

/** ts-loader emits file by file with a language service. Only it sets this option. */
const isOfTsLoader = (program: ts.Program): boolean => program.getCompilerOptions()['suppressOutputPathCheck'] === true;

function transformForBuilder(
  ts: TypeScript,
  program: ts.Program,
  options: PluginOptions,
): ts.TransformerFactory<ts.SourceFile> {
  const generated = generatedProgramOf(ts, program);
  const follow = followEmits(ts, program, generated, options);
  return (context) => (file) => {
    const original = ts.getOriginalNode(file, ts.isSourceFile);
    const mustReport = follow.onTransform(original);
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

/** A loader has no result of a build that could have errors, so they are printed when the types are read. */
function transformForLoader(ts: TypeScript, first: ts.Program): ts.TransformerFactory<ts.SourceFile> {
  const programs = new LoaderPrograms(ts, first);
  let read: GeneratedProgram | undefined;
  const generatedOf = (program: ts.Program): GeneratedProgram => {
    const generated = generatedProgramOf(ts, program);
    if (generated !== read) reportDiagnostics(ts, diagnosticsOf((read = generated)));
    return generated;
  };
  generatedOf(first);
  return (context) => {
    const program = programs.of(context);
    const generated = generatedOf(program);
    return (file) => {
      const classes = generated.get(ts.getOriginalNode(file, ts.isSourceFile));
      return classes ? addClassTypes(ts, program, context, file, classes) : file;
    };
  };
}
