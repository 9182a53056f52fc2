/*
 * The packed packages with Nest 11, installed into a temporary folder as in an application. Run after `npm run build:libs`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nestor-nest-11-'));
const npm = (...args) =>
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

try {
  const packed = ['core', 'ai-sdk', 'tool-search'].map((lib) => {
    const [made] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--silent', join(root, 'libs', lib)));
    return `./${made.filename}`;
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nest-11', private: true, type: 'module' }));
  npm(
    'install',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...packed,
    ...['common', 'core', 'testing', 'platform-express'].map((name) => `@nestjs/${name}@^11`),
    '@nestjs/config@^4',
    '@ai-sdk/openai@^3',
    'class-transformer@^0.5.1',
    'class-validator@^0.14.2',
    'reflect-metadata@^0.2.2',
    'rxjs@^7.8.2',
  );
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/@nestjs/core/package.json'), 'utf8'));
  console.log(`Nest ${version}`);
  const { outputText } = ts.transpileModule(readFileSync(new URL('nest-11/application.ts', import.meta.url), 'utf8'), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  writeFileSync(join(folder, 'application.mjs'), outputText);
  execFileSync(process.execPath, ['application.mjs'], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
