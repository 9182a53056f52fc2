import type { ModelWarning } from '@nestor-ai/core';
import { Logger } from '@nestjs/common';
import type { SpecificationWarning } from '../specification.js';

/** The warnings of a provider package in the form of `ChatResponse.metadata`. Undefined if none. */
export function toModelWarnings(
  warnings: readonly SpecificationWarning[] | undefined,
): readonly ModelWarning[] | undefined {
  if (!warnings || warnings.length === 0) return undefined;
  return warnings.map((warning) => {
    const feature = warning.feature ?? warning.setting;
    const message = warning.details ?? warning.message;
    return { type: warning.type, ...(feature !== undefined && { feature }), ...(message !== undefined && { message }) };
  });
}

/** Characters that names of features have. A text with others may come from a prompt. */
const NAME = /^[\w .:*/()'"-]{1,80}$/;

/** What a warning means and what to do about it, by its type. */
const MEANINGS: Readonly<Record<string, (feature: string, model: string) => string>> = {
  unsupported: (feature, model) =>
    `'${feature}' has no effect on ${model}, which does not support it. Leave it out, or use a model that supports it.`,
  compatibility: (feature, model) =>
    `'${feature}' is used in a compatibility mode with ${model}, which may give worse answers.`,
  deprecated: (feature, model) => `'${feature}' is deprecated for ${model}. Use its replacement.`,
};

/**
 * Logs the warnings about a model, each of them once.
 *
 * Only the type and the name of the feature are logged. The texts of provider packages may quote
 * the request: OpenAI's package quotes the reasoning that it leaves out.
 */
export class WarningLog {
  readonly #logger = new Logger('AiSdkChatModel');
  readonly #logged = new Set<string>();

  /** @param model names the model in the log: `the model 'gpt-5' of openai` */
  constructor(private readonly model: string) {}

  log(warnings: readonly SpecificationWarning[]): void {
    for (const warning of warnings) {
      const name = warning.feature ?? warning.setting;
      const feature = name !== undefined && NAME.test(name) ? name : undefined;
      const key = `${warning.type}:${feature ?? ''}`;
      if (this.#logged.has(key)) continue;
      this.#logged.add(key);
      this.#logger.warn(`${this.#describe(warning.type, feature)} For details, see the warnings in response.metadata.`);
    }
  }

  #describe(type: string, feature: string | undefined): string {
    const meaning = feature === undefined ? undefined : MEANINGS[type];
    return meaning ? meaning(feature!, this.model) : `The provider warns about a request to ${this.model}.`;
  }
}
