import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { IsNumber } from 'class-validator';
import { z } from 'zod';
import { ChatClient } from '../../client/chat-client.js';
import { FinishReason } from '../../model/finish-reason.js';
import { ToolContext } from '../../model/tool-context.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { MethodToolCallback } from '../method-tool-callback.js';
import { ToolCallbacks } from '../tool-callbacks.js';
import { Tool } from './tool.decorator.js';

class Refund {
  @IsNumber() amount!: number;
}

const schema = z.object({ amount: z.number() });

/** Answers of a model that asks for a refund, and is done then. */
const refunds = (amount: number): ScriptedChatModel =>
  new ScriptedChatModel([{ toolCalls: [toolCall('refund', { amount }, 'call_1')] }, 'Done']);

async function finishOf(tool: object, amount: number): Promise<string | undefined> {
  const response = await ChatClient.create(refunds(amount)).prompt('Refund').tools(tool).call().chatResponse();
  return response?.finishReason;
}

class TypedBySchema {
  @Tool({ inputSchema: schema, needsApproval: ({ amount }) => amount.toFixed(0).length > 2 })
  refund({ amount }: z.infer<typeof schema>): number {
    return amount;
  }
}

class TypedByClass {
  @Tool({ inputType: Refund, needsApproval: (input) => input.amount.toFixed(0).length > 2 })
  refund({ amount }: Refund): number {
    return amount;
  }
}

class TypedByHand {
  @Tool({ needsApproval: ({ amount }: Refund) => amount > 100, concurrencyKey: ({ amount }: Refund) => `${amount}` })
  refund({ amount }: Refund): number {
    return amount;
  }
}

class Untyped {
  @Tool({ needsApproval: ({ amount }) => amount > 100 })
  refund(amount: number): number {
    return amount;
  }
}

describe('functions among the options of a tool', () => {
  it.each([TypedBySchema, TypedByClass, TypedByHand, Untyped])('receive the typed input: %p', async (Host) => {
    expect(await finishOf(new Host(), 5)).toBe(FinishReason.STOP);
    expect(await finishOf(new Host(), 500)).toBe(FinishReason.TOOL_APPROVAL_REQUIRED);
  });

  it('are typed by the input', () => {
    // @ts-expect-error -- a refund has no currency
    Tool({ inputSchema: schema, needsApproval: ({ currency }) => currency === 'EUR' });
    // @ts-expect-error -- a refund has no currency
    Tool({ inputType: Refund, needsApproval: ({ currency }) => currency === 'EUR' });
    const options = { name: 'refund', inputSchema: schema, toolFunction: () => 1 };
    // @ts-expect-error -- a refund has no currency
    expect(new FunctionToolCallback({ ...options, needsApproval: ({ currency }) => currency === 'EUR' })).toBeDefined();
  });
});

describe('a function as a tool', () => {
  it('takes every policy that @Tool takes', async () => {
    const tool = new FunctionToolCallback({
      name: 'refund',
      inputSchema: schema,
      toolFunction: ({ amount }) => amount,
      needsApproval: ({ amount }) => amount > 100,
      timeout: 1000,
      returnDirect: true,
      metadata: { category: 'money' },
    });
    expect(tool.toolMetadata).toMatchObject({ timeout: 1000, returnDirect: true, category: 'money' });
    expect(await finishOf(tool, 500)).toBe(FinishReason.TOOL_APPROVAL_REQUIRED);
    expect(await finishOf(tool, 5)).toBe(FinishReason.RETURN_DIRECT);
  });

  it('adds its options to the metadata that it is given', () => {
    const toolFunction = (): number => 1;
    const toolMetadata = { returnDirect: true, timeout: 5, needsApproval: true };
    const tool = new FunctionToolCallback({ name: 'refund', toolFunction, toolMetadata, timeout: 7 });
    expect(tool.toolMetadata).toEqual({ returnDirect: true, timeout: 7, needsApproval: true });
  });

  it.each([
    ['timeout', { timeout: -1 }],
    ['retry', { retry: -1 }],
    ['visible', { visible: true as never }],
  ])('refuses a policy that cannot hold: %s', (name, policy) => {
    expect(() => new FunctionToolCallback({ name: 'refund', toolFunction: () => 1, ...policy })).toThrow(name);
  });
});

describe('a tool context', () => {
  it('gives the request of the caller, typed', async () => {
    const seen: unknown[] = [];
    const tool = new FunctionToolCallback({
      name: 'refund',
      inputSchema: schema,
      toolFunction: (_input, context) => {
        const { request } = context as ToolContext<object, { user: string }>;
        seen.push(request?.user, context.get('tenant'));
        return 'ok';
      },
    });
    const request = ChatClient.create(refunds(1)).prompt('Refund').tools(tool).request({ user: 'ann' });
    await request.toolContext({ tenant: 'acme' }).call().content();
    expect(seen).toEqual(['ann', 'acme']);
    expect(new ToolContext().request).toBeUndefined();
  });
});

describe('a response', () => {
  it('says that a turn waits, and for which calls', async () => {
    const response = await ChatClient.create(refunds(500)).prompt('Refund').tools(new Untyped()).call().chatResponse();
    expect(response?.turnId).toEqual(expect.any(String));
    expect(response?.pendingApprovals.map(({ name }) => name)).toEqual(['refund']);
    const done = await ChatClient.create(new ScriptedChatModel(['Hi']))
      .prompt('Hi')
      .call()
      .chatResponse();
    expect([done?.turnId, done?.pendingApprovals, done?.finishReason]).toEqual([undefined, [], 'stop']);
  });
});

describe('the name of an option that is nearly that of a policy', () => {
  it.each([
    ['needApproval', 'needsApproval'],
    ['needs_approval', 'needsApproval'],
    ['efect', 'effect'],
    ['timeOut', 'timeout'],
  ])('%s is refused, since the tool would run without its policy', (given, meant) => {
    // From a constant, the compiler takes it.
    const options: object = { [given]: true };
    const toolDefinition = { name: 'refund', description: 'Refunds', inputSchema: { type: 'object' as const } };
    class Refunds {
      @Tool(options) refund() {}
    }
    expect(() => ToolCallbacks.from(new Refunds())).toThrow(
      `(Refunds.refund) cannot be offered to a model. ${given} is no option of a tool. Did you mean ${meant}?`,
    );
    expect(() => new MethodToolCallback({ toolDefinition, toolMethod: 'refund', toolObject: new Refunds() })).toThrow(
      `${given} is no option of a tool.`,
    );
    expect(() => new FunctionToolCallback({ name: 'refund', ...options, toolFunction: () => '' })).toThrow(
      `${given} is no option of a tool.`,
    );
  });

  it('is told with all other mistakes of the tool', () => {
    const options: object = { efect: 'read', timeout: -1, retry: 0.5, visible: false, ui: 'hidden', job: false };
    class Refunds {
      @Tool(options) refund() {}
    }
    expect(() => ToolCallbacks.from(new Refunds())).toThrow(
      /efect is no option of a tool\. Did you mean effect\? timeout must be .* retry must be .* visible must be .* ui must be .* but is hidden\.$/,
    );
  });

  it('leaves options alone that have other names', () => {
    const options: object = { remotes: 1, roles: ['admin'], limit: 2, jobs_done: 3 };
    class Refunds {
      @Tool(options) refund() {}
    }
    expect(ToolCallbacks.from(new Refunds())).toHaveLength(1);
  });
});
