import { describe, expect, it } from '@jest/globals';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { type } from 'arktype';
import { IsNumber, IsString } from 'class-validator';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { ToolContext } from '../../model/tool-context.js';
import type { StandardSchema } from '@nestor-ai/schema';
import { ToolCallbacks } from '../tool-callbacks.js';
import { Tool } from './tool.decorator.js';

class Refund {
  @IsNumber() amount!: number;
}
class LateRefund extends Refund {
  @IsString() reason!: string;
}

const schema = z.object({ amount: z.number(), note: z.string().optional() });
type Given = z.infer<typeof schema>;

/** The methods that do not compile: they would get something else than their parameter says. */
export class Disagreeing {
  // @ts-expect-error -- a number is not a text
  @Tool({ inputSchema: schema })
  zod(input: { amount: string }): unknown {
    return input;
  }
  // @ts-expect-error -- a number is not a text
  @Tool({ inputSchema: type({ amount: 'number' }) })
  arktype(input: { amount: string }): unknown {
    return input;
  }
  // @ts-expect-error -- a number is not a text
  @Tool({ inputSchema: v.object({ amount: v.number() }), description: 'Refunds' })
  valibot(input: { amount: string }, context: ToolContext): unknown {
    return [input, context];
  }
  // @ts-expect-error -- the class has no reason
  @Tool({ inputType: Refund })
  dto(input: LateRefund): unknown {
    return input;
  }
  // @ts-expect-error -- the method gets the whole input
  @Tool({ inputSchema: schema, needsApproval: ({ amount }) => amount > 100 })
  oneByOne(amount: number): unknown {
    return amount;
  }
  // @ts-expect-error -- the input follows the context
  @Tool({ inputSchema: schema })
  afterContext(context: ToolContext<{ tenant: string }>, input: string): unknown {
    return [context, input];
  }
  // @ts-expect-error -- there may be no input
  @Tool({ inputSchema: schema.optional() })
  required(input: Given): unknown {
    return input;
  }
  // @ts-expect-error -- a number is not a text
  @Tool({ inputSchema: schema })
  static ofClass(input: string): unknown {
    return input;
  }
}

const Marked = (description: string): MethodDecorator =>
  applyDecorators(Tool({ description, inputSchema: schema }), SetMetadata('kind', 'read'));
const Declared = <Input>(inputSchema: StandardSchema<unknown, Input>): MethodDecorator => Tool({ inputSchema });

/** The methods that compile. */
class Agreeing {
  @Tool({ inputSchema: schema }) same(input: Given, context: ToolContext<{ tenant: string }>): unknown {
    return [input, context];
  }
  @Tool({ inputSchema: schema }) less(input: { amount: number }): unknown {
    return input;
  }
  @Tool({ inputSchema: schema }) unread(): unknown {
    return 1;
  }
  @Tool({ inputSchema: schema }) onlyContext(context: ToolContext): unknown {
    return context;
  }
  @Tool({ inputSchema: schema }) after(
    context: ToolContext<{ tenant: string }, { user: string }>,
    signal: AbortSignal,
    { amount }: Given,
  ): unknown {
    return [context, signal, amount];
  }
  @Tool({ inputSchema: schema.optional() }) optional(input?: Given): unknown {
    return input;
  }
  @Tool({ inputSchema: z.object({ at: z.string().transform((text) => new Date(text)) }) }) transformed(input: {
    at: Date;
  }): unknown {
    return input;
  }
  @Tool({ inputSchema: type({ amount: 'number' }) }) arktype(input: Refund): unknown {
    return input;
  }
  @Tool({ inputSchema: toStandardJsonSchema(v.object({ amount: v.number() })) }) valibot(input: Refund): unknown {
    return input;
  }
  @Tool({ inputSchema: schema as unknown as StandardSchema }) untyped(input: Refund): unknown {
    return input;
  }
  @Tool({ inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } }) json(input: Refund): unknown {
    return input;
  }
  @Tool({ inputType: LateRefund }) parent(input: Refund): unknown {
    return input;
  }
  @Tool({ inputType: Refund }) unknown(input: unknown): unknown {
    return input;
  }
  @Tool({ inputType: Refund, concurrencyKey: ({ amount }) => amount.toFixed(0) }) async *items(
    input: Refund,
  ): AsyncGenerator<unknown> {
    yield input;
  }
  @Tool<Refund>({ inputSchema: schema, needsApproval: ({ amount }) => amount > 100 }) named(input: Refund): unknown {
    return input;
  }
  @Marked('Refunds') marked(input: Given): unknown {
    return input;
  }
  @Declared(schema) declared(input: Given): unknown {
    return input;
  }
  @Tool({ needsApproval: ({ amount }: { amount: number }) => amount > 100 }) oneByOne(amount: number): unknown {
    return amount;
  }
}

describe('a method with inputSchema or inputType', () => {
  it('compiles if its parameter can take the input, and is a tool', () => {
    const names = ToolCallbacks.from(new Agreeing()).map(({ toolDefinition }) => toolDefinition.name);
    expect(names).toHaveLength(18);
  });

  it('types the input of every function of the options', () => {
    // @ts-expect-error -- a refund has no currency
    Tool({ inputSchema: schema, concurrencyKey: ({ currency }) => String(currency) });
    // @ts-expect-error -- a refund has no currency
    Tool({ inputType: Refund, rateLimit: { calls: 1, interval: 1, key: ({ currency }) => String(currency) } });
    // @ts-expect-error -- a refund has no currency
    Tool<Refund>({ concurrencyKey: ({ currency }) => String(currency) });
    expect(Disagreeing).toBeDefined();
  });
});
