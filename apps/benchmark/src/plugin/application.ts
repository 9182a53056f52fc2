/* The application that is built: tools as applications have them, in files of their own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const CLASSES = 60;
const METHODS = 5;

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'ES2023',
    strict: true,
    declaration: true,
    sourceMap: true,
    incremental: true,
    isolatedModules: true,
    emitDecoratorMetadata: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

/** A folder with an application, until `remove` is called. */
export class GeneratedApplication {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'nestor-build-')));

  /** @param sources the files of `src` by name; by default those of 300 tools */
  constructor(sources: Readonly<Record<string, string>> = tools300()) {
    symlinkSync(MODULES, join(this.folder, 'node_modules'), 'junction');
    mkdirSync(join(this.folder, 'src'));
    this.write('package.json', JSON.stringify({ name: 'application', type: 'module' }));
    this.write('tsconfig.json', JSON.stringify(TSCONFIG));
    for (const [name, text] of Object.entries(sources)) this.write(`src/${name}`, text);
  }

  /** Configures whether the build uses the plugin. */
  configure(withPlugin: boolean): void {
    const plugins = withPlugin ? ['@nestor-ai/compiler'] : [];
    const compilerOptions = { deleteOutDir: true, tsConfigPath: 'tsconfig.json', plugins };
    this.write('nest-cli.json', JSON.stringify({ sourceRoot: 'src', compilerOptions }));
  }

  /** Changes a file that tools use. */
  change(round: number): void {
    this.write('src/options-7.ts', `${optionsOf(7)}\nexport type Round = ${round};\n`);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function tools300(): Readonly<Record<string, string>> {
  const indices = Array.from({ length: CLASSES }, (_, index) => index);
  const imports = indices.map((index) => `import { Finder${index} } from './finder-${index}.tools.js';`);
  return {
    ...Object.fromEntries(
      indices.flatMap((index) => [
        [`options-${index}.ts`, optionsOf(index)],
        [`place-${index}.dto.ts`, dtoOf(index)],
        [`finder-${index}.tools.ts`, toolsOf(index)],
      ]),
    ),
    'main.ts': `import { Module } from '@nestjs/common';\nimport { NestFactory } from '@nestjs/core';\n${imports.join('\n')}
@Module({ providers: [${indices.map((index) => `Finder${index}`).join(', ')}] })
export class AppModule {}
void NestFactory.createApplicationContext(AppModule);`,
  };
}

const optionsOf = (index: number): string => `
export type Order${index} = 'nearest' | 'cheapest' | 'best';
export interface Filter${index} { kind: 'stars'; least: number; tags: string[] }
export interface Options${index} {
  /** How many results there are at most. @minimum 1 */
  limit?: number;
  order?: Order${index};
  filters: (Filter${index} | { kind: 'name'; text: string })[];
  near?: { latitude: number; longitude: number };
  since?: Date;
}`;

const dtoOf = (index: number): string => `
import { IsInt, IsOptional, IsString } from 'class-validator';
export class Place${index} {
  /** The name of the place. */
  @IsString() name!: string;
  @IsOptional() @IsInt() stars?: number;
}`;

const toolsOf = (index: number): string => `
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import type { Options${index} } from './options-${index}.js';
import { Place${index} } from './place-${index}.dto.js';

@Injectable()
export class Finder${index} {
${Array.from({ length: METHODS - 1 }, (_, method) => methodOf(index, method)).join('\n')}
  /** Books a place. */
  @Tool()
  book${index}(place: Place${index}): string {
    return place.name;
  }
}`;

const methodOf = (index: number, method: number): string => `
  /**
   * Finds places of a kind in a city.
   *
   * @param city the name of the city
   */
  @Tool()
  find${index}x${method}(city: string, unit?: 'km' | 'miles', options?: Options${index}): { found: string[] } {
    return { found: [city, unit ?? '', String(options?.limit)] };
  }`;
