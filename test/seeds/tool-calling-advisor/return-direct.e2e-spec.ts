// Page "ToolCallingAdvisor", section "Return Direct"
import { describe, expect, it } from '@jest/globals';
import { ChatClient, type ChatResponse, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

class KnowledgeTools {
  readonly queries: string[] = [];

  @Tool({ description: 'Find what the handbook says', returnDirect: true })
  searchHandbook(query: string) {
    this.queries.push(query);
    return `The handbook on ${query}: 30 days.`;
  }

  @Tool({ description: 'Count the employees' })
  countEmployees() {
    return 12;
  }
}

function scene(...script: ScriptEntry[]) {
  const model = new ScriptedChatModel(script);
  const tools = new KnowledgeTools();
  const request = ChatClient.create(model).prompt('How much vacation do we have?').tools(tools);
  return { model, tools, request };
}

const search = (query: string) => toolCall('searchHandbook', { query });
const count = () => toolCall('countEmployees');

describe('the result of a returnDirect tool', () => {
  it('is the answer, and the model never sees it', async () => {
    const { model, tools, request } = scene({ toolCalls: [search('vacation')] });
    const response = await request.call().chatResponse();
    expect(tools.queries).toEqual(['vacation']);
    expect(response?.text).toBe('The handbook on vacation: 30 days.');
    expect(response?.hasToolCalls()).toBe(false);
    expect(response?.result?.metadata?.finishReason).toBe('returnDirect');
    expect(model.prompts).toHaveLength(1);
  });

  it('is the answer of a stream as well', async () => {
    const { model, request } = scene({ toolCalls: [search('vacation')] });
    const texts: string[] = [];
    for await (const text of request.stream().content()) texts.push(text);
    expect(texts).toEqual(['The handbook on vacation: 30 days.']);
    expect(model.prompts).toHaveLength(1);
  });

  it('ends the loop also after rounds in which the model saw results', async () => {
    const { model, request } = scene({ toolCalls: [count()] }, { toolCalls: [search('vacation')] });
    expect(await request.call().content()).toBe('The handbook on vacation: 30 days.');
    expect(model.toolResponses).toEqual(['12']);
    model.assertDone();
  });

  it('is the answer together with others, when all tools of the message are returnDirect', async () => {
    const { model, request } = scene({ toolCalls: [search('vacation'), search('sick leave')] });
    const response: ChatResponse | undefined = await request.call().chatResponse();
    expect(response?.results.map(({ output }) => output.text)).toEqual([
      'The handbook on vacation: 30 days.',
      'The handbook on sick leave: 30 days.',
    ]);
    expect(model.prompts).toHaveLength(1);
  });

  it('goes to the model with the others, when one tool of the message is not returnDirect', async () => {
    const { model, request } = scene({ toolCalls: [search('vacation'), count()] }, '30 days for each of 12.');
    expect(await request.call().content()).toBe('30 days for each of 12.');
    expect(model.toolResponses).toEqual(['The handbook on vacation: 30 days.', '12']);
  });
});
