import { Inject, Injectable, Logger } from '@nestjs/common';
import { ObservationConvention } from '../observability/observation-convention.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { AiProperties } from './properties/ai-properties.js';
import type { ClientSettings } from './properties/client-properties.js';

/** What each property of a client's observations shows: the option that says so, and what it is called in the log. */
const CONTENTS = {
  logPrompt: { option: 'includePrompt', name: 'prompts' },
  logCompletion: { option: 'includeCompletion', name: 'answers' },
} as const satisfies Record<
  keyof ClientSettings['observations'],
  { readonly option: keyof ObservabilityOptions; readonly name: string }
>;

/** The contents of a client's requests that are in spans and logs. */
export function contentsShownBy({ observations }: ClientSettings): (typeof CONTENTS)[keyof typeof CONTENTS][] {
  const properties = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[];
  return properties.filter((property) => observations[property]).map((property) => CONTENTS[property]);
}

/** What telemetry and logs of the application may show. */
@Injectable()
export class Observability {
  readonly #logger = new Logger('AiModule');

  constructor(
    private readonly properties: AiProperties,
    @Inject(ObservationConvention) private readonly convention: ObservationConvention,
  ) {}

  /** What may be shown of a client's requests, and of all tool calls. */
  of(settings: ClientSettings): ObservabilityOptions {
    const { includeContent, maxContentLength } = this.properties.tools.observations;
    return {
      convention: this.convention,
      includeContent,
      maxContentLength,
      ...Object.fromEntries(contentsShownBy(settings).map(({ option }) => [option, true])),
    };
  }

  /** Tells once that contents are shown, since somebody else may have decided it. */
  warn(clients: ReadonlyMap<string, ClientSettings>): void {
    if (this.properties.tools.observations.includeContent) {
      this.#logger.warn(
        'ai.tools.observations.include-content is on: arguments and results of tools, and messages of errors, are in spans and logs.',
      );
    }
    for (const [client, settings] of clients) {
      const what = contentsShownBy(settings).map(({ name }) => name);
      if (what.length > 0) {
        this.#logger.warn(`What the client '${client}' says and hears (${what.join(' and ')}) is in spans and logs.`);
      }
    }
  }
}
