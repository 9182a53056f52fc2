/** A text without halves of characters, as a tool makes them that cuts an emoji: providers refuse such JSON. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
