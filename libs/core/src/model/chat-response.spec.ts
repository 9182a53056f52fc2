import { describe, expect, it } from '@jest/globals';
import { ChatResponse } from './chat-response.js';
import { AssistantMessage } from './messages.js';

const A = new AssistantMessage('A');

describe('a response', () => {
  it('finds out whether it ended for one of several reasons', () => {
    const of = (...reasons: (string | undefined)[]): ChatResponse =>
      new ChatResponse({
        results: reasons.map((finishReason) => ({ output: A, ...(finishReason && { metadata: { finishReason } }) })),
      });
    expect(of('stop').hasFinishReasons(['length', 'stop'])).toBe(true);
    expect(of(undefined, 'length').hasFinishReasons(new Set(['length']))).toBe(true);
    expect(of('stop').hasFinishReasons(['length'])).toBe(false);
    expect(of().hasFinishReasons(['stop'])).toBe(false);
  });
});
