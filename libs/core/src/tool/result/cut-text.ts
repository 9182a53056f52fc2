/** The beginning of a text that is too long, with a mark that says how much is left out. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A character outside the basic plane is not cut in half.
  const last = text.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${detached(text.slice(0, end))}\n[Cut here: these are the first ${end} of ${text.length} characters.]`;
}

/** A piece of a text keeps the whole in memory, for as long as the conversation lives that it is part of. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
