import { describe, expect, it } from '@jest/globals';
import { type ExecutionContext, Injectable, type Provider, Scope, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  AiToolExecutionContext,
  AugmentedToolCallback,
  FunctionToolCallback,
  JsonRepair,
  MethodToolCallback,
  Tool,
  ToolArgumentRepair,
  ToolCallback,
  ToolCallbacks,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { callOf, offeredTools, resultOf, startApplication } from './application.js';

const denyAll: Provider = { provide: APP_GUARD, useValue: { canActivate: () => false } };

@Injectable()
class Bank {
  paid: unknown[] = [];
  @Tool({ description: 'Pays' }) pay(amount: number) {
    this.paid.push(amount);
    return `paid ${amount}`;
  }
}
class Why {
  @IsString() why!: string;
}
class Mine extends MethodToolCallback {}

const definition = {
  name: 'pay',
  description: 'Pays',
  inputSchema: { type: 'object', properties: { amount: { type: 'number', maximum: 10 } } },
};

describe('a callback that was made by hand of a provider’s method', () => {
  it.each<[string, (bank: Bank) => ToolCallback]>([
    [
      'a class that extends ours',
      (bank) => new Mine({ toolDefinition: definition, toolMethod: 'pay', toolObject: bank }),
    ],
    [
      'one whose call() was replaced',
      (bank) =>
        Object.assign(new MethodToolCallback({ toolDefinition: definition, toolMethod: 'pay', toolObject: bank }), {
          call: () => Promise.resolve('paid'),
        }),
    ],
  ])('stands behind the guards of the application: %s', async (_what, callbackOf) => {
    const scene = await startApplication({ providers: [Bank, denyAll] }, callOf('pay', { amount: 1 }));
    await scene.client
      .prompt('Go')
      .tools(callbackOf(scene.app.get(Bank)))
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it('is held to the schema that the model was shown', async () => {
    const scene = await startApplication({ providers: [Bank] }, callOf('pay', { amount: 1_000_000 }));
    const callback = new MethodToolCallback({
      toolDefinition: definition,
      toolMethod: 'pay',
      toolObject: scene.app.get(Bank),
    });
    await scene.client.prompt('Go').tools(callback).call().content();
    expect(resultOf(scene)).toMatch(/amount/);
    expect(scene.app.get(Bank).paid).toEqual([]);
  });

  it('may ask the model for more', async () => {
    const reasons: string[] = [];
    const scene = await startApplication({ providers: [Bank] }, callOf('pay', { amount: 1, why: 'rent' }));
    const [delegate] = ToolCallbacks.from(scene.app.get(Bank));
    const augmented = new AugmentedToolCallback({
      delegate: delegate!,
      argumentType: Why,
      argumentConsumer: (event) => reasons.push(event.arguments.why),
    });
    await scene.client.prompt('Go').tools(augmented).call().content();
    expect(resultOf(scene)).toBe('paid 1');
    expect(reasons).toEqual(['rent']);
  });
});

describe('a class that extends FunctionToolCallback and overrides nothing', () => {
  @Injectable()
  class Pay extends FunctionToolCallback<{ amount: number }> {
    constructor() {
      super({
        name: 'pay',
        inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        toolFunction: ({ amount }) => `paid ${amount}`,
        toolMetadata: { returnDirect: false, needsApproval: (input: { amount: number }) => input.amount > 100 },
      });
    }
  }

  it('is validated before a human is asked', async () => {
    const scene = await startApplication({ providers: [Pay] }, [
      { toolCalls: [toolCall('pay', { amount: 'lots' })] },
      { toolCalls: [toolCall('pay', { amount: 500 })] },
    ]);
    const response = await scene.client.prompt('Go').call().chatResponse();
    expect(scene.model.toolResponses).toEqual([expect.stringContaining('Invalid arguments')]);
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
  });
});

describe('a tool that is given as it is and with further arguments', () => {
  @Injectable()
  class Plain extends ToolCallback {
    readonly received: string[] = [];
    override readonly toolDefinition = { name: 'plain', description: 'Plain', inputSchema: { type: 'object' } };
    override async call(input: string) {
      this.received.push(input);
      return 'done';
    }
  }

  it('is called each way as the request asks', async () => {
    const script = [...callOf('plain'), ...callOf('plain', { why: 'x' }), ...callOf('plain')];
    const scene = await startApplication({ providers: [Plain] }, script);
    const plain = scene.app.get(Plain);
    const augmented = new AugmentedToolCallback({ delegate: plain, argumentType: Why });
    for (const tool of [plain, augmented, plain]) await scene.client.prompt('Go').tools(tool).call().content();
    expect(plain.received).toEqual(['{}', '{}', '{}']);
  });
});

describe('what is kept of one instance', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Accounts {
    user = '';
    @Tool({ cacheTtl: 60_000 }) balance() {
      return `balance of ${this.user}`;
    }
  }

  it('is not given to another one', async () => {
    const scene = await startApplication({ providers: [Accounts] }, [...callOf('balance'), ...callOf('balance')]);
    for (const user of ['alice', 'bob']) {
      await scene.client.prompt('Go').tools(Object.assign(new Accounts(), { user })).call().content();
      expect(resultOf(scene)).toBe(`balance of ${user}`);
    }
  });
});

describe('a guard', () => {
  const inputs: unknown[] = [];
  const changing = {
    canActivate(context: ExecutionContext) {
      const { input } = AiToolExecutionContext.of(context);
      inputs.push(input);
      Object.assign(input as object, { amount: 2 });
      return true;
    },
  };
  @Injectable()
  class Guarded {
    @UseGuards(changing)
    @Tool()
    pay(amount: number) {
      return `paid ${amount}`;
    }
  }

  it.each([null, [], 5, 'x'])('sees a plain object where the model wrote %j', async (written) => {
    inputs.length = 0;
    const scene = await startApplication({ providers: [Guarded] }, [
      { toolCalls: [toolCall('pay', JSON.stringify(written))] },
      'done',
    ]);
    await scene.client.prompt('Go').call().content();
    expect(inputs).toEqual([{ amount: 2 }]);
    expect(resultOf(scene)).toMatch(/Invalid arguments/);
  });

  it('cannot change the arguments', async () => {
    const scene = await startApplication({ providers: [Guarded] }, callOf('pay', { amount: 1 }));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('paid 1');
  });
});

describe('a call that cannot be made ready', () => {
  it('is an error that the model is told, and the turn goes on', async () => {
    class Broken extends ToolCallback {
      override readonly toolDefinition = { name: 'broken', description: 'Broken', inputSchema: { type: 'object' } };
      override readonly toolMetadata = { returnDirect: false, timeout: '5s' as never };
      override async call() {
        return 'done';
      }
    }
    const scene = await startApplication({}, callOf('broken'));
    expect(await scene.client.prompt('Go').tools(new Broken()).call().content()).toBe('done');
    expect(offeredTools(scene.model)).toEqual(['broken']);
    expect(resultOf(scene)).toBe("The tool 'broken' cannot be called now.");
  });
});

describe('the arguments that a human has approved', () => {
  it('are not repaired into others', async () => {
    @Injectable()
    class Careful {
      @Tool({ needsApproval: true }) pay(amount: number) {
        return `paid ${amount}`;
      }
    }
    const providers = [Careful];
    const repair = { provide: ToolArgumentRepair, useClass: JsonRepair };
    const script = [{ toolCalls: [toolCall('pay', { amount: 1 }, 'c1')] }, 'done'];
    const scene = await startApplication({ providers }, script, { providers: [repair] });
    await scene.client.prompt('Go').call().content();
    const approval = { toolCallId: 'c1', approved: true, arguments: '{"amount": 9' };
    await scene.client.prompt().toolApprovals([approval]).call().content();
    expect(resultOf(scene)).toMatch(/not valid JSON/);
  });
});
