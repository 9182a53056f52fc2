import { relative } from 'node:path';
import type ts from 'typescript';
import { diagnosticsOf, generatedProgramOf } from '../generated-program.js';
import { metadataOf } from '../metadata/program-metadata.js';
import { reportDiagnostics } from '../report-diagnostics.js';
import { loadTypeScript, type TypeScript } from '../typescript.js';
import { type CommandArguments, parseArguments, USAGE, UsageError } from './command-arguments.js';
import { findProject, type Project } from './find-project.js';
import { printMetadata, readMetadata, writeMetadata } from './metadata-file.js';
import { createProgram, watchPrograms } from './programs.js';
import { staleClasses } from './stale-classes.js';
import { problemsOf } from './tool-problems.js';
import { printTable, toolsOf } from './tool-report.js';

/** Runs `nestor-schemas`. @returns the exit code */
export function run(args: readonly string[]): number {
  try {
    const options = parseArguments(args);
    if (options.help) return print(USAGE);
    return new Command(loadTypeScript(), options).run();
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\n\n${USAGE}`);
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

function fail(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}

class Command {
  readonly #folder = process.cwd();
  readonly #project: Project;

  constructor(
    readonly ts: TypeScript,
    readonly options: CommandArguments,
  ) {
    this.#project = findProject(ts, this.#folder, options);
  }

  run(): number {
    const { ts, options } = this;
    if (options.watch) {
      watchPrograms(ts, this.#project.tsconfig, (program) => this.#write(program));
      return 0;
    }
    const program = createProgram(ts, this.#project.tsconfig);
    const exitCodes = [
      options.check ? this.#check(program) : 0,
      options.report ? this.#report(program) : 0,
      options.check || options.report ? 0 : this.#write(program),
    ];
    return this.#reportDiagnostics(program) || Math.max(...exitCodes);
  }

  #write(program: ts.Program): number {
    const { out } = this.#project;
    const isWritten = writeMetadata(out, this.#print(program));
    if (this.options.watch) this.#reportDiagnostics(program);
    if (this.options.watch && !isWritten) return 0;
    return print(`${this.#summarize(program)} → ${relative(this.#folder, out)}`);
  }

  #check(program: ts.Program): number {
    const { out } = this.#project;
    const path = relative(this.#folder, out);
    const text = readMetadata(out);
    if (text === undefined) return fail(`There is no ${path}. Run nestor-schemas.`);
    const stale = staleClasses(this.ts, text, this.#print(program));
    if (stale.length > 0) return fail(`${path} is stale. Run nestor-schemas. It differs in:\n  ${stale.join('\n  ')}`);
    const problems = this.options.strict ? this.#problems(program) : [];
    if (problems.length > 0) return fail(problems.join('\n'));
    return print(`${path} is up to date: ${this.#summarize(program)}`);
  }

  #report(program: ts.Program): number {
    print(printTable(this.#tools(program)));
    for (const problem of this.#problems(program)) print(`warning: ${problem}`);
    return 0;
  }

  #print(program: ts.Program): string {
    return printMetadata(this.ts, metadataOf(this.ts, program, this.#project.out));
  }

  #tools(program: ts.Program) {
    return toolsOf(this.ts, generatedProgramOf(this.ts, program), this.#folder);
  }

  #problems(program: ts.Program): string[] {
    return problemsOf(this.#tools(program), this.options.maxTokens);
  }

  #summarize(program: ts.Program): string {
    const { files } = metadataOf(this.ts, program, this.#project.out);
    const classes = [...files.values()].reduce((sum, all) => sum + all.size, 0);
    return `${count(this.#tools(program).length, 'tool')}, types of ${count(classes, 'class', 'classes')}`;
  }

  #reportDiagnostics(program: ts.Program): number {
    const { ts } = this;
    const errors = diagnosticsOf(generatedProgramOf(ts, program));
    reportDiagnostics(ts, [...errors, ...metadataOf(ts, program, this.#project.out).diagnostics]);
    return errors.length > 0 ? 1 : 0;
  }
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
