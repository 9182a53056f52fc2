/** How the semantic conventions of OpenTelemetry name those that the AI SDK names otherwise; the longer beginning comes first. */
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
 * Who runs a model, as telemetry names it (`gen_ai.provider.name`): `openai.chat` of the AI SDK is `openai`.
 *
 * @param provider as the language model names it
 */
export function toProviderName(provider: unknown): string | undefined {
  if (typeof provider !== 'string' || provider === '') return undefined;
  const found = CONVENTIONAL.find(([beginning]) => provider.startsWith(beginning));
  return found ? found[1] : provider.split('.')[0];
}
