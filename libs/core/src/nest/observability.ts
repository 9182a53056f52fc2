import { Inject, Injectable } from '@nestjs/common';
import { ContentRedactor } from '../model/content-redactor.js';
import { ObservationConvention } from '../observability/observation-convention.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { AiProperties } from './properties/ai-properties.js';
import type { ClientSettings } from './properties/client-properties.js';

/** The contents of a client's requests that spans and logs contain, in words. */
export function contentsShownBy({ observations }: ClientSettings): readonly string[] {
  return [...(observations.logPrompt ? ['prompts'] : []), ...(observations.logCompletion ? ['answers'] : [])];
}

/** Decides which contents traces and logs may contain. */
@Injectable()
export class Observability {
  constructor(
    private readonly properties: AiProperties,
    @Inject(ObservationConvention) private readonly convention: ObservationConvention,
    @Inject(ContentRedactor) private readonly redactor: ContentRedactor | undefined,
  ) {}

  /** The settings for a client's requests and all tool calls. */
  of({ observations }: ClientSettings): ObservabilityOptions {
    return {
      convention: this.convention,
      redactor: this.redactor,
      includeContent: this.properties.tools.observations.includeContent,
      includePrompt: observations.logPrompt,
      includeCompletion: observations.logCompletion,
    };
  }
}
