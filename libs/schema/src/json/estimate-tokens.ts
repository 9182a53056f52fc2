/** Estimates the tokens of a text, or of a value as compact JSON: four characters are one token. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil((text ?? '').length / 4);
}
