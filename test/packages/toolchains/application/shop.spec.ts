import { Test } from '@nestjs/testing';
import { ChatClient } from '@nestor-ai/core';
import { AppModule, EXPECTED, model } from './app.module.js';

describe('the shop', () => {
  it('answers a question with its tools', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    await module.init();
    const answer = await module.get(ChatClient).prompt('Send Ada two lamps').call().content();
    expect(answer).toBe('Two lamps are on their way.');
    expect(model.toolResponses).toEqual(EXPECTED);
    await module.close();
  });
});
