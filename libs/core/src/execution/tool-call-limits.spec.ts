import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, UserMessage } from '../model/messages.js';
import { providerTool } from '../model/provider-tool.js';
import { countToolCalls, providerToolsWithin } from './tool-call-limits.js';

const search = providerTool('anthropic.web_search_20250305');
const code = providerTool('anthropic.code_execution_20250522');
const searched = (...ids: string[]): AssistantMessage =>
  new AssistantMessage({ providerToolCalls: ids.map((id) => ({ id, name: 'web_search', arguments: '{}' })) });
const history = [searched('0'), new UserMessage('Go'), searched('1', '2'), searched('3')];

describe('calls of provider tools', () => {
  it('count since the last user message', () => {
    expect(countToolCalls(history)).toEqual({ byName: new Map([['web_search', 3]]), total: 3 });
  });

  it.each([
    [{ maxCallsPerTool: 3 }, [code]],
    [{ maxCallsPerTool: 4 }, [search, code]],
    [{ maxCallsPerToolName: { web_search: 2 } }, [code]],
    [{ maxCallsPerTool: 3, excludedTools: ['web_search'] }, [search, code]],
    [{ maxTotalToolCalls: 3 }, []],
    [{ maxTotalToolCalls: -1, maxCallsPerTool: -1 }, [search, code]],
  ])('leave the tools within %j', (limits, left) => {
    expect(providerToolsWithin([search, code], limits, countToolCalls(history))).toEqual(left);
  });
});
