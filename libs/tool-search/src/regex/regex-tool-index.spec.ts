import { describe, expect, it } from '@jest/globals';
import { names } from '../../../../test/tool-search/indexes.js';
import { RegexToolIndex } from './regex-tool-index.js';

describe('a regex index', () => {
  const index = new RegexToolIndex();

  it('converts words to a pattern', () => {
    expect(index.convertQueryToRegexPattern('weather tools')).toBe('(?i)(weather|tools)');
    expect(index.convertQueryToRegexPattern('The WEATHER, the I')).toBe('(?i)(weather)');
    expect(index.convertQueryToRegexPattern('the')).toBe('(?i)(the)');
    expect(index.convertQueryToRegexPattern(' ')).toBe('.*');
    expect(index.convertQueryToRegexPattern('a+b c++')).toBe(String.raw`(?i)(a\+b|c\+\+)`);
    expect(index.convertQueryToRegexPattern('longword '.repeat(3) + 'w'.repeat(300)).length).toBeLessThan(200);
  });

  it('knows which patterns can be searched for', () => {
    expect(index.isValidPattern('^git.*')).toBe(true);
    for (const pattern of ['[a', '(?=x)', String.raw`(a)\1`, null, undefined, 7]) {
      expect(index.isValidPattern(pattern)).toBe(false);
    }
  });

  it('finds by pattern if the query is one, and by words if it only looks like one', async () => {
    await index.indexTools('a', [
      { toolName: 'github_create_issue', summary: 'Create an issue' },
      { toolName: 'github_list', summary: 'List repositories' },
      { toolName: 'jira_create_issue', summary: 'Create an issue' },
    ]);
    expect((await names(index, '^github_.*')).sort()).toEqual(['github_create_issue', 'github_list']);
    expect((await names(index, '/issue$/')).sort()).toEqual(['github_create_issue', 'jira_create_issue']);
    expect((await names(index, '(github|jira)_create')).sort()).toEqual(['github_create_issue', 'jira_create_issue']);
    expect(await names(index, 'list [all] the repositories?')).toEqual(['github_list']);
    expect(await names(index, '')).toHaveLength(3);
  });

  it('does not hang on a pattern with catastrophic backtracking', async () => {
    await index.indexTools('b', [{ toolName: 'a'.repeat(60), summary: `${'a'.repeat(5000)}!` }]);
    const { toolReferences } = await index.search({ sessionId: 'b', query: '(a+)+$|(a|aa)+b' });
    expect(toolReferences.length).toBeLessThanOrEqual(1);
  });

  it('finds parts of words, and prefers names to descriptions', async () => {
    await index.indexTools('c', [
      { toolName: 'other', summary: 'Sorts by category' },
      { toolName: 'catalogue', summary: 'Lists things' },
    ]);
    const { toolReferences } = await index.search({ sessionId: 'c', query: 'cat' });
    expect(toolReferences.map(({ toolName }) => toolName)).toEqual(['catalogue', 'other']);
  });
  it('does not search for patterns with a huge program', () => {
    for (const pattern of [String.raw`((\w?){30}){30}!.*`, String.raw`((\w?){10}){90}!.*`, '(a{500}){2}']) {
      expect(index.isValidPattern(pattern)).toBe(false);
    }
  });
});
