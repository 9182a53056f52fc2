import { describe, expect, it } from '@jest/globals';
import { loadLexicon } from './lexicon.js';
import { RELATED } from './lexicon.data.js';
import { stem } from './words.js';

describe('loadLexicon', () => {
  const lexicon = loadLexicon();

  it('returns how significant a word is', () => {
    expect(lexicon.weightOf(stem('not'))).toBe(0.3);
    expect(lexicon.weightOf(stem('sometimes'))).toBe(0.45);
    expect(lexicon.weightOf(stem('zest'))).toBe(0.95);
  });

  it('gives an unknown word the full weight', () => {
    expect(lexicon.weightOf('kubernet')).toBe(1);
  });

  it('returns related words with their weights, nearest first', () => {
    expect(lexicon.relatedTo(stem('abstract'))).toEqual([
      ['abstractor', 0.35],
      ['concept', 0.2],
      ['construct', 0.2],
    ]);
  });

  it('reads the first and the last word of the data, and those at the ends of its lines', () => {
    expect(lexicon.relatedTo('abdomen')).toEqual([['abdomin', 0.35]]);
    expect(lexicon.relatedTo('babbl')).toEqual([['babbler', 0.35]]);
    expect(lexicon.relatedTo('zinc')).toEqual([['metal', 0.2]]);
  });

  it('returns no related words for an unknown word', () => {
    expect(lexicon.relatedTo('kubernet')).toEqual([]);
  });

  it('has related words in each row, and only weights between 0 and 1', () => {
    const stems = RELATED.split(/[\n;]/).map((row) => row.split(' ')[0]!);
    expect(stems.length).toBeGreaterThan(5_000);
    const wrong = stems.filter((key) => {
      const others = lexicon.relatedTo(key);
      return (
        others.length === 0 || others.some(([other, weight]) => !/^[a-z]+$/.test(other) || !(weight > 0 && weight < 1))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('is loaded once', () => {
    expect(loadLexicon()).toBe(lexicon);
  });
});
