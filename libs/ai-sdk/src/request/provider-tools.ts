import { ChatModelException, type ProviderTool } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { SpecificationProviderTool } from '../specification.js';

/**
 * Which tools the providers' packages accept: the first match of the model's `provider`, and the
 * beginnings of the tools' ids. The packages leave other tools out with a warning, and the model
 * would answer without them; OpenAI's then sends an empty list, which the API refuses. Models of
 * providers that are not in this list get every tool, such as those of the AI Gateway.
 */
const ACCEPTED: readonly (readonly [provider: RegExp, beginnings: readonly string[], remedy?: string])[] = [
  [/^openai\.responses$/, ['openai']],
  [/^azure\.responses$/, ['openai', 'azure']],
  [
    /^(openai|azure)\.(chat|completion)$/,
    [],
    "Use a model of the Responses API, such as createOpenAI().responses('…').",
  ],
  [/anthropic/, ['anthropic']],
  // Claude on Amazon Bedrock takes Anthropic's tools.
  [/^amazon-bedrock/, ['anthropic']],
  [/^google/, ['google']],
  [/^xai\./, ['xai']],
  [/^groq\./, ['groq']],
  [/^(mistral|deepseek)\./, []],
];

/**
 * The tools of the provider in the form of the specification.
 *
 * @throws ChatModelException for a tool of another provider
 */
export function toSpecificationProviderTools(
  tools: readonly ProviderTool[],
  { provider, modelId }: AiSdkLanguageModel,
): SpecificationProviderTool[] {
  const [, beginnings, remedy] = ACCEPTED.find(([pattern]) => pattern.test(provider)) ?? [];
  return tools.map(({ id, name, args }) => {
    if (beginnings && !beginnings.includes(id.slice(0, id.indexOf('.')))) {
      throw new ChatModelException(
        `The tool '${id}' does not work with the model '${modelId}' of ${provider}. ` +
          (remedy ?? 'Leave it out of the request, or use a model of its provider.'),
      );
    }
    return { type: 'provider', id: id as SpecificationProviderTool['id'], name, args };
  });
}
