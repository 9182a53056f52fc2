import { describe, expect, it } from '@jest/globals';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, UserMessage } from '../model/messages.js';
import type { TurnObserver } from '../model/turn-observer.js';
import { Prompt } from '../model/prompt.js';
import { ToolInputRequiredException } from '../model/tool-input-request.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import type { ToolExecutionResult } from './tool-execution-result.js';

const REQUEST = {
  message: 'Which seat?',
  schema: { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] },
  state: 'kept',
};
const response = new ChatResponse({
  results: [
    {
      output: new AssistantMessage({ toolCalls: [toolCall('book', {}, 'a'), toolCall('price', {}, 'b')] }),
    },
  ],
});

/** A loop of the application's own. */
function loop(policies: ToolPolicies = {}, options: ToolCallingManagerOptions = {}) {
  const inputs: unknown[] = [];
  const book = new FunctionToolCallback({
    name: 'book',
    toolMetadata: { returnDirect: false, ...policies },
    toolFunction: (_input, { input }) => {
      inputs.push(input);
      if (!input) throw new ToolInputRequiredException(REQUEST);
      return `booked ${String(input.content['seat'])}`;
    },
  });
  const price = new FunctionToolCallback({ name: 'price', toolFunction: () => '100' });
  const manager = new DefaultToolCallingManager(options);
  const run = (given: ChatOptions = {}, before?: ToolExecutionResult) => {
    const messages = before?.conversationHistory ?? [new UserMessage('Book')];
    return manager.executeToolCalls(new Prompt(messages, { toolCallbacks: [book, price], ...given }), response);
  };
  return { inputs, run };
}

describe('a tool that asks its user for input, in a loop of the application', () => {
  it('continues with the pending inputs that the loop passes back', async () => {
    const { run, inputs } = loop();
    const asked = await run();
    expect(asked.pendingApprovals).toMatchObject([{ id: 'a', inputRequest: { message: 'Which seat?' } }]);
    expect(JSON.stringify([asked.pendingApprovals, asked.conversationHistory])).not.toContain('kept');
    const { pendingInputs } = asked;
    const toolApprovals = [{ toolCallId: 'a', approved: true, input: { seat: '1A' } }];
    const done = await run({ toolApprovals, pendingInputs: pendingInputs! }, asked);
    expect(done.pendingApprovals).toBeUndefined();
    expect(done.pendingInputs).toBeUndefined();
    expect(inputs).toEqual([undefined, { content: { seat: '1A' }, state: 'kept' }]);
    expect(done.conversationHistory.at(-1)).toMatchObject({ responses: [{ responseData: 'booked 1A' }, { id: 'b' }] });
  });

  it('keeps the approval of a call that needed one', async () => {
    const { run } = loop({ needsApproval: true });
    const waiting = await run();
    const asked = await run({ toolApprovals: [{ toolCallId: 'a', approved: true }] }, waiting);
    const toolApprovals = [{ toolCallId: 'a', approved: true, input: { seat: '1A' } }];
    const done = await run({ toolApprovals, pendingInputs: asked.pendingInputs! }, asked);
    expect(done.conversationHistory.at(-1)).toMatchObject({ responses: [{ responseData: 'booked 1A' }, { id: 'b' }] });
  });

  it('rejects input that does not fit, and runs nothing', async () => {
    const { run, inputs } = loop();
    const asked = await run();
    const toolApprovals = [{ toolCallId: 'a', approved: true, input: {} }];
    const rejected = run({ toolApprovals, pendingInputs: asked.pendingInputs! }, asked);
    await expect(rejected).rejects.toThrow("'seat' is required");
    expect(inputs).toHaveLength(1);
  });

  it('does not wait in a turn that ends because of a limit', async () => {
    const { run } = loop({}, { limits: { maxTotalToolCalls: 1 } });
    const failed = await run().catch((error: unknown) => error as { partialResult: ToolExecutionResult });
    const { partialResult } = failed as { partialResult: ToolExecutionResult };
    expect(partialResult.pendingApprovals).toBeUndefined();
    expect(JSON.stringify(partialResult.conversationHistory.at(-1))).toContain("The call of 'book' was not completed");
  });

  it('is audited as a call whose code ran and asked, and as approved only if it was', async () => {
    const ends: unknown[] = [];
    const observer: TurnObserver = {
      toolEnded: ({ toolCall, tries, decision }, { outcome }) => {
        if (toolCall.name === 'book') ends.push([outcome, tries, decision?.approved]);
      },
    };
    const { run } = loop({}, { observers: [observer] });
    const asked = await run();
    const toolApprovals = [{ toolCallId: 'a', approved: true, input: { seat: '1A' } }];
    await run({ toolApprovals, pendingInputs: asked.pendingInputs! }, asked);
    expect(ends).toEqual([
      ['input_required', 1, undefined],
      ['ok', 1, undefined],
    ]);
  });
});
