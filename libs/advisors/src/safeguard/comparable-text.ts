/** A JSON escape, which a model reads as the character. */
const ESCAPE = /\\u([\da-f]{4})/giu;

/**
 * Invisible characters: soft hyphens, zero-width and others, and controls other than white space.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu;

/**
 * Marks that are drawn over any letter, such as a stroke. Excludes the vowels and tones of scripts
 * that are written with marks.
 */
const OVERLAY = /(?=\p{M})\p{Script=Inherited}/gu;

/**
 * A text in a form for comparison: it ignores case, Unicode variants of a letter (`ｓ`, `𝐬`), white
 * space and invisible characters. Letters with accents stay different letters.
 */
export function comparableText(text: string): string {
  return text
    .replace(ESCAPE, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(INVISIBLE, '')
    .replace(/\s+/gu, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .replace(OVERLAY, '');
}
