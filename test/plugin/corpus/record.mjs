// Records what ts-json-schema-generator says of the types of this folder, in expected.json:
//   node test/plugin/corpus/record.mjs
// The generator needs Node.js 22. Both are installed into the cache of this repository.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, nodeFolder } from '../../node-binaries.mjs';

const VERSION = '2.4.0';
const FOLDER = import.meta.dirname;
const EXPECTED = join(FOLDER, 'expected.json');
const TYPE = /^export (?:abstract )?(?:const )?(?:type|interface|class|enum) (\w+)(?!<)\b/gm;

if (process.argv[2] === '--recorder') record(process.argv[3]);
else {
  const name = `ts-json-schema-generator-${VERSION}`;
  const packages = [`ts-json-schema-generator@${VERSION}`, '@types/node@20', 'undici-types@6'];
  const prefix = installed(name, join('node_modules', 'ts-json-schema-generator', 'package.json'), packages);
  const self = fileURLToPath(import.meta.url);
  execFileSync(join(nodeFolder(24), 'node'), [self, '--recorder', prefix], { stdio: 'inherit' });
  execFileSync('npx', ['prettier', '--log-level', 'warn', '--write', EXPECTED], { stdio: 'inherit' });
}

function record(prefix) {
  const { createGenerator } = createRequire(join(prefix, 'package.json'))('ts-json-schema-generator');
  const tsconfig = join(prefix, 'tsconfig.json');
  const typeRoots = [join(prefix, 'node_modules', '@types')];
  const options = { target: 'ES2022', module: 'node16', strict: true, types: ['node'], typeRoots, noEmit: true };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: options }));

  const recorded = {};
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))) {
    const path = join(FOLDER, file);
    const generator = createGenerator({ path, tsconfig, skipTypeCheck: true });
    recorded[file] = {};
    for (const name of namesIn(readFileSync(path, 'utf8'))) {
      recorded[file][name] = schemaOf(generator, name);
    }
  }
  writeFileSync(EXPECTED, `${JSON.stringify(recorded, sorted, 2)}\n`);
}

/** The exported types of a file, without those that have type parameters. */
function namesIn(text) {
  return [...text.matchAll(TYPE)].map(([, name]) => name);
}

function schemaOf(generator, name) {
  try {
    const { $schema: _dialect, ...schema } = generator.createSchema(name);
    return schema;
  } catch (error) {
    return { error: error.message.split('\n')[0] };
  }
}

/** Sorts the keys of objects, so that two recordings are the same. */
function sorted(_key, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
