/** Cuts a text that is too long, and adds a note with the number of characters left. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return cutAt(text, maxLength, (length) => `Cut here: these are the first ${length} of ${text.length} characters.`);
}

/**
 * Cuts a text and adds a note.
 *
 * @param mark returns the note for the number of characters that are left
 */
export function cutAt(text: string, maxLength: number, mark: (length: number) => string): string {
  // Do not split a surrogate pair, unless nothing would be left.
  const last = text.charCodeAt(maxLength - 1);
  const length = last >= 0xd800 && last <= 0xdbff && maxLength > 1 ? maxLength - 1 : maxLength;
  return `${detached(text.slice(0, length))}\n[${mark(length)}]`;
}

/** A slice would keep the whole text in memory for as long as the conversation lives. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
