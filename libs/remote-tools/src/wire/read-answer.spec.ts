import { describe, expect, it } from '@jest/globals';
import { readToolsAnswer } from './read-answer.js';

const ANSWER = { question: 'q', service: 'shop', instance: 'a', startedAt: 1, isAddressed: false, revision: 'r' };
const TOOL = { name: 'find', description: 'Finds', inputSchema: { type: 'object' } };

describe('readToolsAnswer', () => {
  it.each([
    {},
    { ...ANSWER, service: 7 },
    { ...ANSWER, startedAt: '1' },
    { ...ANSWER, isAddressed: 'no' },
    { ...ANSWER, tools: {} },
  ])('refuses %j', (content) => expect(readToolsAnswer(content)).toBeUndefined());

  it.each([
    null,
    'find',
    { ...TOOL, name: '' },
    { ...TOOL, description: 7 },
    { ...TOOL, inputSchema: [] },
    { ...TOOL, effect: 'harmless' },
    { ...TOOL, timeout: 'soon' },
    { ...TOOL, needsApproval: 'no' },
    { ...TOOL, inputExamples: 'x' },
  ])('leaves out the tool %j', (tool) => {
    expect(readToolsAnswer({ ...ANSWER, tools: [TOOL, tool] })?.tools).toEqual([TOOL]);
  });
});
