import { IsEnum, IsString } from 'class-validator';

export enum Unit {
  C = 'C',
  F = 'F',
}

export class WeatherRequest {
  @IsString() location!: string;
  @IsEnum(Unit) unit!: Unit;
}

export class WeatherResponse {
  constructor(
    readonly temp: number,
    readonly unit: Unit,
  ) {}
}

/** The weather of the page's examples: 30 degrees everywhere. */
export class WeatherService {
  readonly requests: WeatherRequest[] = [];

  getWeather(request: WeatherRequest): WeatherResponse {
    this.requests.push(request);
    return new WeatherResponse(30, Unit.C);
  }
}
