import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ForbiddenException, Injectable, Logger, type Provider } from '@nestjs/common';
import { ContentRedactor, Tool, ToolParam } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';

@Injectable()
class Orders {
  @Tool({ description: 'Finds an order' })
  findOrder(id: number): object {
    return { id };
  }

  @Tool({ needsApproval: true, timeout: 500 })
  refund(@ToolParam({ description: 'which' }) id: number, reason: string): string {
    return `${id}: ${reason}`;
  }

  @Tool()
  failing(): never {
    throw new RangeError('a secret');
  }
}

interface Line {
  readonly level: string;
  readonly text: string;
  readonly params?: unknown;
}

const LEVELS = ['verbose', 'debug', 'log', 'warn', 'error'] as const;
let lines: Line[] = [];
beforeEach(() => {
  lines = [];
  for (const level of LEVELS) {
    jest.spyOn(Logger.prototype, level).mockImplementation((text: unknown, params?: unknown) => {
      lines.push({ level, text: String(text), params });
    });
  }
  jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const { NODE_ENV } = process.env;
afterEach(() => {
  process.env['NODE_ENV'] = NODE_ENV;
});

const of = (level: string): Line[] => lines.filter((line) => line.level === level);

describe('when the application starts', () => {
  test('there is one line for each tool, for whoever reads lines of the level debug', async () => {
    await startApplication({ providers: [Orders] });
    // Nest 11 prints parameters as lines of their own.
    expect(of('debug')).toContainEqual({
      level: 'debug',
      text: "Tool 'findOrder' is Orders.findOrder() of RootTestModule",
      params: undefined,
    });
    expect(of('debug').filter(({ text }) => text.startsWith('Tool '))).toHaveLength(3);
    expect(of('log').filter(({ text }) => text.includes('findOrder'))).toEqual([]);
  });

  test('there is a line about the tools whose name is all that the model knows', async () => {
    await startApplication({ providers: [Orders] });
    const undescribed = () => of('log').filter(({ text }) => text.includes('description'));
    expect(undescribed().map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Tools without a description: refund, failing\. .*@Tool\(\{ description/),
    ]);
    lines = [];
    const overrides = { refund: { description: 'Pays money back' }, failing: { enabled: false } };
    await startApplication({ providers: [Orders] }, [], { properties: { tools: { overrides } } });
    expect(undescribed()).toEqual([]);
  });
});

describe('while it runs', () => {
  test.each([
    [undefined, 1],
    [['error'], 0],
  ])(
    'a failed call is logged with the levels %j, also by Nest 11, which takes none for all switched off',
    async (levels, count) => {
      jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(false);
      const { client } = await startApplication({ providers: [Orders] }, [
        { toolCalls: [toolCall('failing', {})] },
        'done',
      ]);
      const { logLevels, staticInstanceRef } = Logger as unknown as Record<string, unknown>;
      Object.assign(Logger, { logLevels: levels, staticInstanceRef: {} });
      await client.prompt('Hello').call().content();
      Object.assign(Logger, { logLevels, staticInstanceRef });
      expect(of('warn')).toHaveLength(count);
    },
  );

  test('each call is logged: failures as a warning with their place, refused arguments for debugging, answers as verbose', async () => {
    const { client } = await startApplication({ providers: [Orders] }, [
      {
        toolCalls: [
          toolCall('findOrder', { id: 7 }, 'a'),
          toolCall('failing', {}, 'b'),
          toolCall('findOrder', {}, 'c'),
          toolCall('fly', {}, 'd'),
        ],
      },
      'done',
    ]);
    lines = [];

    await client.prompt('Hello').call().content();

    expect(of('verbose')).toEqual([
      {
        level: 'verbose',
        text: "The tool 'findOrder' answered",
        params: { tool: 'findOrder', callId: 'a' },
      },
    ]);
    expect(of('debug')).toEqual([
      {
        level: 'debug',
        text: "The tool 'findOrder' got arguments that do not fit",
        params: { tool: 'findOrder', callId: 'c', outcome: 'invalid_arguments', errorType: 'ToolInputException' },
      },
    ]);
    const [unknown, failing, ...others] = of('warn');
    expect(others).toEqual([]);
    expect(unknown).toEqual({
      level: 'warn',
      text: 'The model asked for an unknown tool and was told which tools there are',
      params: { tool: '_OTHER', callId: 'd', outcome: 'unknown_tool' },
    });
    expect(failing!.text).toMatch(
      /^The tool 'failing' failed with RangeError at (?:Orders\.)?failing \(.*logs\.e2e-spec/,
    );
    expect(failing!.params).toEqual({ tool: 'failing', callId: 'b', outcome: 'error', errorType: 'RangeError' });
  });
});

test.each([
  ['development', "The tool 'findOrders' is unknown; the model was told which tools there are"],
  ['production', 'The model asked for an unknown tool and was told which tools there are'],
])('the name of an unknown tool is text of the model: with NODE_ENV=%s', async (environment, text) => {
  process.env['NODE_ENV'] = environment;
  const { client } = await startApplication({ providers: [] }, [{ toolCalls: [toolCall('findOrders')] }, 'done']);
  lines = [];
  await client.prompt('Hello').call().content();
  expect(of('warn').map((line) => line.text)).toEqual([text]);
});

describe('a tool that throws', () => {
  @Injectable()
  class Stock {
    @Tool()
    count(): never {
      throw new RangeError('no shelf 4711', { cause: new Error('the index is empty') });
    }

    @Tool()
    refuse(): never {
      throw new ForbiddenException('not for 4711');
    }
  }
  class Redactor extends ContentRedactor {
    redact(text: string) {
      return text.replace('4711', '[shelf]');
    }
  }
  const warnings = async (environment: string | undefined, providers: Provider[] = []) => {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
    const script = ['count', 'refuse', 'count'].map((name, at) => ({ toolCalls: [toolCall(name, {}, `${at}`)] }));
    const { client } = await startApplication({ providers: [Stock] }, [...script, 'done'], { providers });
    lines = [];
    await client.prompt('Hello').call().content();
    return of('warn').map(({ text }) => text);
  };

  test('is shown with message, stack and cause to its developer', async () => {
    const [first] = await warnings('development');
    expect(first).toMatch(/^The tool 'count' failed: RangeError: no shelf 4711\n +at .*count \(.*logs\.e2e-spec/);
    expect(first).toMatch(/\nCaused by Error: the index is empty\n +at /);
    expect(lines.filter(({ text }) => text.includes('not for'))).toEqual([]);
  });

  test('is shown as a ContentRedactor allows', async () => {
    const [first] = await warnings('development', [{ provide: ContentRedactor, useClass: Redactor }]);
    expect(first).toMatch(/^The tool 'count' failed: RangeError: no shelf \[shelf\]\n +at /);
  });

  test.each(['production', 'test', undefined])('is shown by its class where NODE_ENV is %s', async (environment) => {
    const [first, second] = await warnings(environment);
    expect(first).toMatch(/^The tool 'count' failed with RangeError at /);
    expect(first?.endsWith('. With NODE_ENV=development, this line has the message and the stack')).toBe(!environment);
    expect(second).toMatch(/^The tool 'count' failed with RangeError at [^\n]*$/);
    expect(second).not.toContain('NODE_ENV');
    expect(JSON.stringify(lines)).not.toMatch(/shelf|index/);
  });
});
