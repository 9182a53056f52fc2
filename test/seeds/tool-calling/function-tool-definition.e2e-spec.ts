// Page "Tool Calling", section "Tool Specification / Function Tool Definition"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback, offeredToolDefinitions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

describe('the definition of a function', () => {
  it('is made of the name, the description and the input schema that the builder is given', async () => {
    const inputSchema = {
      type: 'object',
      properties: { location: { type: 'string', minLength: 2 } },
      required: ['location'],
    };
    const toolCallback = FunctionToolCallback.builder<{ location: string }>()
      .name('currentWeather')
      .description('Get the weather in location')
      .inputSchema(inputSchema)
      .toolFunction(({ location }) => `Sunny in ${location}`)
      .build();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('currentWeather', { location: 'X' }), toolCall('currentWeather', { location: 'Oslo' })] },
      'It is sunny.',
    ]);

    await ChatClient.create(chatModel).prompt('How is Oslo?').tools(toolCallback).call().content();

    expect(offeredToolDefinitions(chatModel.prompts[0]!.options)).toEqual([
      { name: 'currentWeather', description: 'Get the weather in location', inputSchema },
    ]);
    // The schema holds: what does not follow it never reaches the function.
    const [refused, answered] = chatModel.toolResponses;
    expect(refused).toContain('location');
    expect(refused).not.toContain('Sunny');
    expect(answered).toBe('Sunny in Oslo');
  });
});
