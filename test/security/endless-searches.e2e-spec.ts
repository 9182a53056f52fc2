import { describe, expect, it } from '@jest/globals';
import { toolCall } from '@nestor-ai/testing';
import { RegexToolIndex } from '@nestor-ai/tool-search';
import { provided, sent, startWithSearch, tool } from '../tool-search/application.js';

/** A text that is hard to match, the same in each run. */
function hardText(seed: number): string {
  let state = seed;
  return Array.from({ length: 2000 }, () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state & 65_536 ? 'a' : 'b';
  }).join('');
}

const TEXTS = Array.from({ length: 50 }, (_, seed) => hardText(seed));
const MANY = 3000;
// With all tools, each of them would take minutes.
const PATTERNS = [String.raw`(\w+\s?){60}$`, '[ab]*a[ab]{240}$', '([ab]{1,200}a?)+$'];

describe('a model that searches thousands of tools for a pattern that is slow to match', () => {
  it.each(PATTERNS)('gets an answer, and is told that it is not complete: %s', async (query) => {
    const tools = Array.from({ length: MANY }, (_, at) => tool(`tool_${at}`, TEXTS[at % TEXTS.length]!));
    const { client, model } = await startWithSearch(
      { providers: [provided(...tools)] },
      [{ toolCalls: [toolCall('toolSearchTool', { query })] }, 'done'],
      { 'tool-index-type': 'regex' },
    );
    await client.prompt('Go').call().content();
    const [names, remark] = model.toolResponses[0]!.split('\n');
    expect(remark).toMatch(
      /^The search has taken too long, and has not looked at all tools\. Search again for plain words/,
    );
    expect(sent(model.lastPrompt)).toEqual(['toolSearchTool', ...(JSON.parse(names!) as string[])]);
  });
});

describe('an index of patterns', () => {
  it('says whether it has looked at all tools', async () => {
    const index = new RegexToolIndex();
    const search = async (count: number) => {
      const tools = Array.from({ length: count }, (_, at) => ({
        toolName: `tool_${at}`,
        summary: TEXTS[at % TEXTS.length]!,
      }));
      await index.replaceTools('s', tools);
      return index.search({ sessionId: 's', query: PATTERNS[0]! });
    };
    const slow = await search(MANY);
    expect(slow.searchMetadata.isCut).toBe(true);
    expect(slow.totalMatches).toBeLessThan(MANY);
    const quick = await search(1);
    expect(Object.keys(quick.searchMetadata)).toEqual(['searchType', 'query', 'searchTimeMs']);
    expect(quick.totalMatches).toBe(1);
  });
});
