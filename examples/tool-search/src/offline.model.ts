import type { Prompt } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

/** Answers in place of a model, so that this example runs without a key. */
export class OfflineModel extends ScriptedChatModel {
  constructor() {
    super(answer);
  }
}

/** Searches for a tool that fits the question, and calls `findTrains` when it is found. */
function answer({ userMessage, lastUserOrToolResponseMessage: last }: Prompt) {
  const question = userMessage?.text ?? '';
  if (last?.role !== 'tool') return { toolCalls: [toolCall('toolSearchTool', { query: question })] };
  const [, from, to] = /from (\w+) to (\w+)/.exec(question) ?? [];
  const found = last.responses.map(({ responseData }) => responseData).join('\n');
  if (found.includes('findTrains') && from && to) return { toolCalls: [toolCall('findTrains', { from, to })] };
  return `The tools say: ${found}`;
}
