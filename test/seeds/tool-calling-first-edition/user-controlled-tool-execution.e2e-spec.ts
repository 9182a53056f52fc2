// Page "Tool Calling" (first edition), section "User-Controlled Tool Execution"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  type ChatModel,
  type ChatResponse,
  DefaultToolCallingManager,
  type Message,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingChatOptions,
  ToolResponseMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { lastValueFrom } from 'rxjs';

const QUESTION = 'Tell me more about the customer with ID 42';
const ANSWER = 'Customer 42 is Ada.';
const CUSTOMER = '{"id":42,"name":"Ada"}';
const script = [{ toolCalls: [toolCall('getCustomerInfo', { id: 42 }, 'call-1')] }, ANSWER];

class CustomerTools {
  readonly asked: number[] = [];

  @Tool({ description: 'Retrieve customer information' })
  getCustomerInfo(id: number) {
    this.asked.push(id);
    return { id, name: 'Ada' };
  }
}

/** What the caller wants to run, and the options that say so. */
function scene() {
  const tools = new CustomerTools();
  const chatOptions = ToolCallingChatOptions.builder()
    .toolCallbacks(ToolCallbacks.from(tools))
    .internalToolExecutionEnabled(false)
    .build();
  return { tools, chatOptions, prompt: new Prompt(QUESTION, chatOptions) };
}

const rolesOf = (messages: readonly Message[]) => messages.map(({ role }) => role);

describe('a caller who runs the tools himself', () => {
  const direct = (model: ChatModel) => (prompt: Prompt) => model.call(prompt);
  const throughClient = (model: ChatModel) => async (prompt: Prompt) =>
    (await ChatClient.create(model).prompt(prompt).call().chatResponse())!;

  it.each<[string, (model: ChatModel) => (prompt: Prompt) => Promise<ChatResponse>]>([
    ['the model', direct],
    ['the client', throughClient],
  ])('asks %s, runs what it asks for, and asks again until there is an answer', async (_name, caller) => {
    const { tools, chatOptions, prompt: first } = scene();
    const model = new ScriptedChatModel(script);
    const call = caller(model);
    const toolCallingManager = DefaultToolCallingManager.builder().build();

    let prompt = first;
    let chatResponse = await call(prompt);
    expect(tools.asked).toEqual([]);
    while (chatResponse.hasToolCalls()) {
      const toolExecutionResult = await toolCallingManager.executeToolCalls(prompt, chatResponse);
      prompt = new Prompt(toolExecutionResult.conversationHistory, chatOptions);
      chatResponse = await call(prompt);
    }

    expect(chatResponse.result?.output.text).toBe(ANSWER);
    expect(tools.asked).toEqual([42]);
    expect(rolesOf(prompt.messages)).toEqual(['user', 'assistant', 'tool']);
    expect(model.toolResponses).toEqual([CUSTOMER]);
    model.assertDone();
  });

  it('may do without the manager', async () => {
    const { chatOptions, prompt } = scene();
    const model = new ScriptedChatModel(script);
    const asking = (await model.call(prompt)).result!.output;
    const [call] = asking.toolCalls;
    const tool = chatOptions.toolCallbacks!.find(({ toolDefinition }) => toolDefinition.name === call!.name);
    const responseData = String(await tool!.call(call!.arguments));
    const response = new ToolResponseMessage({ responses: [{ id: call!.id, name: call!.name, responseData }] });
    const answer = await model.call(new Prompt([...prompt.messages, asking, response], chatOptions));
    expect(answer.text).toBe(ANSWER);
    expect(model.toolResponses).toEqual([CUSTOMER]);
  });
});

describe('internalToolExecutionEnabled(false)', () => {
  it('gives the caller what the model asked for, and runs nothing', async () => {
    const { tools, chatOptions } = scene();
    const model = new ScriptedChatModel(script);
    const response = await ChatClient.create(model).prompt(QUESTION).options(chatOptions).call().chatResponse();
    expect(response?.result?.output.toolCalls).toEqual([
      { id: 'call-1', name: 'getCustomerInfo', arguments: '{"id":42}' },
    ]);
    expect(tools.asked).toEqual([]);
    expect(model.prompts).toHaveLength(1);
  });

  it('does so in a stream as well', async () => {
    const { tools, prompt } = scene();
    const model = new ScriptedChatModel(script);
    const last = await lastValueFrom(ChatClient.create(model).prompt(prompt).stream().chatResponse());
    expect(last.result?.output.toolCalls).toMatchObject([{ id: 'call-1', name: 'getCustomerInfo' }]);
    expect(tools.asked).toEqual([]);
    expect(model.prompts).toHaveLength(1);
  });

  it('is left out by default: the caller sees the answer, and not what was said between the model and the tools', async () => {
    const tools = new CustomerTools();
    const model = new ScriptedChatModel(script);
    const response = await ChatClient.create(model).prompt(QUESTION).tools(tools).call().chatResponse();
    expect(response?.text).toBe(ANSWER);
    expect(response?.hasToolCalls()).toBe(false);
    expect(response?.results).toHaveLength(1);
    expect(tools.asked).toEqual([42]);
  });

  it.each([
    ['of the model', true],
    ['of the client', false],
  ])('may stand in the default options %s, and a request may want it otherwise', async (_name, isOfModel) => {
    const tools = new CustomerTools();
    const defaults = ToolCallingChatOptions.builder().internalToolExecutionEnabled(false).build();
    const model = new ScriptedChatModel([script[0]!, ...script], isOfModel ? defaults : {});
    const builder = ChatClient.builder(model).defaultTools(tools);
    const client = (isOfModel ? builder : builder.defaultOptions(defaults)).build();

    expect((await client.prompt(QUESTION).call().chatResponse())?.hasToolCalls()).toBe(true);
    expect(tools.asked).toEqual([]);
    expect(await client.prompt(QUESTION).options({ internalToolExecutionEnabled: true }).call().content()).toBe(ANSWER);
    expect(tools.asked).toEqual([42]);
  });
});
