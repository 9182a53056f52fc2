import { Inject, Injectable, Logger } from '@nestjs/common';
import { ObservationConvention } from '../observability/observation-convention.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { AiProperties } from './properties/ai-properties.js';
import type { ClientSettings } from './properties/client-properties.js';

/** What telemetry and logs of the application may show. */
@Injectable()
export class Observability {
  readonly #logger = new Logger('AiModule');

  constructor(
    private readonly properties: AiProperties,
    @Inject(ObservationConvention) private readonly convention: ObservationConvention,
  ) {}

  /** What may be shown of a client's requests, and of all tool calls. */
  of({ observations }: ClientSettings): ObservabilityOptions {
    const { includeContent, maxContentLength } = this.properties.tools.observations;
    return {
      convention: this.convention,
      includeContent,
      maxContentLength,
      includePrompt: observations.logPrompt,
      includeCompletion: observations.logCompletion,
    };
  }

  /** Tells once that contents are shown, since somebody else may have decided it. */
  warn(clients: ReadonlyMap<string, ClientSettings>): void {
    if (this.properties.tools.observations.includeContent) {
      this.#logger.warn(
        'ai.tools.observations.include-content is on: arguments and results of tools, and messages of errors, are in spans and logs.',
      );
    }
    for (const [name, { observations }] of clients) {
      const what = [...(observations.logPrompt ? ['prompts'] : []), ...(observations.logCompletion ? ['answers'] : [])];
      if (what.length > 0) {
        this.#logger.warn(`What the client '${name}' says and hears (${what.join(' and ')}) is in spans and logs.`);
      }
    }
  }
}
