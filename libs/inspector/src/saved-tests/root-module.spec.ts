import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { TestedModule } from '../inspector.options.js';
import { findRootModule } from './root-module.js';

@Module({})
class AiInspectorModule {}

@Module({ imports: [AiInspectorModule] })
class ShopModule {}

@Module({ imports: [ShopModule] })
class Unexported {}

let folder: string;
const { argv } = process;
const home = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
  process.chdir(folder);
});
afterEach(() => {
  process.argv = argv;
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function found(root: Type): Promise<TestedModule> {
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  const module = await findRootModule(app.get(ModulesContainer), 'test/turns');
  await app.close();
  return module;
}

describe('the root module of an application', () => {
  it('is found in the sources, and imported as the project imports', async () => {
    write({
      'src/shop.module.ts': "import { A } from './a';\nexport class ShopModule {}",
      'src/shop.module.spec.ts': 'export class ShopModule {}',
      'dist/shop.module.ts': 'export class ShopModule {}',
      'node_modules/shop/shop.module.ts': 'export class ShopModule {}',
      'src/other.ts': 'export class ShopModuleFactory {}',
    });
    expect(await found(ShopModule)).toEqual({ name: 'ShopModule', from: '../../src/shop.module' });
    write({ 'src/shop.module.ts': "import { A } from './a.js';\nexport class ShopModule {}" });
    expect(await found(ShopModule)).toEqual({ name: 'ShopModule', from: '../../src/shop.module.js' });
  });

  it('is the one next to the script that runs, if several have its name', async () => {
    write({
      'apps/admin/src/shop.module.ts': 'export class ShopModule {}',
      'apps/shop/src/shop.module.ts': 'export class ShopModule {}',
    });
    process.argv = [argv[0]!, join(folder, 'apps/shop/src/main.ts')];
    expect(await found(ShopModule)).toMatchObject({ from: '../../apps/shop/src/shop.module' });
    process.argv = [argv[0]!, join(folder, 'apps/admin/src/main.ts')];
    expect(await found(ShopModule)).toMatchObject({ from: '../../apps/admin/src/shop.module' });
  });

  it('may be the module with the inspector, if main.ts makes another one around it', async () => {
    write({ 'src/shop.ts': 'export class ShopModule {}' });
    expect(await found(Unexported)).toEqual({ name: 'ShopModule', from: '../../src/shop' });
  });

  it.each(['App$Module', 'Modulé'])('may be called %s', async (name) => {
    const root = { [name]: class {} }[name]!;
    Module({})(root);
    write({ 'src/app.module.ts': `export class ${name}Other {}\nexport class ${name} {}` });
    expect(await found(root)).toEqual({ name, from: '../../src/app.module' });
    write({ 'src/app.module.ts': `export class ${name}Étage {}` });
    expect(await found(root)).toMatchObject({ from: '' });
  });

  it('has no import if no file exports it', async () => {
    write({ 'src/shop.module.ts': 'class ShopModule {}' });
    expect(await found(ShopModule)).toEqual({ name: 'ShopModule', from: '' });
  });
});
