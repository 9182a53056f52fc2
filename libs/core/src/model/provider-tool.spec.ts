import { expect, it } from '@jest/globals';
import { providerTool, toProviderTool } from './provider-tool.js';

it('keeps what a copy of a tool of the provider says about trust', () => {
  const search = providerTool('openai.web_search', { limit: 3 }, { untrusted: false });
  expect(toProviderTool(search)).toBe(search);
  expect(toProviderTool({ ...search })).toEqual(search);
});
