import { Inject, Injectable } from '@nestjs/common';
import { ContentRedactor } from '../model/content-redactor.js';
import { ObservationConvention } from '../observability/observation-convention.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import { AiProperties } from './properties/ai-properties.js';
import type { ClientSettings } from './properties/client-properties.js';

/** For each property that shows contents: the option it sets and its name in the log. */
const CONTENTS = {
  logPrompt: { option: 'includePrompt', name: 'prompts' },
  logCompletion: { option: 'includeCompletion', name: 'answers' },
} as const satisfies Record<
  keyof ClientSettings['observations'],
  { readonly option: keyof ObservabilityOptions; readonly name: string }
>;

/** The contents of a client's requests that spans and logs contain. */
export function contentsShownBy({ observations }: ClientSettings): (typeof CONTENTS)[keyof typeof CONTENTS][] {
  const properties = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[];
  return properties.flatMap((property) => (observations[property] ? CONTENTS[property] : []));
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
  of(settings: ClientSettings): ObservabilityOptions {
    const { includeContent } = this.properties.tools.observations;
    return {
      convention: this.convention,
      redactor: this.redactor,
      includeContent,
      ...Object.fromEntries(contentsShownBy(settings).map(({ option }) => [option, true])),
    };
  }
}
