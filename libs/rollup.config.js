/*
 * Bundles each entry point into one file, as an ES module and as CommonJS. A process then loads one
 * file instead of hundreds, which takes a third of the time. The input is the output of the
 * compiler. Our tools read source maps beside the files, which lead to the TypeScript; neither is
 * published, because the files can be read as they are.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED, ROOMS } from './rooms.mjs';

const fileOf = (name, path) => fileURLToPath(new URL(`./${name}/${path}`, import.meta.url));

/** Follows the source maps of the compiler. */
const compiled = {
  name: 'compiled',
  load(id) {
    if (!existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

/** Modules that are CommonJS in the source stay files of their own, which both formats share. */
const commonJs = (name) => {
  const sources = new Map();
  return {
    name: 'common-js',
    resolveId(id, importer) {
      if (!id.endsWith('.cjs')) return null;
      sources.set(basename(id), join(dirname(importer), id));
      return { id: fileOf(name, `dist/${basename(id)}`), external: 'relative' };
    },
    generateBundle() {
      for (const [fileName, source] of sources) {
        const code = readFileSync(source, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
        this.emitFile({ type: 'asset', fileName, source: code });
        this.emitFile({ type: 'asset', fileName: `${fileName}.map`, source: readFileSync(`${source}.map`, 'utf8') });
      }
    },
  };
};

/** Makes the packages of {@link BUNDLED} part of the output. */
const bundled = (name) => {
  const { resolve } = createRequire(fileOf(name, 'package.json'));
  return {
    name: 'bundled',
    resolveId: (id) => (BUNDLED.includes(id) ? resolve(id) : null),
    generateBundle(_options, files) {
      const used = new Set(Object.values(files).flatMap((file) => Object.keys(file.modules ?? {})));
      const folders = BUNDLED.flatMap((id) => [...used].filter((file) => file.includes(`/node_modules/${id}/`))).map(
        dirname,
      );
      if (folders.length === 0) return;
      const source = folders.map((folder) => {
        const { name: id, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
        return `${id} ${version} (${license})\n\n${readFileSync(`${folder}/license`, 'utf8').trim()}\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: source.join('\n---\n\n') });
    },
  };
};

/** Jest has no import() in CommonJS. */
const dynamicImports = {
  name: 'dynamic-imports',
  renderDynamicImport: ({ format }) => (format === 'cjs' ? { left: 'require(', right: ')' } : null),
};

/**
 * Both formats share one set of declarations, so their types are identical. The declarations count
 * as CommonJS, because every compiler lets an ES module import those. The entry points of the ES
 * modules re-export them.
 */
const declarations = (name, entries) => ({
  name: 'declarations',
  writeBundle({ format }) {
    if (format !== 'es') return;
    writeFileSync(fileOf(name, 'dist/types/package.json'), '{ "type": "commonjs" }\n');
    for (const entry of entries) {
      const file = fileOf(name, `dist/bundle/${entry}.d.ts`);
      const types = relative(dirname(file), fileOf(name, `dist/types/${entry}.js`)).replaceAll('\\', '/');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `export * from '${types}';\n`);
    }
  },
});

const output = (name, format, extension) => ({
  dir: fileOf(name, 'dist/bundle'),
  format,
  entryFileNames: `[name].${extension}`,
  chunkFileNames: `shared-[name].${extension}`,
  sourcemap: 'hidden',
  // Classes keep their names, by which Nest and our messages tell of them.
  generatedCode: { constBindings: true },
  ...(format === 'cjs' && { exports: 'named', esModule: true, interop: 'auto' }),
});

const build = (name, entries) => ({
  input: Object.fromEntries(entries.map((entry) => [entry, fileOf(name, `dist/${entry}.js`)])),
  // Any other package is the application's.
  external: (id) => !BUNDLED.includes(id) && !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id),
  plugins: [compiled, commonJs(name), bundled(name), dynamicImports, declarations(name, entries)],
  output: [output(name, 'es', 'js'), output(name, 'cjs', 'cjs')],
  onwarn(warning) {
    // The compiler's helpers ask for one that there may be already, which a module does not have.
    if (warning.code === 'THIS_IS_UNDEFINED') return;
    throw new Error(warning.message);
  },
});

/** `--configLib core` builds that package. */
export default ({ configLib }) => {
  const { entries, commands } = ROOMS.find(({ folder }) => folder === configLib);
  return build(configLib, [...entries.map(({ source }) => source), ...commands]);
};
