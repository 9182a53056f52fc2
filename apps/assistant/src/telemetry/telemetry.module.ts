import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { startTelemetry, type Telemetry, type TelemetryTargets } from './start-telemetry.js';

const TELEMETRY = Symbol('Telemetry');

/** Registers the SDK of OpenTelemetry as long as the application runs, and gives away what is left when it ends. */
@Module({})
export class TelemetryModule implements OnApplicationShutdown {
  constructor(@Inject(TELEMETRY) private readonly telemetry: Telemetry) {}

  /** @returns nothing to import when telemetry is to go nowhere */
  static of(targets: TelemetryTargets): DynamicModule[] {
    if (!targets.console && !targets.collector) return [];
    const telemetry = { provide: TELEMETRY, useFactory: () => startTelemetry(targets) };
    return [{ module: TelemetryModule, providers: [telemetry] }];
  }

  onApplicationShutdown(): Promise<void> {
    return this.telemetry.shutdown();
  }
}
