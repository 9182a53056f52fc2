/*
 * One file for each entry point: a process that starts loads a file instead of hundreds, which takes a third of the time. What the
 * compiler has made is its input, and the declarations stay as they are; source maps lead to the TypeScript.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  core: ['index', 'testing/index', 'event-emitter/index'],
  'ai-sdk': ['index'],
  'tool-search': ['index'],
};

const fileOf = (name, path) => fileURLToPath(new URL(`./${name}/dist/${path}`, import.meta.url));

/** Follows the source maps of the compiler. */
const compiled = {
  name: 'compiled',
  load(id) {
    if (!existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

export default Object.entries(PACKAGES).map(([name, entries]) => ({
  input: Object.fromEntries(entries.map((entry) => [entry, fileOf(name, `${entry}.js`)])),
  // Whatever is a package is the application's.
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id),
  plugins: [compiled],
  output: {
    dir: fileOf(name, 'bundle'),
    chunkFileNames: 'shared-[name].js',
    sourcemap: true,
    // Classes keep their names, by which Nest and our messages tell of them.
    generatedCode: { constBindings: true },
  },
  onwarn(warning) {
    // The compiler's helpers ask for one that there may be already, which a module does not have.
    if (warning.code === 'THIS_IS_UNDEFINED') return;
    throw new Error(warning.message);
  },
}));
