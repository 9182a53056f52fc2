// Page "Tool Calling", section "Tool Specification / Tool Definition"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, offeredToolDefinitions, ToolCallback, ToolDefinition } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const inputSchema = {
  type: 'object',
  properties: {
    location: { type: 'string' },
    unit: { type: 'string', enum: ['C', 'F'] },
  },
  required: ['location', 'unit'],
};

class CurrentWeather extends ToolCallback {
  override readonly toolDefinition: ToolDefinition = ToolDefinition.builder()
    .name('currentWeather')
    .description('Get the weather in location')
    .inputSchema(inputSchema)
    .build();

  override async call(toolInput: string): Promise<string> {
    return `30 degrees for ${toolInput}`;
  }
}

describe('a ToolDefinition', () => {
  it('is what the model is told of a tool: name, description and input schema', async () => {
    const input = { location: 'Copenhagen', unit: 'C' };
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('currentWeather', input)] }, 'It is 30 degrees.']);
    await ChatClient.create(chatModel).prompt('How is Copenhagen?').tools(new CurrentWeather()).call().content();
    expect(offeredToolDefinitions(chatModel.prompts[0]!.options)).toEqual([
      { name: 'currentWeather', description: 'Get the weather in location', inputSchema },
    ]);
    expect(chatModel.toolResponses).toEqual(['30 degrees for {"location":"Copenhagen","unit":"C"}']);
  });

  it('is described by the words of its name unless it says more', () => {
    const definition = ToolDefinition.builder().name('currentWeather').inputSchema(inputSchema).build();
    expect(definition.description).toBe('current weather');
  });

  it('needs a name and a schema', () => {
    expect(() => ToolDefinition.builder().inputSchema(inputSchema).build()).toThrow('needs a name');
    expect(() => ToolDefinition.builder().name('currentWeather').build()).toThrow(
      "'currentWeather' needs an inputSchema",
    );
  });

  it('has to be unlike every other one of a request in its name', async () => {
    const request = ChatClient.create(new ScriptedChatModel([])).prompt('How is Copenhagen?');
    await expect(request.tools(new CurrentWeather(), new CurrentWeather()).call().content()).rejects.toThrow(
      'Multiple tools with the same name (currentWeather)',
    );
  });
});
