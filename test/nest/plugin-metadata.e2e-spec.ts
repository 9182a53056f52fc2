import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  type PluginMetadata,
  Tool,
  ToolCallResultConverter,
  ToolContext,
  ToolParam,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { IsArray } from 'class-validator';
import { askForResult, bootstrapError, callOf, startApplication } from './application.js';

/** An interface has no class at run time. */
interface SearchOptions {
  readonly before?: Date;
  readonly sites?: URL[];
}

class Place {
  @IsArray() tags!: string[];
}

// A class of its own for each application: types remain attached to a class.
function application() {
  @Injectable()
  class Finder {
    given: unknown[] = [];

    @Tool() find(...input: [unknown, unknown?, unknown?]) {
      return input;
    }
    @Tool({ description: 'Saves a place' }) save(place: Place) {
      this.given.push(place);
      return { saved: place.tags.length };
    }
  }
  class Search extends Finder {
    @Tool() override find(
      city: string,
      @ToolParam({ description: 'The unit of temperatures' }) unit?: string,
      options: SearchOptions = {},
      context?: ToolContext,
    ): [string, (string | undefined)?, SearchOptions?] {
      this.given.push(city, unit, options, context);
      return [city, unit];
    }
  }
  return { Finder, Search };
}

const DATE = { type: 'string', format: 'date-time' };
const SOURCES = { 'src/no-such-file.ts': '0123456789ab' };

const metadataOf =
  (file: object, more: object = {}): PluginMetadata =>
  async () => {
    const t = { './place.dto.js': await Promise.resolve({ Place }) };
    const find = {
      description: 'Finds what happens in a city.',
      parameters: [
        { name: 'city', required: true, schema: { type: 'string', description: 'Where' }, description: 'Where' },
        { name: 'unit', required: false, schema: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
        {
          name: 'options',
          required: false,
          schema: {
            type: 'object',
            properties: { before: DATE, sites: { type: 'array', items: { type: 'string', format: 'uri' } } },
            additionalProperties: false,
            default: {},
          },
          revive: { object: { before: 'date', sites: { array: 'url' } } },
        },
        { name: 'context', required: false, isInjected: true },
      ],
    };
    return {
      '@nestor-ai/core': {
        tools: [
          [
            Promise.resolve(file),
            {
              Finder: {
                version: 1,
                sources: SOURCES,
                methods: { save: { parameters: [{ name: 'place', required: true, schema: { $ref: 'class:0' } }] } },
                classes: [() => t['./place.dto.js'].Place],
              },
              Search: { version: 1, sources: SOURCES, methods: { find } },
              ...more,
            },
          ],
          [
            Promise.resolve({ Place }),
            {
              Place: {
                version: 1,
                sources: SOURCES,
                properties: { tags: { description: 'Words', schema: { type: 'array', items: { type: 'string' } } } },
              },
            },
          ],
        ],
      },
    };
  };

describe('an application with pluginMetadata', () => {
  it('offers its tools with the types of the code, and converts what the model passes', async () => {
    const { Finder, Search } = application();
    const input = { city: 'Rome', options: { before: '2030-01-01', sites: ['https://example.com'] } };
    const scene = await startApplication({ providers: [Search] }, callOf('find', input), {
      pluginMetadata: metadataOf({ Finder, Search }),
    });
    const { description, inputSchema } = scene.app.get(ToolRegistry).get('find')!.callback.toolDefinition;
    expect(description).toBe('Finds what happens in a city.');
    expect(inputSchema).toMatchObject({
      required: ['city'],
      properties: {
        city: { description: 'Where' },
        unit: { enum: ['celsius', 'fahrenheit'], description: 'The unit of temperatures' },
        options: { additionalProperties: false },
      },
    });
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['city', 'unit', 'options']);
    await askForResult(scene);
    expect(scene.app.get(Search).given).toEqual([
      'Rome',
      undefined,
      { before: new Date('2030-01-01'), sites: [new URL('https://example.com')] },
      expect.any(ToolContext),
    ]);
  });

  it('says where each part of a tool comes from', async () => {
    const { Finder, Search } = application();
    const { app } = await startApplication({ providers: [Search] }, [], {
      pluginMetadata: metadataOf({ Finder, Search }),
      properties: { tools: { overrides: { save: { description: 'Keeps a place' } } } },
    } as never);
    const registry = app.get(ToolRegistry);
    expect(registry.get('find')?.inputSources).toEqual({
      description: 'types',
      parameters: { city: 'types', unit: 'types', options: 'types' },
    });
    expect(registry.get('save')?.inputSources).toEqual({ description: 'configuration', input: 'class' });
    expect(registry.get('save')?.callback.toolDefinition.inputSchema).toMatchObject({
      properties: { tags: { items: { type: 'string' }, description: 'Words' } },
    });
  });

  it('takes it from the factory of forRootAsync(), and works if it is only compiled', async () => {
    const { Finder, Search } = application();
    const pluginMetadata = metadataOf({ Finder, Search });
    const module = await Test.createTestingModule({
      imports: [
        AiModule.forRootAsync({ useFactory: async () => ({ chatModel: new ScriptedChatModel([]), pluginMetadata }) }),
      ],
      providers: [Search],
    }).compile();
    expect(module.get(ToolRegistry).names).toContain('find');
    expect(module.get(ToolRegistry).get('find')?.description).toBe('Finds what happens in a city.');
    await module.close();
  });

  it('may import AiModule.forRoot() several times', async () => {
    const { Finder, Search } = application();
    @Module({ imports: [AiModule.forRoot({ pluginMetadata: metadataOf({ Finder, Search }) })] })
    class Other {}
    const { app } = await startApplication({ imports: [Other], providers: [Search] }, [], {
      pluginMetadata: metadataOf({ Finder, Search }),
    });
    expect(app.get(ToolRegistry).get('find')?.description).toBe('Finds what happens in a city.');
    const again = application();
    @Module({ imports: [AiModule.forRoot()] })
    class Second {}
    const { app: second } = await startApplication({ imports: [Second], providers: [again.Search] }, [], {
      pluginMetadata: metadataOf(again),
    });
    expect(second.get(ChatClient)).toBeDefined();
  });

  it('runs guards with the converted arguments', async () => {
    const seen: unknown[] = [];
    class Guard {
      canActivate() {
        seen.push('guard');
        return true;
      }
    }
    @Injectable()
    class Guarded {
      @UseGuards(Guard) @Tool() at(day: unknown) {
        seen.push(day);
      }
    }
    const types = {
      version: 1,
      sources: {},
      methods: { at: { parameters: [{ name: 'day', required: true, schema: DATE, revive: 'date' }] } },
    };
    const scene = await startApplication({ providers: [Guarded] }, callOf('at', { day: '2030-01-01T00:00:00Z' }), {
      pluginMetadata: async () => ({ '@nestor-ai/core': { tools: [[{ Guarded }, { Guarded: types }]] } }),
    });
    await askForResult(scene);
    expect(seen).toEqual(['guard', new Date('2030-01-01')]);
  });
});

describe('the result of a tool with types', () => {
  const output = { type: 'object', properties: { saved: { type: 'number' } }, required: ['saved'] };
  class Hiding extends ToolCallResultConverter {
    convert() {
      return 'saved';
    }
  }
  it.each([
    ['is declared', [], output],
    [
      'is not declared if a converter of the application may hide parts of it',
      [{ provide: ToolCallResultConverter, useClass: Hiding }],
      undefined,
    ],
  ])('%s', async (_what, providers, expected) => {
    @Injectable()
    class Saver {
      @Tool() save() {
        return { saved: 1 };
      }
    }
    const types = { version: 1, sources: {}, methods: { save: { parameters: [], output } } };
    const { app } = await startApplication({ providers: [Saver] }, [], {
      providers,
      pluginMetadata: async () => ({ '@nestor-ai/core': { tools: [[{ Saver }, { Saver: types }]] } }),
    });
    expect(app.get(ToolRegistry).get('save')?.callback.toolDefinition.outputSchema).toEqual(expected);
  });
});

describe('an application whose metadata cannot be used', () => {
  it('does not start, and names all problems at once', async () => {
    const { Finder, Search } = application();
    @Injectable()
    class Untyped {
      @Tool() list(_items: string[]) {}
    }
    const gone = { Gone: { version: 1, sources: {} } };
    const { message } = await bootstrapError(
      { providers: [Search, Untyped] },
      { pluginMetadata: metadataOf({ Finder, Search }, gone) },
    );
    expect(message).toMatch(/^2 problems/);
    expect(message).toMatch(/class Gone, but its file does not export/);
    expect(message).toMatch(/Untyped has no types: it was not built with the compiler plugin, unlike other classes/);
  });

  it('does not start if metadata is older than the code', async () => {
    const { Finder, Search } = application();
    const old = {
      Search: {
        version: 1,
        sources: {},
        methods: { find: { parameters: [{ name: 'city', required: true, schema: { type: 'string' } }] } },
      },
    };
    const { message } = await bootstrapError(
      { providers: [Search] },
      { pluginMetadata: metadataOf({ Finder, Search }, old) },
    );
    expect(message).toMatch(/Search\.find\(\) has 4 parameters, but its types have 1.*Build again/);
  });

  it('does not start if parameters have changed places since the metadata was written', async () => {
    @Injectable()
    class Mover {
      @Tool() move(source: string, target: string) {
        return `${source} → ${target}`;
      }
    }
    const text = (name: string) => ({ name, required: true, schema: { type: 'string' } });
    const pluginMetadata = (...names: string[]) =>
      metadataOf({ Mover }, { Mover: { version: 1, sources: {}, methods: { move: { parameters: names.map(text) } } } });
    const { message } = await bootstrapError(
      { providers: [Mover] },
      { pluginMetadata: pluginMetadata('target', 'source') },
    );
    expect(message).toMatch(/Mover\.move\(\) has 'source' as parameter 1, but its types have 'target': they are older/);
  });

  it('does not start with the module instead of its default export', async () => {
    const { message } = await bootstrapError({}, { pluginMetadata: { default: async () => ({}) } as never });
    expect(message).toMatch(/pluginMetadata is the module/);
  });

  it('hears of the compiler plugin if a type is unknown', async () => {
    @Injectable()
    class Untyped {
      @Tool() list(_items: string[]) {}
    }
    const { message } = await bootstrapError({ providers: [Untyped] });
    expect(message).toMatch(/type of its items is unknown.*guide "Types as schemas"/);
  });
});
