// Page "Tool Calling", section "Tool Argument Augmentation"
import { describe, expect, it } from '@jest/globals';
import {
  type AugmentedArgumentEvent,
  AugmentedToolCallback,
  AugmentedToolCallbackProvider,
  ChatClient,
  StaticToolCallbackProvider,
  Tool,
  ToolCallback,
  ToolCallbacks,
  ToolDefinition,
  ToolInputSchemaAugmenter,
  ToolParam,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class AgentThinking {
  @ToolParam({ description: 'Your reasoning for calling this tool', required: true })
  innerThought!: string;

  @ToolParam({ description: 'Confidence level (low, medium, high)', required: false })
  confidence?: string;
}

class MyTools {
  readonly received: unknown[][] = [];

  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string): string {
    this.received.push([...arguments]);
    return `15 degrees in ${city}`;
  }
}

const THOUGHT = { innerThought: 'They are about to travel', confidence: 'high' };
const script = (thought: object = THOUGHT, name = 'getWeather') => [
  { toolCalls: [toolCall(name, { city: 'Amsterdam', ...thought })] },
  'Take a coat.',
];

describe('a tool with augmented arguments', () => {
  it('hands the thoughts of the model to the application, and the rest to the tool', async () => {
    const events: AugmentedArgumentEvent<AgentThinking>[] = [];
    const myTools = new MyTools();
    const provider = AugmentedToolCallbackProvider.builder<AgentThinking>()
      .toolObject(myTools)
      .argumentType(AgentThinking)
      .argumentConsumer((event) => events.push(event))
      .removeExtraArgumentsAfterProcessing(true)
      .build();
    const chatModel = new ScriptedChatModel(script());
    const chatClient = ChatClient.builder(chatModel).defaultTools(provider).build();

    expect(await chatClient.prompt("What's the weather in Amsterdam?").call().content()).toBe('Take a coat.');

    const [offered] = chatModel.prompts[0]!.options!.toolCallbacks!;
    expect(offered!.toolDefinition).toMatchObject({
      name: 'getWeather',
      inputSchema: {
        properties: {
          city: { type: 'string' },
          innerThought: { type: 'string', description: 'Your reasoning for calling this tool' },
          confidence: { type: 'string', description: 'Confidence level (low, medium, high)' },
        },
        required: ['city', 'innerThought'],
      },
    });
    const [event] = events;
    expect(event!.arguments).toBeInstanceOf(AgentThinking);
    expect(event!.arguments).toEqual(THOUGHT);
    expect(event!.toolDefinition.name).toBe('getWeather');
    expect(JSON.parse(event!.rawInput)).toEqual({ city: 'Amsterdam', ...THOUGHT });
    expect(myTools.received).toEqual([['Amsterdam']]);
    expect(chatModel.toolResponses).toEqual(['15 degrees in Amsterdam']);
  });

  it('may be left without what is optional, but not without what is required', async () => {
    const thoughts: string[] = [];
    const provider = new AugmentedToolCallbackProvider({
      toolObject: new MyTools(),
      argumentType: AgentThinking,
      argumentConsumer: (event) => thoughts.push(event.arguments.innerThought),
    });
    const answerTo = async (thought: object): Promise<string | undefined> => {
      const chatModel = new ScriptedChatModel(script(thought));
      await ChatClient.create(chatModel).prompt('Weather?').tools(provider).call().content();
      return chatModel.toolResponses[0];
    };

    expect(await answerTo({ innerThought: 'Why not' })).toBe('15 degrees in Amsterdam');
    expect(await answerTo({ confidence: 'low' })).toContain('innerThought');
    expect(thoughts).toEqual(['Why not']);
  });

  it('may hand everything to the tool', async () => {
    class Recorder extends ToolCallback {
      readonly inputs: unknown[] = [];
      readonly toolDefinition = ToolDefinition.builder().name('record').inputSchema({ type: 'object' }).build();

      async call(toolInput: string): Promise<string> {
        this.inputs.push(JSON.parse(toolInput));
        return 'recorded';
      }
    }
    const recorder = new Recorder();
    const delegate = new StaticToolCallbackProvider([recorder]);
    const chatModel = new ScriptedChatModel([...script(THOUGHT, 'record'), ...script(THOUGHT, 'record')]);
    for (const removeExtraArgumentsAfterProcessing of [true, false]) {
      const provider = new AugmentedToolCallbackProvider({
        delegate,
        argumentType: AgentThinking,
        removeExtraArgumentsAfterProcessing,
      });
      await ChatClient.create(chatModel).prompt('Weather?').tools(provider).call().content();
    }

    expect(recorder.inputs).toEqual([{ city: 'Amsterdam' }, { city: 'Amsterdam', ...THOUGHT }]);
  });

  it('may be a single callback, or only its schema', () => {
    const [delegate] = ToolCallbacks.from(new MyTools());
    const before = JSON.stringify(delegate!.toolDefinition);

    const augmented = new AugmentedToolCallback({ delegate: delegate!, argumentType: AgentThinking });
    const schema = ToolInputSchemaAugmenter.augmentToolInputSchema(delegate!.toolDefinition.inputSchema, AgentThinking);

    expect(Object.keys(schema.properties as object)).toEqual(['city', 'innerThought', 'confidence']);
    expect(augmented.toolDefinition.inputSchema).toEqual(schema);
    expect(JSON.stringify(delegate!.toolDefinition)).toBe(before);
  });
});
