/**
 * OpenTelemetry's names for providers that the AI SDK names differently. Longer prefixes come
 * first.
 */
const CONVENTIONAL: readonly (readonly [beginning: string, name: string])[] = [
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
];

/**
 * The provider's name for telemetry (`gen_ai.provider.name`): the AI SDK's `openai.chat` becomes
 * `openai`.
 *
 * @param provider the `provider` of the language model
 */
export function toProviderName(provider: unknown): string | undefined {
  if (typeof provider !== 'string' || provider === '') return undefined;
  const found = CONVENTIONAL.find(([beginning]) => provider.startsWith(beginning));
  return found ? found[1] : provider.split('.')[0];
}
