import { describe, expect, it } from '@jest/globals';
import { cleanOutput } from './output-text.js';

describe('cleanOutput', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['```\n[1]\n```', '[1]'],
    ['<thinking>x</thinking>[1]', '[1]'],
    ['"a ```json\\n text"', '"a ```json\\n text"'],
    ['no JSON at all', 'no JSON at all'],
    ['{"title":"use <think>secret</think> tags"}', '{"title":"use <think>secret</think> tags"}'],
    ['Here: {"a":1}', '{"a":1}'],
    ['As noted in [1], it is {"a":1}', '{"a":1}'],
    ['{"a":1}\nHope this helps [sic]', '{"a":1}'],
    ['hmm, {braces}\n</think>\n{"a":1}', '{"a":1}'],
    ['[Note] here:\n```json\n{"a":1}\n```', '{"a":1}'],
    ['1 film found:\n```json\n{"a":1}\n```', '{"a":1}'],
    ['```json\n{"a":1}\n```\nor\n```json\n{"b":2}\n```', '{"a":1}'],
    ['```bash\nls\n```\n```json\n{"a":1}\n```', '{"a":1}'],
    ['Sure: ```json {"a":1}```', '{"a":1}'],
    ['```42```', '42'],
    ['```true```', 'true'],
    ['<think>only thoughts', ''],
    ['<think>In İzmir or İstanbul?</think>{"a":1}', '{"a":1}'],
    ['İİİİİİİİİİ</THINK>"a"', '"a"'],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
  });

  it('takes linear time for a model that repeats its tags', () => {
    expect(cleanOutput(`${'<think></think>'.repeat(100_000)}[1]`)).toBe('[1]');
  });
});
