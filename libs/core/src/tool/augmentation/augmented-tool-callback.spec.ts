import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { ToolCallback } from '../../model/tool-callback.js';
import { ToolContext } from '../../model/tool-context.js';
import type { ToolResult } from '../../model/tool-result.js';
import { ToolParam } from '@nestor-ai/schema';
import { Tool } from '../declaration/tool.decorator.js';
import { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import { ChatClient } from '../../client/chat-client.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { ToolCallbacks } from '../tool-callbacks.js';
import { StaticToolCallbackProvider } from '../static-tool-callback-provider.js';
import { ToolExecutionException } from '../tool-execution.exception.js';
import { type AugmentedArgumentEvent, AugmentedToolCallback } from './augmented-tool-callback.js';
import { AugmentedToolCallbackProvider } from './augmented-tool-callback-provider.js';
import { ToolInputSchemaAugmenter } from './tool-input-schema-augmenter.js';

class Thinking {
  @ToolParam({ description: 'Your reasoning for calling this tool' }) @IsString() innerThought!: string;
  @ToolParam({ description: 'low, medium or high', required: false })
  @IsIn(['low', 'medium', 'high'])
  confidence?: string;
}
class Nothing {}

/** Records its arguments. */
class Delegate extends ToolCallback {
  override readonly toolMetadata = { returnDirect: true };
  override readonly toolDefinition = {
    name: 'weather',
    description: 'The weather',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'x',
      title: 'Weather',
      type: 'object',
      properties: { city: { type: 'string', minLength: 1 } },
      required: ['city'],
      additionalProperties: false,
    },
  };
  received: unknown[] = [];
  override call(input: string, context?: ToolContext): Promise<string | ToolResult> {
    this.received = [input, context];
    return Promise.resolve('sunny');
  }
}

const input = '{"city":"Rome","innerThought":"They asked","confidence":"high"}';
const setUp = (options: { removeExtraArgumentsAfterProcessing?: boolean } = {}) => {
  const delegate = new Delegate();
  const events: AugmentedArgumentEvent<Thinking>[] = [];
  const tool = new AugmentedToolCallback({
    delegate,
    argumentType: Thinking,
    argumentConsumer: (event) => events.push(event),
    ...options,
  });
  return { delegate, events, tool };
};

describe('an augmented tool', () => {
  it('adds arguments and keeps everything else of the tool', () => {
    const { delegate, tool } = setUp();
    const { inputSchema, ...rest } = tool.toolDefinition;
    expect(rest).toEqual({ name: 'weather', description: 'The weather' });
    expect(inputSchema).toEqual({
      ...delegate.toolDefinition.inputSchema,
      properties: {
        city: { type: 'string', minLength: 1 },
        innerThought: { type: 'string', description: 'Your reasoning for calling this tool' },
        confidence: { type: 'string', enum: ['low', 'medium', 'high'], description: 'low, medium or high' },
      },
      required: ['city', 'innerThought'],
    });
    expect(tool.toolMetadata.returnDirect).toBe(true);
    tool.verify();
  });

  it('passes the added arguments to the consumer, typed, and calls the tool without them', async () => {
    const { delegate, events, tool } = setUp();
    const context = new ToolContext({ user: 'ada' });
    expect(await tool.call(input, context)).toBe('sunny');
    expect(delegate.received).toEqual(['{"city":"Rome"}', context]);
    expect(events).toEqual([{ toolDefinition: tool.toolDefinition, rawInput: input, arguments: expect.any(Thinking) }]);
    expect(events[0]!.arguments).toEqual({ innerThought: 'They asked', confidence: 'high' });
  });

  it('calls the tool with all arguments if configured', async () => {
    const { delegate, tool } = setUp({ removeExtraArgumentsAfterProcessing: false });
    await tool.call(input);
    expect(delegate.received[0]).toBe(input);
  });

  it('does not need a consumer', async () => {
    const delegate = new Delegate();
    const tool = new AugmentedToolCallback({ delegate, argumentType: Thinking });
    expect(await tool.call(input)).toBe('sunny');
    expect(delegate.received[0]).toBe('{"city":"Rome"}');
  });

  it.each([
    ['{"city":"Rome"', /not valid JSON/],
    ['[]', /must be a JSON object/],
    ['{"city":"Rome"}', /innerThought/],
    ['{"city":"Rome","innerThought":5}', /innerThought must be a string/],
    ['{"city":"Rome","innerThought":"x","confidence":"none"}', /confidence must be one of/],
  ])('reports invalid arguments to the model and does not run: %s', async (wrong, message) => {
    const { delegate, tool } = setUp();
    await expect(tool.call(wrong)).rejects.toThrow(message);
    await expect(tool.call(wrong)).rejects.toBeInstanceOf(ToolExecutionException);
    expect(delegate.received).toEqual([]);
  });

  it('fails like a tool when the consumer throws', async () => {
    const tool = new AugmentedToolCallback({
      delegate: new Delegate(),
      argumentType: Thinking,
      argumentConsumer: async () => Promise.reject(new Error('no log')),
    });
    await expect(tool.call(input)).rejects.toBeInstanceOf(ToolExecutionException);
    await expect(tool.call(input)).rejects.toThrow('no log');
  });

  it.each([
    [
      'a method',
      () => {
        let tries = 0;
        class Tools {
          @Tool({ needsApproval: true, retry: { retries: 2, minDelay: 1 } })
          weather(city: string) {
            if (++tries < 3) throw new Error('not yet');
            return `sunny in ${city}`;
          }
        }
        return ToolCallbacks.from(new Tools())[0]!;
      },
    ],
    [
      'a ToolCallback of somebody’s own',
      () => {
        const delegate = new Delegate();
        Object.assign(delegate, {
          toolMetadata: { returnDirect: false, needsApproval: true, retry: { retries: 2, minDelay: 1 } },
        });
        const call = delegate.call.bind(delegate);
        let tries = 0;
        delegate.call = (text, context) => (++tries < 3 ? Promise.reject(new Error('not yet')) : call(text, context));
        return delegate;
      },
    ],
  ])('calls the consumer once, when the call runs: %s', async (_what, make) => {
    const events: unknown[] = [];
    const tool = new AugmentedToolCallback({
      delegate: make(),
      argumentType: Thinking,
      argumentConsumer: (event) => events.push(event.arguments),
    });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('weather', input, 'call_1')] }, 'Sunny.']);
    const client = ChatClient.builder(model).defaultTools(tool).defaultAdvisors(new ToolCallingAdvisor()).build();
    await client.prompt('?').call().content();
    expect(events).toEqual([]);
    const answer = await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(answer).toBe('Sunny.');
    expect(events).toEqual([{ innerThought: 'They asked', confidence: 'high' }]);
  });

  it('wraps the error of a tool that does not throw a ToolExecutionException', async () => {
    const delegate = new Delegate();
    delegate.call = () => Promise.reject(new TypeError('raw'));
    const tool = new AugmentedToolCallback({ delegate, argumentType: Thinking });
    await expect(tool.call(input)).rejects.toBeInstanceOf(ToolExecutionException);
  });

  it('cannot be created with a class without properties', () => {
    expect(() => new AugmentedToolCallback({ delegate: new Delegate(), argumentType: Nothing })).toThrow(
      /at least one property/,
    );
  });

  it('is refused before it is offered if the tool already has the argument', () => {
    class Clash {
      @IsString() city!: string;
    }
    const tool = new AugmentedToolCallback({ delegate: new Delegate(), argumentType: Clash });
    expect(() => tool.verify()).toThrow(/Clash adds the argument 'city', which the tool already has/);
    expect(tool.toolDefinition.inputSchema.required).toEqual(['city']);
  });
});

describe('a provider of augmented tools', () => {
  class Tools {
    @Tool({ returnDirect: true }) greet(name: string) {
      return `Hello ${name}`;
    }
    @Tool() bye() {
      return 'Bye';
    }
  }

  it('augments the methods of an object, or the tools of a provider', async () => {
    const thoughts: string[] = [];
    const argumentConsumer = (event: AugmentedArgumentEvent<Thinking>) => thoughts.push(event.arguments.innerThought);
    const delegate = new StaticToolCallbackProvider(new FunctionToolCallback({ name: 'one', toolFunction: () => 1 }));
    const [greet] = await AugmentedToolCallbackProvider.builder<Thinking>()
      .toolObject(new Tools())
      .argumentType(Thinking)
      .argumentConsumer(argumentConsumer)
      .build()
      .getToolCallbacks();
    const provider = new AugmentedToolCallbackProvider({ delegate, argumentType: Thinking, argumentConsumer });
    const [one] = await provider.getToolCallbacks();
    expect(await greet!.call('{"name":"Ada","innerThought":"polite"}')).toBe('Hello Ada');
    expect(await one!.call('{"innerThought":"count"}')).toBe('1');
    expect(thoughts).toEqual(['polite', 'count']);
    expect(greet!.toolMetadata.returnDirect).toBe(true);
    expect((await provider.getToolCallbacks())[0]).toBe(one);
  });

  it.each([
    [{ toolObject: new Tools() }, 'argumentType is required'],
    [{ argumentType: Thinking }, 'Either delegate or toolObject must be set'],
    [
      { argumentType: Thinking, toolObject: new Tools(), delegate: new StaticToolCallbackProvider() },
      'Cannot set both delegate and toolObject',
    ],
  ])('names missing and conflicting options', (options, message) => {
    expect(() => new AugmentedToolCallbackProvider(options as never)).toThrow(message);
  });
});

describe('ToolInputSchemaAugmenter', () => {
  class Node {
    @IsString() name!: string;
    @IsOptional() @ValidateNested() @Type(() => Node) next?: Node;
  }
  class Rich {
    @ToolParam({ description: 'How sure, in percent' }) @IsInt() @Min(0) @Max(100) sure!: number;
    @IsOptional() @ValidateNested() @Type(() => Node) chain?: Node;
  }
  const { augmentToolInputSchema, toAugmentedArgumentTypes } = ToolInputSchemaAugmenter;

  it('reads arguments from a class', () => {
    expect(toAugmentedArgumentTypes(Rich)).toEqual([
      {
        name: 'sure',
        description: 'How sure, in percent',
        required: true,
        schema: { type: 'integer', minimum: 0, maximum: 100 },
      },
      { name: 'chain', required: false, schema: { $ref: '#/$defs/Node' } },
    ]);
    expect(() => toAugmentedArgumentTypes(Nothing)).toThrow(/Nothing adds no arguments/);
  });

  it('supports schemas without properties and required', () => {
    const arguments_ = [
      { name: 'a', schema: { type: 'string' }, required: true, description: 'An a' },
      { name: 'b', schema: { type: 'number' }, required: false },
    ];
    expect(augmentToolInputSchema({ type: 'object' }, arguments_)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'An a' }, b: { type: 'number' } },
      required: ['a'],
    });
    expect(augmentToolInputSchema({}, [])).toEqual({ type: 'object', properties: {}, required: [] });
  });

  it('adds definitions, renamed if the name is taken', () => {
    const schema = { type: 'object', $defs: { Node: { type: 'string' } }, properties: { n: { $ref: '#/$defs/Node' } } };
    const augmented = augmentToolInputSchema(schema, Rich);
    expect(augmented.properties).toMatchObject({ n: { $ref: '#/$defs/Node' }, chain: { $ref: '#/$defs/Node_2' } });
    expect(augmented.$defs).toMatchObject({
      Node: { type: 'string' },
      Node_2: { properties: { next: { $ref: '#/$defs/Node_2' } } },
    });
    const once = augmentToolInputSchema({ type: 'object' }, Rich);
    expect(Object.keys(once.$defs!)).toEqual(['Node']);
    expect(augmentToolInputSchema(once, Rich).$defs).toEqual(once.$defs);
  });

  it('does not change the definitions of the tool, even if only one of several differs', () => {
    const tree = { type: 'object', properties: { leaf: { $ref: '#/$defs/Leaf' } } };
    class Leaf {
      @IsString() name!: string;
      @IsOptional() @ValidateNested() @Type(() => Leaf) next?: Leaf;
    }
    class Adding {
      @ValidateNested() @Type(() => Leaf) leaf!: Leaf;
    }
    const schema = { type: 'object', $defs: { Tree: tree, Leaf: { type: 'integer' } }, required: ['constructor', 'a'] };
    const augmented = augmentToolInputSchema(schema, Adding);
    expect(augmented.$defs).toMatchObject({ Tree: tree, Leaf: { type: 'integer' }, Leaf_2: { type: 'object' } });
    expect(augmented.properties).toMatchObject({ leaf: { $ref: '#/$defs/Leaf_2' } });
    expect(augmented.required).toEqual(['constructor', 'a', 'leaf']);
  });

  it.each([[{ type: 'string' }], ['text'], [null]])('refuses schemas of other types: %j', (schema) => {
    expect(() => augmentToolInputSchema(schema as never, Thinking)).toThrow(/Only the schema of an object/);
  });
});
