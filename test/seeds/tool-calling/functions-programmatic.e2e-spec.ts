// Page "Tool Calling", section "Functions as Tools / Programmatic Specification: FunctionToolCallback"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  FunctionToolCallback,
  type ToolCallback,
  ToolCallResultConverter,
  type ToolContext,
  ToolMetadata,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Unit, WeatherRequest, WeatherService } from './weather-service.js';

/** What the model reads after it has called a tool. */
async function answerOf(toolCallback: ToolCallback, input: object = {}): Promise<string> {
  const call = toolCall(toolCallback.toolDefinition.name, input);
  const chatModel = new ScriptedChatModel([{ toolCalls: [call] }, 'Done']);
  const request = ChatClient.create(chatModel).prompt('Go').toolContext({ user: 'ada' });
  await request.tools(toolCallback).call().content();
  return chatModel.toolResponses[0]!;
}

describe('a FunctionToolCallback', () => {
  it('makes a tool of a function, with the schema of its input type', async () => {
    const weatherService = new WeatherService();

    const toolCallback = FunctionToolCallback.builder<WeatherRequest>()
      .name('currentWeather')
      .toolFunction((request) => weatherService.getWeather(request))
      .description('Get the weather in location')
      .inputType(WeatherRequest)
      .build();

    expect(toolCallback.toolDefinition).toEqual({
      name: 'currentWeather',
      description: 'Get the weather in location',
      inputSchema: {
        type: 'object',
        properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
        required: ['location', 'unit'],
        additionalProperties: false,
      },
    });
    expect(await answerOf(toolCallback, { location: 'Copenhagen', unit: 'C' })).toBe('{"temp":30,"unit":"C"}');
    expect(weatherService.requests[0]).toBeInstanceOf(WeatherRequest);
    expect(weatherService.requests).toEqual([{ location: 'Copenhagen', unit: Unit.C }]);
  });

  it('may be built of its name and its function first', async () => {
    const weatherService = new WeatherService();

    const toolCallback = FunctionToolCallback.builder('currentWeather', (request: WeatherRequest) =>
      weatherService.getWeather(request),
    )
      .description('Get the weather in location')
      .inputType(WeatherRequest)
      .build();

    expect(toolCallback.toolDefinition).toMatchObject({
      name: 'currentWeather',
      description: 'Get the weather in location',
    });
    expect(await answerOf(toolCallback, { location: 'Copenhagen', unit: 'C' })).toBe('{"temp":30,"unit":"C"}');
  });

  it('refuses what the input type does not have, without asking the function', async () => {
    const weatherService = new WeatherService();
    const toolCallback = new FunctionToolCallback({
      name: 'currentWeather',
      toolFunction: (request: WeatherRequest) => weatherService.getWeather(request),
      inputType: WeatherRequest,
    });
    expect(await answerOf(toolCallback, { location: 'Copenhagen', unit: 'K' })).toContain('unit');
    expect(weatherService.requests).toEqual([]);
  });

  it('takes no input, gives nothing back, or receives the context, as the function does', async () => {
    const received: unknown[] = [];
    const supplier = new FunctionToolCallback({ name: 'currentUnit', toolFunction: () => Unit.C });
    const consumer = new FunctionToolCallback({
      name: 'reportWeather',
      inputType: WeatherRequest,
      toolFunction: (request) => void received.push(request.location),
    });
    const biFunction = new FunctionToolCallback({
      name: 'weatherOfUser',
      inputType: WeatherRequest,
      toolFunction: ({ location }, context: ToolContext) => `${String(context.get('user'))} asks for ${location}`,
    });
    expect(supplier.toolDefinition.inputSchema).toMatchObject({ type: 'object', properties: {} });
    expect(await answerOf(supplier)).toBe('C');
    expect(await answerOf(consumer, { location: 'Oslo', unit: 'C' })).toBe('Done');
    expect(received).toEqual(['Oslo']);
    expect(await answerOf(biFunction, { location: 'Oslo', unit: 'F' })).toBe('ada asks for Oslo');
  });

  it('is described by the words of its name when it has no description', () => {
    const toolCallback = new FunctionToolCallback({ name: 'currentWeather', toolFunction: () => 30 });
    expect(toolCallback.toolDefinition.description).toBe('current weather');
  });

  it('takes metadata and a converter of its own', async () => {
    class InWords extends ToolCallResultConverter {
      convert(result: unknown): string {
        const { temp, unit } = result as { temp: number; unit: Unit };
        return `${temp} degrees ${unit}`;
      }
    }
    const toolCallback = FunctionToolCallback.builder<WeatherRequest>()
      .name('currentWeather')
      .toolFunction((request) => new WeatherService().getWeather(request))
      .inputType(WeatherRequest)
      .toolMetadata(ToolMetadata.builder().returnDirect(true).build())
      .toolCallResultConverter(new InWords())
      .build();
    const chatModel = new ScriptedChatModel([
      { toolCalls: [toolCall('currentWeather', { location: 'Oslo', unit: 'C' })] },
    ]);
    const response = await ChatClient.create(chatModel).prompt('How is Oslo?').tools(toolCallback).call().content();
    expect(response).toBe('30 degrees C');
    chatModel.assertDone();
  });
});
