import { Logger } from '@nestjs/common';
import type { Prompt } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';

const logger = new Logger('OfflineModel');

/** Answers in place of a model, so that this example runs without a key. Its first answer is always wrong. */
export class OfflineModel extends ScriptedChatModel {
  constructor() {
    super(answer);
  }
}

function answer({ userMessage }: Prompt) {
  const mail = userMessage?.text ?? '';
  const title = mail.match(/^[^.!?]{1,60}/)?.[0];
  const products = ['lamp', 'sofa'].filter((product) => mail.includes(product));
  const priority = mail.includes('validation failed') ? 'urgent' : 'very high';
  const ticket = JSON.stringify({ title, priority, products });
  logger.log(`The model answers ${ticket}`);
  return ticket;
}
