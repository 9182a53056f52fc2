import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { IsEnum, IsNotEmpty, IsOptional, IsString } from 'class-validator';

export enum TemperatureUnit {
  Celsius = 'celsius',
  Fahrenheit = 'fahrenheit',
}

/** The input of the tool. class-validator checks it, and `@ToolParam` describes it to the model. */
export class WeatherRequest {
  @ToolParam({ description: 'Name of the city' })
  @IsString()
  @IsNotEmpty()
  city!: string;

  @ToolParam({ description: 'Unit of the temperature' })
  @IsOptional()
  @IsEnum(TemperatureUnit)
  unit?: TemperatureUnit;
}

/** Yearly mean temperatures in degrees Celsius. */
const CLIMATE: Readonly<Record<string, { celsius: number; sky: string }>> = {
  athens: { celsius: 19, sky: 'mostly sunny' },
  berlin: { celsius: 10, sky: 'often cloudy' },
  london: { celsius: 12, sky: 'often rainy' },
  madrid: { celsius: 15, sky: 'mostly sunny' },
  'new york': { celsius: 13, sky: 'changeable' },
  paris: { celsius: 13, sky: 'changeable' },
  'san francisco': { celsius: 14, sky: 'foggy mornings' },
  tokyo: { celsius: 16, sky: 'humid' },
};

/** A tool whose input is a class. */
@Injectable()
export class WeatherTools {
  @Tool({ description: 'Get the typical weather and temperature of a city', mcp: true, effect: 'read' })
  getWeather({ city, unit = TemperatureUnit.Celsius }: WeatherRequest) {
    const known = city.trim().toLowerCase();
    const climate = Object.hasOwn(CLIMATE, known) ? CLIMATE[known] : undefined;
    if (!climate) throw new Error(`Unknown city ${city}. Known cities: ${Object.keys(CLIMATE).join(', ')}.`);
    const { celsius, sky } = climate;
    const temperature = unit === TemperatureUnit.Celsius ? celsius : Math.round(celsius * 1.8 + 32);
    return { city, temperature, unit, sky };
  }
}
