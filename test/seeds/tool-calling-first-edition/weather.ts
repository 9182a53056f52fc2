import { Injectable, Module } from '@nestjs/common';
import { FunctionToolCallback, ToolParam, toolProvider } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { IsEnum, IsString } from 'class-validator';

export enum Unit {
  C = 'C',
  F = 'F',
}

export class WeatherRequest {
  @ToolParam({ description: 'The name of a city or a country' })
  @IsString()
  location!: string;

  @IsEnum(Unit)
  unit!: Unit;
}

export interface WeatherResponse {
  temp: number;
  unit: Unit;
}

@Injectable()
export class WeatherService {
  readonly requests: WeatherRequest[] = [];

  apply(request: WeatherRequest): WeatherResponse {
    this.requests.push(request);
    return { temp: 30, unit: Unit.C };
  }
}

/** The name of the tool, for requests that ask for it. */
export const CURRENT_WEATHER_TOOL = 'currentWeather';

@Module({
  providers: [
    WeatherService,
    toolProvider(CURRENT_WEATHER_TOOL, {
      description: 'Get the weather in location',
      inputType: WeatherRequest,
      inject: [WeatherService],
      useFactory: (weatherService: WeatherService) => (request) => weatherService.apply(request),
    }),
    // Stands beside it, so that a request for one tool is told from a request for all.
    toolProvider('wishes', { useFactory: () => () => 'sun' }),
  ],
})
export class WeatherTools {}

export const QUESTION = "What's the weather like in Copenhagen?";

export const ANSWER = 'It is 30 degrees in Copenhagen.';

/** A model that asks for the weather once, and answers. */
export const weatherScript = (): ScriptEntry[] => [
  { toolCalls: [toolCall(CURRENT_WEATHER_TOOL, { location: 'Copenhagen', unit: 'C' })] },
  ANSWER,
];

/** What the tool tells the model. */
export const WEATHER = '{"temp":30,"unit":"C"}';

/** A tool that nobody has registered. */
export const namedTool = (name: string, result = `${name} done`): FunctionToolCallback =>
  new FunctionToolCallback({ name, toolFunction: () => result });
