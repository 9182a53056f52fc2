import { describe, expect, it } from '@jest/globals';
import {
  type AdvisorSpec,
  type CallAdvisor,
  ChatClient,
  type ChatClientResponse,
  ChatMemory,
  type ChatResponse,
  DefaultToolCallingManager,
  FunctionToolCallback,
  InMemorySuspendedTurnRepository,
  type Message,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  type Prompt,
  ToolCallingAdvisor,
  type ToolContext,
  type ToolExecutionResult,
  ToolInputRequiredException,
  ToolResponseMessage,
} from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { until } from '../until.js';

/** A memory that fails once. */
class Failing extends MessageWindowChatMemory {
  #hasFailed = false;
  override async add(id: string, messages: readonly Message[]): Promise<void> {
    if (this.#hasFailed) return super.add(id, messages);
    this.#hasFailed = true;
    throw new Error('cannot add');
  }
}

const approving = (toolCallId: string, more: object = {}) => ({ toolCallId, approved: true, ...more });

describe.each([
  ['in memory', () => new InMemorySuspendedTurnRepository()],
  ['in a journal', () => new InMemoryTurnJournal()],
])('a turn that is resumed, and stored %s', (_where, makeRepository) => {
  function bank(
    script: readonly ScriptEntry[],
    {
      run = (_context: ToolContext): unknown => 'paid',
      advisors = [] as CallAdvisor[],
      metadata = {},
      manager = {},
    } = {},
  ) {
    const repository = makeRepository();
    const tools = ['pay', 'refund'].map(
      (name) =>
        new FunctionToolCallback({
          name,
          toolMetadata: { returnDirect: false, needsApproval: true, ...metadata },
          toolFunction: (_input, context) => run(context),
        }),
    );
    const model = new ScriptedChatModel(script);
    const client = ChatClient.builder(model)
      .defaultTools(tools)
      .defaultAdvisors(
        new ToolCallingAdvisor({ suspendedTurnRepository: repository, ...manager }),
        ...advisors,
        (spec: AdvisorSpec) => void spec.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    const ask = async () => (await client.prompt('Pay').call().chatResponse())!.turnId!;
    const goOn = (turnId: string, ...approvals: { toolCallId: string; approved: boolean }[]) =>
      client.prompt().toolApprovals(approvals, { turnId });
    return { repository, client, model, ask, goOn };
  }
  const PAY = { toolCalls: [toolCall('pay', {}, 'c1')] };
  const BOTH = { toolCalls: [toolCall('pay', {}, 'c1'), toolCall('refund', {}, 'c2')] };
  const textOf = (response: ChatResponse | undefined) => response?.results.map(({ output }) => output.text);

  it('does not give an answer again that an advisor around the loop has refused', async () => {
    const guard: CallAdvisor = {
      name: 'Guard',
      order: ToolCallingAdvisor.DEFAULT_ORDER - 50,
      adviseCall: async (request, chain): Promise<ChatClientResponse> => {
        const response = await chain.nextCall(request);
        if (response.chatResponse?.text === 'bad') throw new Error('refused');
        return response;
      },
    };
    const { ask, goOn } = bank([PAY, 'bad', 'good'], { advisors: [guard] });
    const turnId = await ask();
    await expect(goOn(turnId, approving('c1')).call().content()).rejects.toThrow('refused');
    expect(await goOn(turnId, approving('c1')).call().content()).toBe('good');
  });

  it('can be answered when a call that may have run is replayed and asks its user', async () => {
    let runs = 0;
    const { ask, goOn, repository } = bank([PAY, 'Done.'], {
      run: ({ input }) => {
        if (runs++ === 0) return new Promise(() => undefined);
        if (!input) throw new ToolInputRequiredException({ message: 'Sure?' });
        return 'paid';
      },
    });
    const turnId = await ask();
    const caller = new AbortController();
    const left = goOn(turnId, approving('c1')).options({ signal: caller.signal }).call().content();
    await until(() => runs === 1);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await goOn(turnId, approving('c1', { replay: true }))
      .call()
      .content();
    expect((await repository.findById(turnId))!.begun).toBeUndefined();
    expect(await goOn(turnId, approving('c1')).call().content()).toBe('Done.');
  });

  it('returns all results again that are the answer, after its memory failed', async () => {
    const { ask, goOn } = bank([BOTH], {
      metadata: { returnDirect: true },
      advisors: [new MessageChatMemoryAdvisor({ chatMemory: new Failing() })],
    });
    const turnId = await ask();
    const decide = () => goOn(turnId, approving('c1'), approving('c2')).call().chatResponse();
    await expect(decide()).rejects.toThrow('cannot add');
    expect(textOf(await decide())).toEqual(['paid', 'paid']);
  });

  it('keeps the options that a request added before the same round was suspended again', async () => {
    const { ask, goOn, model } = bank([BOTH, 'Done.']);
    const turnId = await ask();
    await goOn(turnId, approving('c1')).options({ maxTokens: 77 }).call().content();
    expect(await goOn(turnId, approving('c2')).call().content()).toBe('Done.');
    expect(model.lastPrompt!.options!.maxTokens).toBe(77);
  });

  it('keeps the rounds of a manager that tells nothing of its calls', async () => {
    const approved: string[] = [];
    class Own extends DefaultToolCallingManager {
      override executeToolCalls(prompt: Prompt, response: ChatResponse): Promise<ToolExecutionResult> {
        const { output } = response.result!;
        const pendingApprovals = output.toolCalls.filter(({ id }) => !approved.includes(id));
        const responses = output.toolCalls
          .filter(({ id }) => approved.includes(id))
          .map(({ id, name }) => ({ id, name, responseData: `ran ${id}` }));
        return Promise.resolve({
          conversationHistory: [...prompt.messages, output, new ToolResponseMessage({ responses })],
          returnDirect: false,
          ...(pendingApprovals.length > 0 && { pendingApprovals }),
        });
      }
    }
    const later = { toolCalls: [toolCall('pay', {}, 'd1'), toolCall('refund', {}, 'd2')] };
    const { ask, goOn, repository } = bank([PAY, later], { manager: { toolCallingManager: new Own() } });
    const turnId = await ask();
    approved.push('c1', 'd1');
    await goOn(turnId, approving('c1')).call().content();
    const held = (await repository.findById(turnId))!;
    expect(held.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(held.messages.at(-1)).toMatchObject({ responses: [{ id: 'd1', responseData: 'ran d1' }] });
    expect(held.round).toBe(1);
  });
});
