import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, type ModuleMetadata } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { ChatMemory } from '../../memory/chat-memory.js';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Tool } from '../../tool/declaration/tool.decorator.js';
import { AiModule } from '../ai.module.js';
import { AiApplication } from './ai-application.js';
import { BOOTSTRAP_RULES, BOOTSTRAP_WARNINGS, type BootstrapRule } from './bootstrap-rules.js';

@Injectable()
class Tools {
  @Tool({ name: 'with space' }) odd(): string {
    return 'odd';
  }
}

type Options = Parameters<typeof AiModule.forRoot>[0];

const testing = (options: Options, metadata: ModuleMetadata = {}) =>
  Test.createTestingModule({
    ...metadata,
    imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]), ...options }), ...(metadata.imports ?? [])],
  }).compile();

const MISPLACED = { provide: ChatMemory, useValue: {} };
const SLIPS: Options = {
  include: [class Elsewhere {}],
  properties: {
    clients: { suport: { toolCalling: { maxRounds: 3 } } },
    tools: { observations: { includeContent: true }, overrides: { gone: { timeout: 5 } } },
  },
};

describe('the bootstrap rules', () => {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are all listed exactly once', async () => {
    const files = readdirSync(dirname(fileURLToPath(import.meta.url))).filter((name) => name.endsWith('.rule.ts'));
    const modules = await Promise.all(
      files.map((name) => import(`./${name.replace(/ts$/, 'js')}`) as Promise<Record<string, BootstrapRule>>),
    );
    const named = (rules: readonly BootstrapRule[]) => rules.map(({ name }) => name).toSorted();
    expect(named([...BOOTSTRAP_RULES, ...BOOTSTRAP_WARNINGS])).toEqual(named(modules.flatMap(Object.values)));
  });

  it('find no problem in a correct application', async () => {
    const module = await testing({}, { providers: [Tools] });
    await module.init();
    const application = module.get(AiApplication, { strict: false });
    expect(BOOTSTRAP_RULES.flatMap((rule) => rule(application))).toEqual([]);
    await module.close();
  });

  it('log each warning once after the application has started', async () => {
    const module = await testing(SLIPS, { providers: [Tools, MISPLACED] });
    await module.init();
    expect(warnings).toEqual([
      expect.stringMatching(/^The tool name 'with space' \(Tools\.odd\(\)\) may be refused/),
      expect.stringMatching(/^ai\.tools\.overrides\.gone has no effect: the tool does not exist/),
      expect.stringMatching(/^The include option of AiModule names Elsewhere/),
      expect.stringMatching(/^ai\.clients\.suport is for a client that does not exist\. There are no named clients/),
      expect.stringMatching(/^ChatMemory is provided in RootTestModule, where AiModule does not use it/),
      expect.stringMatching(/^ai\.tools\.observations\.include-content is true/),
    ]);
    await module.close();
  });

  it('name what was written, in code and in a variable', async () => {
    process.env['AI_TOOLS_OVERRIDES_GONE_ENABLED'] = 'false';
    const tools = { limits: { excludedTools: ['FOO'] }, overrides: { 天気: { enabled: false } } };
    const module = await testing(
      { properties: { tools } },
      { providers: [Tools], imports: [ConfigModule.forRoot({ isGlobal: true })] },
    );
    await module.init();
    delete process.env['AI_TOOLS_OVERRIDES_GONE_ENABLED'];
    expect(warnings.map((text) => text.split(' has no effect')[0])).toEqual(
      expect.arrayContaining([
        'ai.tools.overrides.天気',
        'AI_TOOLS_OVERRIDES_GONE',
        'ai.tools.limits.excluded-tools.FOO',
      ]),
    );
    await module.close();
  });

  it('log no warnings if the application does not start', async () => {
    const properties = { ...SLIPS.properties, tools: { concurrency: 0 } };
    const module = await testing({ ...SLIPS, properties }, { providers: [Tools, MISPLACED] });
    await expect(module.init()).rejects.toThrow(/ai\.tools\.concurrency is 0/);
    expect(warnings).toEqual([]);
  });
});
