/** The beginning of a text that is too long, with a mark that says how much is left out. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return cutAt(text, maxLength, (length) => `Cut here: these are the first ${length} of ${text.length} characters.`);
}

/**
 * The beginning of a text, with a mark.
 *
 * @param mark what the mark says, for so many characters
 */
export function cutAt(text: string, maxLength: number, mark: (length: number) => string): string {
  // A character outside the basic plane is not cut in half, unless nothing else would be left.
  const last = text.charCodeAt(maxLength - 1);
  const length = last >= 0xd800 && last <= 0xdbff && maxLength > 1 ? maxLength - 1 : maxLength;
  return `${detached(text.slice(0, length))}\n[${mark(length)}]`;
}

/** A piece of a text keeps the whole in memory, for as long as the conversation lives that it is part of. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
