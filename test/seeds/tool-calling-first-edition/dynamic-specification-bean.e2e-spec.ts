// Page "Tool Calling" (first edition), section "Dynamic Specification: @Bean"
import { describe, expect, it } from '@jest/globals';
import { toolProvider, ToolRegistry } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { offeredTools, startApplication } from '../../nest/application.js';
import {
  CURRENT_WEATHER_TOOL,
  Unit,
  WEATHER,
  WeatherRequest,
  weatherScript,
  WeatherService,
  WeatherTools,
} from './weather.js';

class Note {
  @IsString() text!: string;
}

describe('a function that a module provides', () => {
  it('is a tool under its name, with its description and the schema of its input', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['Hello.']);
    await client.prompt('Hello').tools(CURRENT_WEATHER_TOOL).call().content();
    expect(model.lastPrompt?.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition)).toEqual([
      {
        name: 'currentWeather',
        description: 'Get the weather in location',
        inputSchema: expect.objectContaining({
          type: 'object',
          properties: {
            location: { type: 'string', description: 'The name of a city or a country' },
            unit: { type: 'string', enum: ['C', 'F'] },
          },
          required: ['location', 'unit'],
        }),
      },
    ]);
  });

  it('is found at run time by its name, and called with an instance of its input', async () => {
    const { app, client, model } = await startApplication({ imports: [WeatherTools] }, weatherScript());
    await client.prompt('How is Copenhagen?').tools(CURRENT_WEATHER_TOOL).call().content();
    const [request] = app.get(WeatherService, { strict: false }).requests;
    expect(request).toBeInstanceOf(WeatherRequest);
    expect(request).toEqual({ location: 'Copenhagen', unit: Unit.C });
    expect(model.toolResponses).toEqual([WEATHER]);
  });

  it('is described by the words of its name when it has no description', async () => {
    const { app } = await startApplication({
      providers: [toolProvider('currentWeather', { useFactory: () => () => 'Sunny' })],
    });
    expect(app.get(ToolRegistry).get('currentWeather')?.description).toBe('current weather');
  });

  it('is missed at run time only, when its name is misspelt: the caller is told the nearest one', async () => {
    const { client, model } = await startApplication({ imports: [WeatherTools] }, ['never asked']);
    await expect(client.prompt('How is it?').tools('curentWeather').call().content()).rejects.toThrow(
      "Did you mean 'currentWeather'?",
    );
    expect(model.prompts).toEqual([]);
  });
});

describe('a function of any kind may be such a tool', () => {
  const notes: string[] = [];
  const providers = [
    toolProvider('getTime', { useFactory: () => () => '10:15' }),
    toolProvider('noteDown', {
      inputType: Note,
      useFactory: () => (note) => {
        notes.push(note.text);
      },
    }),
    toolProvider('getWeather', {
      inputType: WeatherRequest,
      useFactory: () => (request, context) => `Sunny in ${request.location}, ${context.get<string>('user')}`,
    }),
  ];

  it('one that takes nothing, one that gives nothing, and one that takes the context besides', async () => {
    const { client, model } = await startApplication({ providers }, [
      {
        toolCalls: [
          toolCall('getTime'),
          toolCall('noteDown', { text: 'buy milk' }),
          toolCall('getWeather', { location: 'Rome', unit: 'F' }),
        ],
      },
      'Done.',
    ]);
    const request = client.prompt('Go').tools('getTime', 'noteDown', 'getWeather').toolContext({ user: 'ada' });
    expect(await request.call().content()).toBe('Done.');
    expect(offeredTools(model)).toEqual(['getTime', 'noteDown', 'getWeather']);
    expect(model.toolResponses).toEqual(['10:15', 'Done', 'Sunny in Rome, ada']);
    expect(notes).toEqual(['buy milk']);
  });
});
