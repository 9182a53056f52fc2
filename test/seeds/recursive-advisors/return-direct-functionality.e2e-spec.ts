// Page "Recursive Advisors", section "Return Direct Functionality"
import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  DefaultToolCallingManager,
  Tool,
  ToolCallingAdvisor,
  type ToolExecutionResult,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

class CustomerTools {
  @Tool({ description: 'Retrieve customer information', returnDirect: true })
  getCustomerInfo(id: number) {
    return { id, name: 'Ada' };
  }
}

class RecordingManager extends DefaultToolCallingManager {
  readonly results: ToolExecutionResult[] = [];
  override async executeToolCalls(...args: Parameters<DefaultToolCallingManager['executeToolCalls']>) {
    const result = await super.executeToolCalls(...args);
    this.results.push(result);
    return result;
  }
}

describe('a tool that returns directly', () => {
  it('runs like any other tool, ends the loop, and its output is the content of the answer', async () => {
    const toolCallingManager = new RecordingManager();
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('getCustomerInfo', { id: 42 })] }, 'never said']);
    const chatClient = ChatClient.builder(model)
      .defaultAdvisors(ToolCallingAdvisor.builder().toolCallingManager(toolCallingManager).build())
      .build();

    const request = chatClient.prompt('Who is customer 42?').tools(new CustomerTools());
    const response = await request.call().chatResponse();
    expect(toolCallingManager.results).toMatchObject([
      { returnDirect: true, conversationHistory: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }] },
    ]);
    expect(response?.results).toHaveLength(1);
    expect(JSON.parse(response?.text ?? '')).toEqual({ id: 42, name: 'Ada' });
    expect(model.prompts).toHaveLength(1);
  });
});
