/**
 * Options that only one provider understands, keyed by its name in the AI SDK:
 * `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`. Other providers ignore them.
 */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Merges two sets of options. For each provider, the keys of `overrides` win. */
export function mergeProviderOptions(
  defaults: ProviderOptions | undefined,
  overrides: ProviderOptions | undefined,
): ProviderOptions | undefined {
  if (!defaults || !overrides) return overrides ?? defaults;
  const merged = { ...defaults };
  for (const [provider, options] of Object.entries(overrides)) {
    merged[provider] = { ...merged[provider], ...options };
  }
  return merged;
}
