import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { IsEnum, IsNotEmpty, IsOptional, IsString } from 'class-validator';

export enum TemperatureUnit {
  Celsius = 'celsius',
  Fahrenheit = 'fahrenheit',
}

/** What the model has to give: read by class-validator, described by `@ToolParam`. */
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

/** Yearly means, in degrees Celsius: what this example knows of the weather. */
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

/** A tool with a class as its input. */
@Injectable()
export class WeatherTools {
  @Tool({ description: 'Get the typical weather and temperature of a city' })
  getWeather({ city, unit = TemperatureUnit.Celsius }: WeatherRequest) {
    const known = city.trim().toLowerCase();
    const climate = Object.hasOwn(CLIMATE, known) ? CLIMATE[known] : undefined;
    if (!climate) throw new Error(`Nothing is known of ${city}. Known cities: ${Object.keys(CLIMATE).join(', ')}.`);
    const { celsius, sky } = climate;
    const temperature = unit === TemperatureUnit.Celsius ? celsius : Math.round(celsius * 1.8 + 32);
    return { city, temperature, unit, sky };
  }
}
