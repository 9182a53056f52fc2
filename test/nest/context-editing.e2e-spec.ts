import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  FunctionToolCallback,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  ToolCallbackProvider,
  ToolCallingAdvisor,
  type ToolEffect,
} from '@nestor-ai/core';
import { ContextEditingAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const long = (effect?: ToolEffect): FunctionToolCallback =>
  new FunctionToolCallback({
    name: 'long',
    toolFunction: () => 'x'.repeat(4000),
    ...(effect && { toolMetadata: { returnDirect: false, effect } }),
  });

const calls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ toolCalls: [toolCall('long', {}, `${at}`)] }));

const areRemoved = ({ toolResponses }: ScriptedChatModel): readonly boolean[] =>
  toolResponses.map((text) => text.startsWith('This result was removed'));

/** Calls `long` three times in an application. */
async function removedWith(effect: ToolEffect | undefined, tools: FunctionToolCallback | ToolCallbackProvider) {
  const model = new ScriptedChatModel([...calls(3), 'Done']);
  const properties = effect ? { tools: { overrides: { long: { effect } } } } : {};
  const module = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: model, properties })],
  }).compile();
  await module.init();
  const client = module
    .get(ChatClient)
    .mutate()
    .defaultAdvisors(new ContextEditingAdvisor({ at: 1000, keep: 0 }))
    .build();
  await client.prompt('Go').tools(tools).call().content();
  await module.close();
  return areRemoved(model);
}

class Foreign extends ToolCallbackProvider {
  getToolCallbacks(): FunctionToolCallback[] {
    return [long()];
  }
}

describe('editing the context of an application', () => {
  it('removes results of a foreign tool once the configuration says that it reads', async () => {
    expect(await removedWith(undefined, new Foreign())).toEqual([false, false, false]);
    expect(await removedWith('read', new Foreign())).toEqual([true, true, false]);
  });

  it('keeps results of a tool that the configuration calls irreversible', async () => {
    expect(await removedWith(undefined, long('read'))).toEqual([true, true, false]);
    expect(await removedWith('irreversible', long('read'))).toEqual([false, false, false]);
  });

  it('keeps what was done in an earlier turn, whose tool the request does not have any more', async () => {
    const model = new ScriptedChatModel([...calls(1), 'Paid', 'Yes']);
    const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
    const memory = new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), order });
    const client = ChatClient.builder(model)
      .defaultAdvisors(memory, new ContextEditingAdvisor({ at: 500, keep: 0 }))
      .build();
    await client.prompt('Pay').tools(long('irreversible')).conversation('c').call().content();
    await client.prompt('Did it work?').conversation('c').call().content();
    expect(areRemoved(model)).toEqual([false]);
  });
});
