import type { Prompt } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

/** Answers in place of a model, so that this example runs without a key. */
export class OfflineModel extends ScriptedChatModel {
  constructor() {
    super(answer);
  }
}

function answer({ lastUserOrToolResponseMessage: last }: Prompt) {
  if (last?.role === 'tool') {
    const text = last.responses.map(({ name, responseData }) => `${name} says: ${responseData}`).join('\n');
    return { text, delay: 20 };
  }
  const id = Number(last?.text.match(/\d+/)?.[0] ?? 7);
  return { toolCalls: [toolCall(/refund/i.test(last?.text ?? '') ? 'refundOrder' : 'findOrder', { id })] };
}
