const STOP_WORDS = new Set(
  (
    'a an and any are as at be by can could do does for from get give had has have how i if in is it its let me my ' +
    'of on or please set show so some tell than that the their them then there these this to us use using want was we ' +
    'what when where which who will with would you your'
  ).split(' '),
);

/** The words that carry meaning, in lower case. Splits camelCase and snake_case, and cuts endings. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map(stem);
}

function stem(word: string): string {
  const cut = word.replace(/(ies)$/, 'y').replace(/(?<=\w{3})(ing|ed|es|s)$/, '');
  return cut.replace(/(.)\1$/, '$1');
}
