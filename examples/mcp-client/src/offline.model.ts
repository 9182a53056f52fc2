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
    return last.responses.map(({ name, responseData }) => `${name} says: ${responseData}`).join('\n');
  }
  const city = last?.text.match(/in (\w+)/)?.[1] ?? 'Paris';
  return { toolCalls: [toolCall('weather', { city })] };
}
