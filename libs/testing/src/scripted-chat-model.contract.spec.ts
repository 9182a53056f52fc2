import { describe, it } from '@jest/globals';
import { ChatModelException, type Prompt } from '@nestor-ai/core';
import { messageOf } from './contract/contract-checks.js';
import { chatModelContract, type ContractAnswer } from './contract/index.js';
import type { ScriptedAnswer } from './scripted-answer.js';
import { ScriptedChatModel } from './scripted-chat-model.js';

/** The script of an answer that the contract wants. */
function scriptOf({ content, finishReason, usage, failure }: ContractAnswer): ScriptedAnswer {
  const { role: _role, metadata: _metadata, providerOptions: _options, ...said } = messageOf(content);
  const answer = { ...said, finishReason, usage, streamToolInput: true };
  switch (failure?.type) {
    case 'refused':
      return { error: new ChatModelException('The call failed.', failure) };
    case 'broken':
      return { ...answer, error: new ChatModelException('The stream broke off.', { isRetryable: true }) };
    case 'slow':
      return { ...answer, delay: 1000 };
    default:
      return answer;
  }
}

describe('ScriptedChatModel', () => {
  const contract = chatModelContract({
    model: (answers, defaultOptions) =>
      new ScriptedChatModel(({ userMessage }: Prompt) => {
        const answer = answers.find(({ question }) => question === userMessage?.text);
        if (!answer) throw new Error(`The contract has no answer to '${userMessage?.text}'.`);
        return scriptOf(answer);
      }, defaultOptions),
    requests: (model) =>
      (model as ScriptedChatModel).prompts.map(({ messages }) => ({ body: JSON.stringify(messages) })),
    supports: {
      warnings: false,
      headers: false,
      // A scripted model has no request that options could change or an abort could end.
      defaultOptions: false,
      abortedRequests: false,
    },
  });
  for (const { name, run } of contract) it(name, run);
});
