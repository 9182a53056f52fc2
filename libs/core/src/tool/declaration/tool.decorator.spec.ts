import { describe, expect, it, jest } from '@jest/globals';
import { applyDecorators, Logger, SetMetadata } from '@nestjs/common';
import { ToolCallbacks } from '../tool-callbacks.js';
import { CLASS_TYPES } from '@nestor-ai/schema';
import { Tool } from './tool.decorator.js';

const toolOf = (object: object, name?: string) =>
  ToolCallbacks.from(object).find(({ toolDefinition }) => name === undefined || toolDefinition.name === name)!;

describe('a method as a tool', () => {
  const ReadOnlyTool = (description: string) =>
    applyDecorators(Tool({ description, metadata: { readOnly: true } }), SetMetadata('kind', 'read'));

  class Base {
    @Tool({ description: 'of the base' }) describe(_text: string): string {
      return 'base';
    }
  }
  class Tools extends Base {
    @ReadOnlyTool('Reads the clock') clock() {
      return this.now();
    }
    // @ts-expect-error only tools use it
    @Tool() private hidden() {
      return 'found';
    }
    @Tool() static version() {
      return '1.0';
    }
    override describe(text: string) {
      return `derived ${text}`;
    }
    private now() {
      return 'noon';
    }
  }

  it('may be declared with a custom decorator', async () => {
    const tool = toolOf(new Tools(), 'clock');
    expect(tool.toolDefinition.description).toBe('Reads the clock');
    expect(tool.toolMetadata).toEqual({ returnDirect: false, readOnly: true });
    expect(await tool.call('{}')).toBe('noon');
  });

  it('may be private, static, inherited, or override another tool', async () => {
    expect(await toolOf(new Tools(), 'hidden').call('{}')).toBe('found');
    expect(await toolOf(Tools, 'version').call('{}')).toBe('1.0');
    const described = ToolCallbacks.from(new Tools()).filter(
      ({ toolDefinition }) => toolDefinition.name === 'describe',
    );
    expect(described).toHaveLength(1);
    expect(described[0]!.toolDefinition.description).toBe('of the base');
    expect(await described[0]!.call('{"text":"x"}')).toBe('derived x');
  });

  it('is no function because of what TypeScript emits for a class that is imported as a type', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    class Finder {
      static [CLASS_TYPES]() {
        const methods = { find: { parameters: [] }, later: { parameters: [], returnsFunction: true } };
        return { version: 1, sources: {}, methods };
      }
      @Tool() @Reflect.metadata('design:returntype', Function) find() {
        return {};
      }
      @Tool() @Reflect.metadata('design:returntype', Function) later() {
        return () => 1;
      }
    }
    const names = ToolCallbacks.from(new Finder()).map(({ toolDefinition }) => toolDefinition.name);
    expect(names).toEqual(['find']);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('is left out with a warning when it returns a function', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    class Mixed {
      @Tool() later(): () => string {
        return () => 'x';
      }
      @Tool() fine(): unknown {
        return 1;
      }
    }
    class Only {
      @Tool() later(): () => string {
        return () => 'x';
      }
    }
    expect(ToolCallbacks.from(new Mixed()).map(({ toolDefinition }) => toolDefinition.name)).toEqual(['fine']);
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/^Mixed\.later\(\) returns a function, so it is not a tool/),
    );
    expect(() => ToolCallbacks.from(new Only())).toThrow(/No @Tool\(\) methods found in Only/);
    warn.mockRestore();
  });

  it('cannot be a property, an accessor or a symbol', () => {
    const declare = (descriptor: PropertyDescriptor | undefined, key: string | symbol = 'x') =>
      Tool()(class Host {}.prototype, key, descriptor as never);
    expect(() => declare(undefined)).toThrow(/@Tool\(\) needs a method, but Host\.x is a property or an accessor/);
    expect(() => declare({ get: () => 1 })).toThrow(/Host\.x is a property or an accessor/);
    expect(() => declare({ value: () => 1 }, Symbol('s'))).toThrow(/a method whose name is a string/);
  });
});
