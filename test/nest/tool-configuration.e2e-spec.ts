import { describe, expect, it, jest } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable, Logger, UseGuards } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  ToolCallbacks,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { askForResult, bootstrapError, callOf, offeredTools, type Scene, startApplication } from './application.js';

class Deny implements CanActivate {
  canActivate(_context: ExecutionContext) {
    return false;
  }
}

@Injectable()
class OrderTools {
  @Tool({ description: 'Find an order' }) findOrder() {
    return 'order 7';
  }
  @Tool() cancelOrder() {
    return 'cancelled';
  }
  @UseGuards(Deny) @Tool() refund() {
    return 'refunded';
  }
}

const handMade = (name: string) => new FunctionToolCallback({ name, toolFunction: () => name });
const configured = async (ai: object, script = callOf('findOrder'), environment: Record<string, string> = {}) => {
  Object.assign(process.env, environment);
  try {
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => ({ ai })] });
    return await startApplication({ imports: [config], providers: [OrderTools] }, script);
  } finally {
    for (const key of Object.keys(environment)) delete process.env[key];
  }
};
const overrides = (tools: object) => ({ tools: { overrides: tools } });

describe('a tool that is turned off by configuration', () => {
  const off = overrides({ findOrder: { enabled: false } });

  it('is not offered, not listed, and unknown to a model that names it', async () => {
    const scene = await configured(off);
    expect(await askForResult(scene)).toMatch(/Unknown tool 'findOrder'/);
    expect(offeredTools(scene.model)).toEqual(['cancelOrder', 'refund']);
    const registry = scene.app.get(ToolRegistry);
    expect(registry.get('findOrder')).toBeUndefined();
    expect(registry.list().map(({ name }) => name)).toEqual(['cancelOrder', 'refund']);
  });

  it.each<[string, (scene: Scene) => unknown[], string[]]>([
    ['its class', () => [OrderTools], ['cancelOrder', 'refund']],
    ['its instance', ({ app }) => [app.get(OrderTools)], ['cancelOrder', 'refund']],
    ['its name', () => ['findOrder', 'cancelOrder'], ['cancelOrder']],
    ['a tool made by hand of the same name', () => [handMade('findOrder')], []],
    [
      'a tool made by hand of the same method under another name',
      ({ app }) => [
        new MethodToolCallback({
          toolObject: app.get(OrderTools),
          toolMethod: 'findOrder',
          toolDefinition: { name: 'other', description: '', inputSchema: { type: 'object' } },
        }),
      ],
      [],
    ],
  ])('is left out of a request that brings %s, which goes on', async (_name, tools, offered) => {
    const scene = await configured(off, ['Hi']);
    const answer = await scene.client
      .prompt('Go')
      .tools(...(tools(scene) as object[]))
      .call()
      .content();
    expect(answer).toBe('Hi');
    expect(offeredTools(scene.model)).toEqual(offered);
  });

  it('is left out also where the options of a request or the defaults of the model bring it', async () => {
    const scene = await configured(off, ['Hi']);
    await scene.client
      .prompt('Go')
      .options({ toolCallbacks: [handMade('findOrder')] })
      .call()
      .content();
    expect(offeredTools(scene.model)).toEqual([]);
    const model = new ScriptedChatModel(['Hi'], { toolCallbacks: [handMade('pay')] });
    const properties = { chat: { client: { defaultTools: 'none' } }, ...overrides({ pay: { enabled: false } }) };
    const { client } = await startApplication({}, [], { chatModel: model, properties: properties as never });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual([]);
  });

  it('may settle which of two tools of one name is meant, by an environment variable as well', async () => {
    const { model, client } = await configured({}, ['Hi'], { AI_TOOLS_OVERRIDES_FIND_ORDER_ENABLED: 'false' });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['cancelOrder', 'refund']);
  });
});

describe('the configuration of a tool', () => {
  it('changes what the model is told, whatever way the tool takes', async () => {
    const scene = await configured(
      overrides({ findOrder: { description: 'Look an order up' }, other: { description: 'O' } }),
      ['Hi', 'Hi', 'Hi'],
    );
    const described = async (...tools: object[]) => {
      await scene.client
        .prompt('Go')
        .tools(...tools)
        .call()
        .content();
      return scene.model.lastPrompt?.options?.toolCallbacks?.[0]?.toolDefinition.description;
    };
    expect(await described(OrderTools)).toBe('Look an order up');
    expect(await described(scene.app.get(OrderTools))).toBe('Look an order up');
    expect(await described(handMade('other'))).toBe('O');
    expect(scene.app.get(ToolRegistry).get('findOrder')?.description).toBe('Look an order up');
  });

  it('has its result returned directly, or not', async () => {
    const scene = await configured(overrides({ findOrder: { 'return-direct': 'true' } }));
    expect(await scene.client.prompt('Go').call().content()).toBe('order 7');
  });

  it('keeps its guards and its policies', async () => {
    const scene = await configured(overrides({ refund: { description: 'R', timeout: '1s' } }), callOf('refund'));
    expect(await askForResult(scene)).toBe('Forbidden resource');
    const held = await configured(
      overrides({ cancelOrder: { description: 'C', needsApproval: true } }),
      callOf('cancelOrder'),
    );
    const response = await held.client.prompt('Go').call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
  });

  it('is refused with the key when it is not understood, of tools in objects and in the environment', async () => {
    await expect(configured(overrides({ findOrder: { enabled: 'perhaps' } }))).rejects.toThrow(
      "The property ai.tools.overrides.findOrder.enabled is 'perhaps', but has to be true or false.",
    );
    await expect(configured({}, [], { AI_TOOLS_OVERRIDES_FIND_ORDER_ENABLED: 'perhaps' })).rejects.toThrow(
      "The property ai.tools.overrides.findOrder.enabled is 'perhaps', but has to be true or false.",
    );
  });
});

describe('variables for tools and clients that do not exist', () => {
  it('are not those of a tool whose name has dots, in flat keys', async () => {
    @Injectable()
    class Dotted {
      @Tool({ name: 'orders.find' }) find() {
        return 'order 7';
      }
    }
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      const keys = {
        'ai.tools.overrides.orders.find.rate-limit': '1/1m',
        'ai.tools.limits.maxCallsPerTool.orders.find': 3,
      };
      const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => keys] });
      await startApplication({ imports: [config], providers: [Dotted] });
      expect(warn.mock.calls.filter(([text]) => String(text).includes('no effect'))).toEqual([]);
    } finally {
      warn.mockRestore();
    }
  });

  it('are named in the log, and those that exist are not', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      const { app } = await configured({}, [], {
        AI_TOOLS_OVERRIDES_REFUNDS_NEEDS_APPROVAL: 'true',
        AI_TOOLS_OVERRIDES_CANCELORDER_NEEDS_APPROVAL: 'true',
        AI_TOOLS_OVERRIDES_FIND_ORDER_NEEDS_APPROVAL: 'true',
        AI_TOOLS_OVERRIDES_FIND_ORDER_LINES_ENABLED: 'false',
        AI_TOOLS_LIMITS_EXCLUDED_TOOLS: 'findOrdr, refund',
        AI_TOOLS_OVERRIDES_EMPTY_NEEDS_APPROVAL: '',
        AI_TOOLS_OVERRIDES_DEFAULT_TIMEOUT: '5s',
        AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_REFUND: '3',
        AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_DEFAULT: '9',
        AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_FIND: '3',
        AI_CLIENTS_NOBODY_TOOL_CALLING_MAX_ROUNDS: '3',
      });
      const names = warn.mock.calls.flatMap(
        ([text]) => /^(\S+) (?:has no effect: the tool|is for a client)/.exec(String(text))?.[1] ?? [],
      );
      expect(names.toSorted()).toEqual([
        'AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_FIND',
        'AI_TOOLS_OVERRIDES_CANCELORDER',
        'AI_TOOLS_OVERRIDES_DEFAULT',
        'AI_TOOLS_OVERRIDES_FIND_ORDER_LINES',
        'AI_TOOLS_OVERRIDES_REFUNDS',
        'ai.clients.NOBODY',
        'ai.tools.limits.excluded-tools.findOrdr',
      ]);
      expect(warn.mock.calls.map(([text]) => String(text))).toContainEqual(
        expect.stringMatching(/^AI_TOOLS_OVERRIDES_CANCELORDER has no effect: .* Did you mean 'CANCEL_ORDER'\?$/),
      );
      await app.close();
    } finally {
      warn.mockRestore();
    }
  });
});

describe('a tool that is not offered by default', () => {
  @Injectable()
  class RareTools {
    @Tool({ offeredByDefault: false }) rare() {
      return 'rare';
    }
    @Tool() common() {
      return 'common';
    }
  }

  it('is there when it is asked for, by name, class or metadata', async () => {
    const { client, model, app } = await startApplication({ providers: [RareTools] }, ['Hi', 'Hi', 'Hi']);
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['common']);
    await client.prompt('Go').tools('rare').call().content();
    expect(offeredTools(model)).toEqual(['rare']);
    await client.prompt('Go').tools(RareTools).call().content();
    expect(offeredTools(model)).toEqual(['rare', 'common']);
    expect(app.get(ToolRegistry).list()).toHaveLength(2);
  });

  it('is so by configuration, or in spite of what it says itself', async () => {
    const properties = overrides({ rare: { offeredByDefault: true }, common: { offeredByDefault: false } });
    const { client, model } = await startApplication({ providers: [RareTools] }, ['Hi', 'Hi', 'Hi'], { properties });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['rare']);
  });

  it('may share its name with another', async () => {
    @Injectable()
    class Other {
      @Tool({ name: 'common', offeredByDefault: false }) another() {
        return 'another';
      }
    }
    const { client, model } = await startApplication({ providers: [RareTools, Other] }, callOf('common'));
    await client.prompt('Go').tools(Other).call().content();
    expect(model.toolResponses).toEqual(['another']);
    class Third {
      @Tool() common() {
        return 'third';
      }
    }
    expect((await bootstrapError({ providers: [RareTools, Third] })).message).toMatch(
      /Multiple tools with the same name \(common\)/,
    );
  });
});

describe('outside of the container', () => {
  it('nothing is configured', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('cancelOrder')] }, 'Done']);
    const [, cancelOrder] = ToolCallbacks.from(new (class extends OrderToolsWithoutGuards {})());
    await ChatClient.create(model).prompt('Go').tools(cancelOrder!).call().content();
    expect(model.toolResponses).toEqual(['cancelled']);
  });
});

class OrderToolsWithoutGuards {
  @Tool() findOrder() {
    return 'order 7';
  }
  @Tool() cancelOrder() {
    return 'cancelled';
  }
}
