import { expect, test } from '@jest/globals';
import { commonUi, TOOL_UIS, showsInput, showsResult } from './tool-ui.js';

test('two settings together show what both of them show', () => {
  for (const one of TOOL_UIS) {
    for (const other of TOOL_UIS) {
      const common = commonUi(one, other);
      expect(showsInput(common)).toBe(showsInput(one) && showsInput(other));
      expect(showsResult(common)).toBe(showsResult(one) && showsResult(other));
    }
  }
});
