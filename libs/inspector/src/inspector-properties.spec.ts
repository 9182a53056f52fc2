import { describe, expect, it } from '@jest/globals';
import { readInspectorProperties } from './inspector-properties.js';

const read = (inspector: object) => {
  const values = new Map([['ai', { inspector }]]);
  return readInspectorProperties(values);
};

describe('the properties of the inspector', () => {
  it('are read from the configuration', () => {
    expect(read({ content: 'true' })).toEqual({ content: true });
  });

  it.each([
    [{ content: 'maybe' }, /ai\.inspector\.content is 'maybe', but has to be/],
    [{ contents: true }, 'The property ai.inspector.contents is not known. Did you mean ai.inspector.content?'],
    [{ path: 'ai' }, 'The property ai.inspector.path is not known. Known here: content.'],
  ])('are refused if they are wrong or not known: %j', (inspector, message) => {
    expect(() => read(inspector)).toThrow(message);
  });
});
