import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/core/testing';
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

const of = (level: string): Line[] => lines.filter((line) => line.level === level);

describe('when the application starts', () => {
  test('there is a line for each tool, for whoever reads lines of the level debug', async () => {
    await startApplication({ providers: [Orders] });
    expect(of('debug')).toContainEqual({
      level: 'debug',
      text: "Tool 'findOrder' is Orders.findOrder() of RootTestModule",
      params: { tool: 'findOrder', module: 'RootTestModule' },
    });
    expect(of('debug').filter(({ text }) => text.startsWith('Tool '))).toHaveLength(3);
    expect(of('log').filter(({ text }) => text.includes('findOrder'))).toEqual([]);
  });

  test('there is a table of the tools where it is asked for', async () => {
    await startApplication({ providers: [Orders] }, [], {
      properties: { tools: { observations: { logTools: true } } },
    });
    expect(of('log').map(({ text }) => text)).toContain(
      `3 tools
tool       from                module          takes       how               description
findOrder  Orders.findOrder()  RootTestModule  id          –                 Finds an order
refund     Orders.refund()     RootTestModule  id, reason  approval, 500 ms  refund
failing    Orders.failing()    RootTestModule  –           –                 failing`,
    );
  });
});

describe('while it runs', () => {
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
