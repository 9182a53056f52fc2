import { AssistantMessage, ChatModel, ChatResponse, offeredToolDefinitions, type Prompt } from '@nestor-ai/core';
import { randomUUID } from 'node:crypto';
import { ARGUMENTS, FINAL, TOOL } from '../../work.js';
import { ROUNDS, think } from './recorded-turns.js';

const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };

/** Asks for one tool in each round, then answers. */
export class ScriptedModel extends ChatModel {
  constructor(private readonly latency: number) {
    super();
  }

  async call({ messages, options }: Prompt): Promise<ChatResponse> {
    // What every real model needs first: the definitions to send.
    offeredToolDefinitions(options);
    await think(this.latency);
    const results = messages.filter(({ role }) => role === 'tool').length;
    const call = { id: randomUUID(), name: TOOL, arguments: ARGUMENTS };
    const output = new AssistantMessage(results < ROUNDS ? { toolCalls: [call] } : { text: FINAL });
    return new ChatResponse({ results: [{ output }], metadata: { usage } });
  }

  stream(): never {
    throw new Error('This model answers in one piece.');
  }
}
