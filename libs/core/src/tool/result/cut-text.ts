/** The beginning of a text that is too long, with a mark that says how much is left out. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A character outside the basic plane is not cut in half.
  const last = text.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}\n[Cut here: these are the first ${end} of ${text.length} characters.]`;
}
