import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { ToolParam } from '@nestor-ai/schema';
import { Tool } from '../../tool/declaration/tool.decorator.js';
import { CLASS_TYPES } from '@nestor-ai/schema';
import { AiModule } from '../ai.module.js';
import type { PluginMetadata } from '../plugin-metadata/plugin-metadata.js';

class Finder {
  @Tool() find(city: string, unit: 'celsius' | 'fahrenheit'): string {
    return city + unit;
  }
}

class Compiled extends Finder {
  static [CLASS_TYPES]() {
    return { version: 1, sources: {} };
  }
}

class Unsayable {
  @Tool() find(cities: string[]): string[] {
    return cities;
  }
}

class Described {
  @Tool({ description: 'Finds a city.' }) find(@ToolParam({ description: 'Its name' }) city: string): string {
    return city;
  }
}

class NoTools {}

describe('checkPluginMetadata()', () => {
  const warnings: string[] = [];
  let folder: string;
  beforeEach(() => {
    warnings.length = 0;
    folder = mkdtempSync(join(tmpdir(), 'metadata-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(
      join(folder, 'src/metadata.ts'),
      'export default async () => ({ "@nestor-ai/core": { tools: [] } });',
    );
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    // In tests, it is an error: Nest hides warnings.
    jest.spyOn(Logger.prototype, 'error').mockImplementation((text) => void warnings.push(String(text)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  async function start(provider: Type<object>, pluginMetadata?: PluginMetadata): Promise<readonly string[]> {
    const options = { chatModel: new ScriptedChatModel([]), ...(pluginMetadata && { pluginMetadata }) };
    const imports = [AiModule.forRoot(options)];
    const module = await Test.createTestingModule({ imports, providers: [provider] }).compile();
    await module.init();
    await module.close();
    return warnings;
  }

  it('warns once about a metadata.ts that is not passed, and names what to write', async () => {
    expect(await start(Finder)).toEqual([
      'src/metadata.ts has the types and comments of your tools, but the application does not use them. Write ' +
        "import metadata from './metadata.js' (in CommonJS './metadata'), and pass it with " +
        'AiModule.forRoot({ pluginMetadata: metadata }).',
    ]);
  });

  it('says so together with the error about an unknown type', async () => {
    await expect(start(Unsayable)).rejects.toThrow(
      "Instead of all this, use your src/metadata.ts: import metadata from './metadata.js' (in CommonJS './metadata'), and pass it with",
    );
  });

  it.each<[string, Type<object>, PluginMetadata | undefined]>([
    ['it is passed', Finder, async () => ({ '@nestor-ai/core': { tools: [] } })],
    ['the compiler wrote the types into a class', Compiled, undefined],
    ['there are no tools', NoTools, undefined],
    ['decorators describe all of a tool in a test', Described, undefined],
  ])('is silent if %s', async (_case, provider, metadata) => {
    expect(await start(provider, metadata)).toEqual([]);
  });

  it('is silent without such a file', async () => {
    rmSync(join(folder, 'src/metadata.ts'));
    expect(await start(Finder)).toEqual([]);
  });

  it('names the command where nest-cli.json has the plugin, but it did not run', async () => {
    rmSync(join(folder, 'src/metadata.ts'));
    writeFileSync(join(folder, 'nest-cli.json'), '{ "compilerOptions": { "plugins": ["@nestor-ai/compiler"] } }');
    const remedy =
      'Vitest, Jest, rspack, .* do not run plugins of the Nest CLI. For them, run "npx nestor-schemas" of @nestor-ai/compiler \\(before tests';
    expect(await start(Finder)).toEqual([
      expect.stringMatching(`^nest-cli.json has the compiler plugin, but it did not build your tools.* ${remedy}`),
    ]);
    await expect(start(Unsayable)).rejects.toThrow(
      new RegExp(`nest-cli.json has the compiler plugin, but it did not build Unsayable. ${remedy}`),
    );
    expect(await start(Compiled)).toHaveLength(1);
  });

  it('does not advise to pass a metadata.ts that was passed', async () => {
    await expect(start(Unsayable, async () => ({ '@nestor-ai/core': { tools: [] } }))).rejects.toThrow(
      'Unsayable has no types in pluginMetadata. Build again. If you use nestor-schemas, run it again first.',
    );
  });
});
