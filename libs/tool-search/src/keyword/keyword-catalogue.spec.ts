import { expect, it } from '@jest/globals';
import { KeywordCatalogue } from './keyword-catalogue.js';

it('reads its tools once, when it is searched, since most catalogues of tools that come one by one never are', () => {
  let reads = 0;
  const tool = {
    toolName: 'sail',
    get summary() {
      reads++;
      return 'Sails a blue boat';
    },
  };
  const catalogue = new KeywordCatalogue([tool]);
  expect(reads).toBe(0);
  const found = ['boat', 'blue'].map((query) => catalogue.search({ query, limit: 1 }).map(({ toolName }) => toolName));
  expect(found).toEqual([['sail'], ['sail']]);
  expect(reads).toBe(1);
});
