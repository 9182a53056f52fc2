import type { ModelWarning, Prompt } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';

const NO_WARNINGS: readonly ModelWarning[] = Object.freeze([]);
const NO_REASONING: readonly ModelWarning[] = Object.freeze([
  Object.freeze({
    type: 'unsupported',
    feature: 'reasoning',
    message:
      'Models of version 3 of the AI SDK have no option for the reasoning effort. Set it in the providerOptions, or install ' +
      'the next major version of the provider package.',
  }),
]);

/**
 * What a request asks for and this package cannot pass on to the model, in the form of a provider's
 * warnings.
 *
 * @param prompt the prompt with the default options of the model
 */
export function warningsOfRequest(
  { options }: Prompt,
  { specificationVersion }: AiSdkLanguageModel,
): readonly ModelWarning[] {
  const { reasoning } = options ?? {};
  if (specificationVersion === 'v4' || reasoning === undefined || reasoning === 'provider-default') return NO_WARNINGS;
  return NO_REASONING;
}
