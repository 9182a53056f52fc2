import { describe, expect, it } from '@jest/globals';
import { Injectable, type Type, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type OverrideBy, Test, type TestingModuleBuilder } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { ModuleMocker } from 'jest-mock';
import { callOf } from './application.js';

const scripted = (name: string) => new ScriptedChatModel(callOf(name));
const testing = (providers: Type[], chatModel = new ScriptedChatModel(['Hi']), properties: object = {}) =>
  Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel, properties })], providers });

class Deny {
  canActivate() {
    return false;
  }
}
@Injectable()
class Weather {
  @Tool() temperature() {
    return 'real';
  }
  @UseGuards(Deny) @Tool() forecast() {
    return 'real';
  }
}

describe('overrideProvider() of a class with tools', () => {
  const ask = async (tool: string, override: (by: OverrideBy) => TestingModuleBuilder) => {
    const model = scripted(tool);
    const module = await override(testing([Weather], model).overrideProvider(Weather)).compile();
    await module.init();
    await module.get(ChatClient).prompt('Go').call().content();
    return model.toolResponses[0];
  };
  const fake = { temperature: () => 'fake', forecast: () => 'fake' };
  class Fake {
    temperature() {
      return 'fake';
    }
  }

  it('has the tool call what stands in its place: a plain object, what a factory makes, another class', async () => {
    expect(await ask('temperature', (by) => by.useValue(fake))).toBe('fake');
    expect(await ask('temperature', (by) => by.useFactory({ factory: () => fake }))).toBe('fake');
    expect(await ask('temperature', (by) => by.useClass(Fake))).toBe('fake');
  });

  it('keeps the guards of the tool', async () => {
    expect(await ask('forecast', (by) => by.useValue(fake))).toBe('Forbidden resource');
  });

  it('leaves out tools that the other does not have', async () => {
    expect(await ask('forecast', (by) => by.useClass(Fake))).toMatch(/Unknown tool 'forecast'.*temperature/);
  });
});

describe('useMocker()', () => {
  it.each([
    [
      'as in the documentation of Nest',
      (token: unknown) => {
        const mocker = new ModuleMocker(globalThis as never);
        const metadata = typeof token === 'function' && mocker.getMetadata(token);
        return metadata ? new (mocker.generateFromMetadata(metadata as never) as new () => object)() : undefined;
      },
    ],
    ['of empty objects', () => ({})],
    [
      'that have every method, and return such mocks',
      function mock(): object {
        const get = (_: object, name: string | symbol) =>
          name === 'then' || name === Symbol.toPrimitive ? undefined : mock();
        return new Proxy(() => mock(), { get });
      },
    ],
  ])('makes up what the application lacks, and nothing that AiModule could take for real: %s', async (_name, mock) => {
    abstract class Missing {
      abstract find(): string;
    }
    @Injectable()
    class Tools {
      constructor(readonly missing: Missing) {}
      @Tool() work() {
        return 'worked';
      }
    }
    const model = scripted('work');
    const module = await testing([Tools], model).useMocker(mock).compile();
    await module.init();
    await module.get(ChatClient).prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['worked']);
  });
});

describe('a testing module that was compiled, but not initialised', () => {
  it('tells of mistakes when something is asked', async () => {
    @Injectable()
    class Broken {
      @Tool() find(_names: string[]) {
        return 1;
      }
    }
    const module = await testing([Broken], undefined, { tools: { concurrency: 0 } }).compile();
    const asked = module.get(ChatClient).prompt('Go').call().content();
    await expect(asked).rejects.toMatchObject({ name: 'AiBootstrapException', problems: { length: 2 } });
    await expect(asked).rejects.toThrow(/ai\.tools\.concurrency is 0[^]*Broken\.find/);
  });

  it('has all tools, although somebody has looked for them too early', async () => {
    class Late {
      @Tool() late() {
        return 1;
      }
    }
    @Injectable()
    class Impatient {
      constructor(registry: ToolRegistry) {
        registry.list();
      }
    }
    const late = { provide: 'late', useFactory: async () => new Promise((done) => setTimeout(done, 5, new Late())) };
    const module = await testing([Impatient, late as never]).compile();
    const names = module
      .get(ToolRegistry)
      .list()
      .map(({ name }) => name);
    expect(names).toEqual(['late']);
  });
});

describe('an application whose providers are observed through proxies', () => {
  it('works all the same', async () => {
    const instanceDecorator = (instance: unknown): unknown => {
      if (typeof instance !== 'object' || instance === null) return instance;
      return new Proxy(instance, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value;
        },
      });
    };
    const model = scripted('temperature');
    const root = {
      module: class AppModule {},
      imports: [AiModule.forRoot({ chatModel: model })],
      providers: [Weather],
    };
    const app = await NestFactory.createApplicationContext(root, { logger: false, instrument: { instanceDecorator } });
    await app.get(ChatClient).prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['real']);
    await app.close();
  });
});
