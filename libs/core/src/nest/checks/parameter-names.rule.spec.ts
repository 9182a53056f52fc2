import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { ToolParam } from '@nestor-ai/schema';
import { Tool } from '../../tool/declaration/tool.decorator.js';
import { AiModule } from '../ai.module.js';

/**
 * A class as a minifier leaves it, with its class name kept. `method` is the source of its method.
 */
function minified(name: string, method: string, ...parameters: readonly unknown[]): Type<object> {
  // eslint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call
  const type = new Function(`return class ${name}{${method}}`)() as Type<object>;
  const key = method.slice(0, method.indexOf('('));
  const target = type.prototype as object;
  Reflect.defineMetadata('design:paramtypes', parameters, target, key);
  Tool()(target, key, Object.getOwnPropertyDescriptor(target, key)!);
  return type;
}

const Prices = minified('Prices', 'price(t,e){return t+e}', String, Number);

class Points {
  @Tool() distance(x: number, y: number): number {
    return Math.hypot(x, y);
  }
}

describe('checkParameterNames()', () => {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function start(...providers: readonly Type<object>[]): Promise<readonly string[]> {
    const imports = [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })];
    const module = await Test.createTestingModule({ imports, providers: [...providers] }).compile();
    await module.init();
    await module.close();
    return warnings;
  }

  it('warns about a minified method and names the remedies', async () => {
    expect(await start(Prices)).toEqual([
      "Parameter 't' of Prices.price() has a minified name, which tells the model nothing. Name the parameter with " +
        "@ToolParam({ name: '…' }), or configure the minifier to keep parameter names.",
    ]);
  });

  it('warns once per application', async () => {
    const Stock = minified('Stock', 'stock(t){return t}', String);
    expect(await start(Prices, Stock)).toEqual([
      expect.stringMatching(/^Parameter 't' of Prices\.price\(\), and of 1 more tool, has/),
    ]);
  });

  it('accepts parameters that a developer called x and y', async () => {
    expect(await start(Points)).toEqual([]);
  });

  it('accepts a one-letter name from @ToolParam()', async () => {
    const Axes = minified('Axes', 'move(t){return t}', Number);
    ToolParam({ name: 't', description: 'The time' })(Axes.prototype as object, 'move', 0);
    expect(await start(Axes)).toEqual([]);
  });

  it('warns if the name of the class is minified, whatever its methods look like', async () => {
    const Short = minified('a', 'price(t) { return t }', String);
    expect(await start(Short)).toEqual([expect.stringMatching(/^Parameter 't' of a\.price\(\) has a minified name/)]);
  });
});
