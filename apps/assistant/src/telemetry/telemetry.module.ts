import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { startTelemetry, type Telemetry, type TelemetryTargets } from './start-telemetry.js';

const TELEMETRY = Symbol('Telemetry');

/** Runs the OpenTelemetry SDK while the application runs, and flushes it at shutdown. */
@Module({})
export class TelemetryModule implements OnApplicationShutdown {
  constructor(@Inject(TELEMETRY) private readonly telemetry: Telemetry) {}

  /** @returns no modules if telemetry has no target */
  static of(targets: TelemetryTargets): DynamicModule[] {
    if (!targets.console && !targets.collector) return [];
    const telemetry = { provide: TELEMETRY, useFactory: () => startTelemetry(targets) };
    return [{ module: TelemetryModule, providers: [telemetry] }];
  }

  onApplicationShutdown(): Promise<void> {
    return this.telemetry.shutdown();
  }
}
