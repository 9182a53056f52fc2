/**
 * Estimates the tokens of a text, or of a value as compact JSON: four bytes of UTF-8 are one token.
 * See apps/benchmark/README.md for how far it is from what two tokenizers count.
 */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text ?? '') / 4);
}
