import { Test } from '@nestjs/testing';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { AppModule } from '../src/app.module.js';
import { SupportService } from '../src/support.service.js';

/** Your application with a model that answers from a script: each entry is one answer. */
export async function createSupportApp(script: ScriptEntry[]) {
  const model = new ScriptedChatModel(script);
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  await module.init();
  return { model, module, support: module.get(SupportService) };
}
