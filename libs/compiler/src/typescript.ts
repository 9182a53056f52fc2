import { createRequire } from 'node:module';
import { join } from 'node:path';
import type tsModule from 'typescript';

/** The compiler's API. */
export type TypeScript = typeof tsModule;

/**
 * The application's own copy of TypeScript, the one that the Nest CLI uses.
 *
 * @throws Error if there is none, or if it is not a version from 5.5 to 6
 */
export function loadTypeScript(folder = process.cwd()): TypeScript {
  const require = createRequire(join(folder, 'package.json'));
  let ts: Partial<TypeScript>;
  try {
    ts = require('typescript') as Partial<TypeScript>;
  } catch (cause) {
    throw new Error('Nestor reads types with TypeScript, which is not installed: npm install --save-dev typescript', {
      cause,
    });
  }
  const [major = 0, minor = 0] = (ts.version ?? '').split('.').map(Number);
  if (typeof ts.createProgram === 'function' && (major > 5 || (major === 5 && minor >= 5))) return ts as TypeScript;
  throw new Error(
    `Nestor reads types with TypeScript 5.5 to 6, but found ${ts.version}. TypeScript 7 has no API for plugins yet. ` +
      'Install version 6: npm install --save-dev typescript@6',
  );
}
