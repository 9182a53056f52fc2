import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type ts from 'typescript';
import { before } from './transformer/before.js';
import { loadTypeScript } from './typescript.js';

const PACKAGES: Readonly<Record<string, string>> = {
  'node_modules/@nestor-ai/core/index.d.ts': `
    export declare function Tool(options?: object): MethodDecorator;
    export declare function ToolParam(options?: object): ParameterDecorator;`,
  'node_modules/class-validator/index.d.ts': `
    export declare function IsString(): PropertyDecorator;
    export declare function IsInt(): PropertyDecorator;`,
};

/** What a program was compiled to. */
export interface Emitted {
  /** The output by name, relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The texts of the plugin's diagnostics. */
  readonly diagnostics: readonly string[];
}

/** Writes files into a folder that exists until the callback returns. */
export function inFolder<Result>(files: Readonly<Record<string, string>>, act: (folder: string) => Result): Result {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nestor-emit-')));
  try {
    for (const [name, text] of Object.entries({ ...PACKAGES, ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of TypeScript's own library, which are parsed once for all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = loadTypeScript().createCompilerHost(options);
  const folder = host.getDefaultLibLocation!();
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...how) => {
    if (dirname(name) !== folder) return read(name, ...how);
    if (!libraries.has(name)) libraries.set(name, read(name, ...how));
    return libraries.get(name);
  };
  return host;
}

/** Creates a program of the files that are not in node_modules. */
export function createProgramOf(
  folder: string,
  files: Readonly<Record<string, string>>,
  options: ts.CompilerOptions = {},
): ts.Program {
  const ts = loadTypeScript();
  const all: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    esModuleInterop: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    rootDir: folder,
    outDir: join(folder, 'dist'),
    ...options,
  };
  const rootNames = Object.keys(files)
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .map((name) => join(folder, name));
  return ts.createProgram({ rootNames, options: all, host: hostOf(all) });
}

/** Compiles files with the plugin. */
export function emit(files: Readonly<Record<string, string>>, options: ts.CompilerOptions = {}): Emitted {
  return inFolder(files, (folder) => {
    const program = createProgramOf(folder, files, options);
    const emitted: Record<string, string> = {};
    const transformer = before({}, program);
    const { diagnostics } = program.emit(
      undefined,
      (name, text) => {
        emitted[relative(join(folder, 'dist'), name).replaceAll('\\', '/')] = text;
      },
      undefined,
      undefined,
      { before: [transformer] },
    );
    const texts = diagnostics.map(({ messageText }) =>
      loadTypeScript().flattenDiagnosticMessageText(messageText, '\n'),
    );
    return { files: emitted, diagnostics: texts };
  });
}
