/* nestor over a model of the AI SDK's specification, as an application has it that uses AiSdkModule: the same model as the AI SDK. */
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { createContestant } from '../dist/contestants/nestor.js';
import { streamingModelOf, turnModelOf } from './language-model.mjs';

export const contestant = createContestant('nestor over an AI SDK provider', {
  turnModelOf: (work) => new AiSdkChatModel(turnModelOf(work)),
  streamingModelOf: (work) => new AiSdkChatModel(streamingModelOf(work)),
});
