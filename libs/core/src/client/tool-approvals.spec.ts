import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { UsageBudgetAdvisor } from '@nestor-ai/advisors';
import type { ChatClientRequest } from '../advisor/chat-client-exchange.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { MessageChatMemoryAdvisor } from '../advisor/message-chat-memory-advisor.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { DefaultToolExecutionExceptionProcessor } from '../execution/tool-execution-exception-processor.js';
import { JsonRepair } from '../execution/tool-argument-repair.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import {
  type SuspendedTurn,
  SuspendedTurnRepository,
  type TurnChange,
  type TurnData,
} from '../memory/suspended-turn.repository.js';
import type { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, SystemMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ToolApproval } from '../model/tool-approval.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { Tool } from '../tool/declaration/tool.decorator.js';
import type { ToolOptions } from '../tool/declaration/tool-options.js';
import { ToolCallbacks } from '../tool/tool-callbacks.js';
import { ChatClient } from './chat-client.js';

function bank(needsApproval: ToolOptions['needsApproval'] = true) {
  const done: string[] = [];
  class Bank {
    @Tool({ needsApproval: needsApproval! })
    transfer(amount: number, to: string): string {
      done.push(`${amount} to ${to}`);
      return `${amount} transferred to ${to}`;
    }

    @Tool()
    balance(): string {
      done.push('balance');
      return '500';
    }
  }
  return { tools: new Bank(), done };
}

const TRANSFER = toolCall('transfer', { amount: 100, to: 'Ann' }, 'call_1');
const BALANCE = toolCall('balance', {}, 'call_2');
const asks: ScriptEntry = { text: 'One moment.', toolCalls: [TRANSFER, BALANCE] };

function scene(script: ScriptEntry[] = [asks, 'All done.'], given = bank(), repository?: SuspendedTurnRepository) {
  const model = new ScriptedChatModel(script);
  const advisor = new ToolCallingAdvisor(repository ? { suspendedTurnRepository: repository } : {});
  const client = ChatClient.builder(model).defaultTools(given.tools).defaultAdvisors(advisor).build();
  return { ...given, model, client };
}

const metadataOf = (response: ChatResponse | undefined) => response?.result?.metadata;

describe('a call that needs approval', () => {
  it('suspends the turn: the response names the waiting calls, and the other calls have run', async () => {
    const { client, model, done } = scene();
    const response = await client.prompt('Send 100 to Ann').call().chatResponse();
    expect(metadataOf(response)).toEqual({ finishReason: 'toolApprovalRequired', pendingApprovals: [TRANSFER] });
    expect(response?.result?.output).toMatchObject({ text: 'One moment.', toolCalls: [TRANSFER] });
    expect(response?.metadata['turnId']).toEqual(expect.any(String));
    expect(done).toEqual(['balance']);
    expect(model.prompts).toHaveLength(1);
  });

  it('runs when approved, and the turn continues with all results in order', async () => {
    const { client, model, done } = scene();
    await client.prompt('Send 100 to Ann').call().content();
    const answer = await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(answer).toBe('All done.');
    expect(done).toEqual(['balance', '100 to Ann']);
    expect(model.toolResponses).toEqual(['100 transferred to Ann', '500']);
    expect(model.lastPrompt?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('does not run when denied, and the model reads the reason', async () => {
    const { client, model, done } = scene();
    await client.prompt('Send 100 to Ann').call().content();
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: false, reason: 'Too much' }])
      .call()
      .content();
    expect(done).toEqual(['balance']);
    expect(model.toolResponses[0]).toMatch(/The call of 'transfer' was denied, and not run\. Reason: Too much/);
    const last = model.lastPrompt!.messages.at(-1)!;
    expect(last.role === 'tool' && last.responses[0]?.isError).toBe(true);
  });

  it('can run with other arguments, which are validated and shown in the history', async () => {
    const { client, model, done } = scene();
    await client.prompt('Send 100 to Ann').call().content();
    const approvals = [{ toolCallId: 'call_1', approved: true, arguments: { amount: 5, to: 'Bob' } }];
    await client.prompt().toolApprovals(approvals).call().content();
    expect(done).toEqual(['balance', '5 to Bob']);
    const asked = model.lastPrompt!.messages.at(-2) as AssistantMessage;
    expect(JSON.parse(asked.toolCalls[0]!.arguments)).toEqual({ amount: 5, to: 'Bob' });
  });

  it.each([
    { reason: 5 },
    { reason: ['x'] },
    { replay: 'yes' },
    { input: 'x' },
    { arguments: null },
    { arguments: [1] },
  ])('keeps waiting if the decision has %j', async (wrong) => {
    const { client, done } = scene();
    await client.prompt('Send 100 to Ann').call().content();
    const decide = (more: object) => client.prompt().toolApprovals([{ toolCallId: 'call_1', approved: true, ...more }]);
    expect(() => decide(wrong)).toThrow(expect.objectContaining({ problem: 'invalid' }));
    await decide({ reason: null }).call().content();
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('returns an error to the model if the other arguments are invalid', async () => {
    const { client, model, done } = scene();
    await client.prompt('Send 100 to Ann').call().content();
    const approvals = [{ toolCallId: 'call_1', approved: true, arguments: { amount: 'lots' } }];
    await client.prompt().toolApprovals(approvals).call().content();
    expect(done).toEqual(['balance']);
    expect(model.toolResponses[0]).toContain('Invalid arguments');
  });

  it.each([
    ['{"amount":5,"to":"Ann","\\u0061mount":900}', '{"amount":900,"to":"Ann"}'],
    ['{"amount":5,"__proto__":{"to":"Bob"},"to":"Ann"}', '{"amount":5,"to":"Ann"}'],
    ['{"amount":1.0,"to":"\\u0041nn"}', '{"amount":1,"to":"Ann"}'],
    ['{"amount":9007199254740993,"to":"Ann"}', '{"amount":9007199254740992,"to":"Ann"}'],
  ])('shows the arguments %s as the tool receives them', async (written, shown) => {
    const { client, done } = scene([{ toolCalls: [toolCall('transfer', written, 'call_1')] }, 'Done.']);
    const response = await client.prompt('Send').call().chatResponse();
    const [call] = response!.pendingApprovals;
    expect(call!.arguments).toBe(shown);
    expect(response!.result!.output.toolCalls).toEqual([call]);
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(done).toEqual([`${JSON.parse(shown).amount} to Ann`]);
  });

  it('does not wait with arguments that nobody can be shown', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    class Notes {
      @Tool({ needsApproval: true, inputSchema: { type: 'object' } })
      write(): string {
        return 'written';
      }
    }
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('write', `{"note":${deep}}`)] }, 'Hm.']);
    const client = ChatClient.builder(model).defaultTools(new Notes()).build();
    expect(await client.prompt('Write').call().content()).toBe('Hm.');
    expect(model.toolResponses[0]).toMatch(/nested too deeply/);
  });

  it('is required only if a function of the arguments and the context returns true', async () => {
    const seen: unknown[] = [];
    const given = bank((input: { amount: number }, context) => {
      seen.push([input, context.get('limit')]);
      return input.amount > (context.get<number>('limit') ?? 0);
    });
    const { client, done } = scene([asks, 'Done'], given);
    const answer = await client.prompt('Send').toolContext({ limit: 200 }).call().content();
    expect(answer).toBe('Done');
    expect(done.sort()).toEqual(['100 to Ann', 'balance']);
    expect(seen).toEqual([[{ amount: 100, to: 'Ann' }, 200]]);
  });

  it('does not run if the deciding function fails', async () => {
    const given = bank(() => {
      throw new Error('the policy is down');
    });
    const { client, model, done } = scene([asks, 'Hm'], given);
    await client.prompt('Send').call().content();
    expect(done).toEqual(['balance']);
    expect(model.toolResponses[0]).toBe('It cannot be decided now whether this call needs approval. It was not run.');
  });

  it('is not required if its arguments are invalid', async () => {
    const wrong = { toolCalls: [toolCall('transfer', { amount: 'x' })] };
    const { client, model } = scene([wrong, 'Sorry']);
    expect(await client.prompt('Send').call().content()).toBe('Sorry');
    expect(model.toolResponses[0]).toMatch(/Invalid arguments/);
  });

  it('keeps waiting if only another call is decided', async () => {
    const two = { toolCalls: [TRANSFER, toolCall('transfer', { amount: 1, to: 'Eve' }, 'call_3')] };
    const { client, done } = scene([two, 'Done']);
    const first = await client.prompt('Send').call().chatResponse();
    const second = await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_3', approved: true }])
      .call()
      .chatResponse();
    expect(done).toEqual(['1 to Eve']);
    expect(metadataOf(second)?.['pendingApprovals']).toEqual([TRANSFER]);
    expect(second?.metadata['turnId']).toBe(first?.metadata['turnId']);
    expect(
      await client
        .prompt()
        .toolApprovals([{ toolCallId: 'call_1', approved: true }])
        .call()
        .content(),
    ).toBe('Done');
    expect(done).toEqual(['1 to Eve', '100 to Ann']);
  });

  it('adds up usage and rounds of the whole turn', async () => {
    const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
    const { client } = scene([
      { toolCalls: [TRANSFER], usage },
      { text: 'Done', usage },
    ]);
    await client.prompt('Send').call().content();
    const response = await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .chatResponse();
    expect(response?.metadata.usage?.totalTokens).toBe(30);
    expect(response?.metadata.usageByRound).toEqual([usage, usage]);
  });

  it('can be required again in the same turn', async () => {
    const again = { toolCalls: [toolCall('transfer', { amount: 2, to: 'Bob' }, 'call_9')] };
    const { client, done } = scene([{ toolCalls: [TRANSFER] }, again, 'Done']);
    await client.prompt('Send').call().content();
    const second = await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .chatResponse();
    expect(metadataOf(second)?.finishReason).toBe('toolApprovalRequired');
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_9', approved: true }])
      .call()
      .content();
    expect(done).toEqual(['100 to Ann', '2 to Bob']);
  });
});

describe('a streamed turn', () => {
  it('suspends with a last chunk that names the waiting calls, and resumes in another stream', async () => {
    const { client, done } = scene();
    const chunks = await lastValueFrom(client.prompt('Send').stream().chatResponse().pipe(toArray()));
    expect(chunks.map(({ text }) => text).join('')).toBe('One moment.');
    expect(metadataOf(chunks.at(-1))).toMatchObject({
      finishReason: 'toolApprovalRequired',
      pendingApprovals: [TRANSFER],
    });
    const rest = client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .stream()
      .content();
    expect((await lastValueFrom(rest.pipe(toArray()))).join('')).toBe('All done.');
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('reports it as events', async () => {
    const { client } = scene();
    const events = [];
    for await (const event of client.prompt('Send').stream().events()) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'tool-call', 'tool-call', 'tool-result', 'finish']);
    expect(events.at(-1)).toEqual({
      type: 'finish',
      finishReason: 'toolApprovalRequired',
      pendingApprovals: [TRANSFER],
      turnId: expect.any(String),
    });
  });
});

describe('an approval', () => {
  const approve = (toolCallId: string) => [{ toolCallId, approved: true }];

  it('that matches no call is refused, and the turn keeps waiting', async () => {
    const { client, done } = scene();
    const turnId = (await client.prompt('Send').call().chatResponse())?.metadata['turnId'] as string;
    const wrong = client.prompt().toolApprovals(approve('nonsense'), { turnId }).call().content();
    await expect(wrong).rejects.toThrow(/No tool call 'nonsense' waits .* Waiting: 'call_1' \(transfer\)/);
    await client.prompt().toolApprovals(approve('call_1'), { turnId }).call().content();
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it.each([
    [approve('nonsense'), {}, /No tool call 'nonsense' waits for approval/],
    [approve('call_1'), { turnId: 'no-turn' }, /No turn 'no-turn' waits/],
    [[], {}, /needs the turn to resume/],
    [
      [...approve('call_1'), { toolCallId: 'call_1', approved: false }],
      {},
      /two decisions about the tool call 'call_1'/,
    ],
  ])('is refused with the reason: %j %j', async (approvals, of, message) => {
    const { client, done } = scene();
    await client.prompt('Send').call().content();
    await expect(client.prompt().toolApprovals(approvals, of).call().content()).rejects.toThrow(message);
    expect(done).toEqual(['balance']);
  });

  it('can be used only once', async () => {
    const { client, done } = scene();
    await client.prompt('Send').call().content();
    const both = await Promise.allSettled(
      [1, 2].map(() => client.prompt().toolApprovals(approve('call_1')).call().content()),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(client.prompt().toolApprovals(approve('call_1')).call().content()).rejects.toThrow(/already decided/);
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('has to name the turn if several turns wait with the same call id', async () => {
    const { client, done } = scene([{ toolCalls: [TRANSFER] }, { toolCalls: [TRANSFER] }, 'Done']);
    const first = await client.prompt('Send').call().chatResponse();
    await client.prompt('Send').call().content();
    await expect(client.prompt().toolApprovals(approve('call_1')).call().content()).rejects.toThrow(
      /more than one turn/,
    );
    const turnId = first?.metadata['turnId'] as string;
    await client.prompt().toolApprovals(approve('call_1'), { turnId }).call().content();
    expect(done).toEqual(['100 to Ann']);
  });

  it.each([[undefined], [[{}]], [[{ toolCallId: 'x' }]], [[{ toolCallId: 'x', approved: 'yes' }]], [[null]]])(
    'is refused if it is incomplete: %j',
    (approvals) => {
      expect(() =>
        scene()
          .client.prompt()
          .toolApprovals(approvals as never),
      ).toThrow(ToolApprovalException);
    },
  );

  it('cannot be combined with a new message', () => {
    const { client } = scene();
    expect(() => client.prompt('And?').toolApprovals(approve('call_1')).call()).toThrow(/cannot have a new message/);
  });

  it('does not approve a later call with the same id', async () => {
    const again = { toolCalls: [TRANSFER] };
    const { client, done } = scene([again, again, 'Done']);
    await client.prompt('Send').call().content();
    const response = await client.prompt().toolApprovals(approve('call_1')).call().chatResponse();
    expect(metadataOf(response)?.finishReason).toBe('toolApprovalRequired');
    expect(done).toEqual(['100 to Ann']);
  });
});

describe('a suspended turn', () => {
  let directory: string | undefined;
  afterEach(async () => {
    if (directory) await rm(directory, { recursive: true });
    directory = undefined;
  });

  const claimOf = (owner: string, lease: number) => ({ owner, until: new Date(Date.now() + lease).toISOString() });

  class Files extends SuspendedTurnRepository {
    constructor(private readonly path: string) {
      super();
    }
    async save(turn: TurnData, { revision, status, owner, lease }: TurnChange) {
      if (((await this.findById(turn.id))?.revision ?? 0) !== revision) return undefined;
      if (status === 'ended') await rm(join(this.path, turn.id));
      else await this.#write({ ...turn, revision: revision + 1, ...(lease && { claim: claimOf(owner, lease) }) });
      return revision + 1;
    }
    async claim(id: string, revision: number, owner: string, lease: number) {
      const turn = await this.findById(id);
      if (turn?.revision !== revision) return false;
      await this.#write({ ...turn, claim: claimOf(owner, lease) });
      return true;
    }
    async #write(turn: SuspendedTurn) {
      await writeFile(join(this.path, turn.id), JSON.stringify(turn));
    }
    async findById(id: string) {
      const text = await readFile(join(this.path, id), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as SuspendedTurn);
    }
    async findByToolCallId(toolCallId: string) {
      return (await this.findWaiting()).filter(({ pending }) => pending.some(({ id }) => id === toolCallId));
    }
    async findWaiting() {
      const all = await Promise.all((await readdir(this.path)).map((id) => this.findById(id)));
      return all.filter((turn) => turn !== undefined);
    }
  }

  it('resumes in another process, from a file', async () => {
    directory = await mkdtemp(join(tmpdir(), 'turns-'));
    const before = scene([asks], bank(), new Files(directory));
    const image = { mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) };
    await before.client
      .prompt()
      .system('Be careful')
      .user((user) => user.text('Send').media(image))
      .options({ temperature: 0.5 })
      .call()
      .content();

    const after = scene(['All done.'], bank(), new Files(directory));
    const answer = await after.client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(answer).toBe('All done.');
    expect(before.done).toEqual(['balance']);
    expect(after.done).toEqual(['100 to Ann']);
    const { messages, options } = after.model.lastPrompt!;
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(messages[1]).toMatchObject({ text: 'Send', media: [{ mimeType: 'image/png', data: 'AQID' }] });
    expect(options?.temperature).toBe(0.5);
    expect(await readdir(directory)).toEqual([]);
  });

  it('does not store the tool context, which belongs to the caller', async () => {
    const repository = new InMemorySuspendedTurnRepository();
    const { client } = scene([asks], bank(), repository);
    const turnId = (await client.prompt('Send').toolContext({ secret: 's3cret' }).call().chatResponse())?.metadata[
      'turnId'
    ];
    expect(JSON.stringify(repository.findById(turnId as string))).not.toContain('s3cret');
  });

  it('is stored in the memory as a whole when it has ended, and does not block other turns', async () => {
    const memory = new MessageWindowChatMemory();
    const model = new ScriptedChatModel([asks, 'Fine, thanks', 'All done.']);
    const { tools } = bank();
    const client = ChatClient.builder(model)
      .defaultTools(tools)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: memory }), new ToolCallingAdvisor(), (a) =>
        a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    await client.prompt('Send').call().content();
    expect(await memory.get('c')).toEqual([]);
    await client.prompt('How are you?').call().content();
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(await memory.get('c')).toEqual([
      new UserMessage('How are you?'),
      new AssistantMessage('Fine, thanks'),
      new UserMessage('Send'),
      new AssistantMessage({ text: 'All done.', metadata: { turnId: expect.any(String) } }),
    ]);
  });

  it('cannot be resumed in another conversation', async () => {
    const { client } = scene();
    const as = (id: string) => client.prompt().advisors((a) => a.param(ChatMemory.CONVERSATION_ID, id));
    await as('mine').user('Send').call().content();
    const approvals = [{ toolCallId: 'call_1', approved: true }];
    await expect(as('yours').toolApprovals(approvals).call().content()).rejects.toThrow(/another conversation/);
    expect(await as('mine').toolApprovals(approvals).call().content()).toBe('All done.');
  });
});

describe('a resumed turn', () => {
  const approve = (client: ChatClient, id = 'call_1', turnId?: string) =>
    client
      .prompt()
      .toolApprovals([{ toolCallId: id, approved: true }], { turnId })
      .call();

  it('does not use an approval for a later call with the same id', async () => {
    const again = { toolCalls: [toolCall('transfer', { amount: 999, to: 'Eve' }, 'call_1')] };
    const { client, done } = scene([{ toolCalls: [TRANSFER] }, again, 'Done']);
    const turnId = (await client.prompt('Send').call().chatResponse())?.metadata['turnId'] as string;
    await approve(client, 'call_1', turnId).content();
    // A double click, or a request that was sent again.
    await expect(approve(client, 'call_1', turnId).content()).rejects.toThrow(/No tool call 'call_1' waits/);
    expect(done).toEqual(['100 to Ann']);
  });

  it('counts its calls once', async () => {
    const toolCallingManager = new DefaultToolCallingManager({ limits: { maxCallsPerTool: 1, maxTotalToolCalls: 1 } });
    const { tools, done } = bank();
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [TRANSFER] }, 'Done']))
      .defaultTools(tools)
      .defaultAdvisors(new ToolCallingAdvisor({ toolCallingManager }))
      .build();
    await client.prompt('Send').call().content();
    expect(await approve(client).content()).toBe('Done');
    expect(done).toEqual(['100 to Ann']);
  });

  it('runs no call twice, whatever a subclass of the loop adds to the messages', async () => {
    class Brief extends ToolCallingAdvisor {
      protected override doInitializeLoop(request: ChatClientRequest): ChatClientRequest {
        const messages = [...request.prompt.messages, new SystemMessage('Be brief')];
        return { ...request, prompt: request.prompt.with({ messages }) };
      }
    }
    const { tools, done } = bank();
    const model = new ScriptedChatModel([asks, 'Done']);
    const client = ChatClient.builder(model).defaultTools(tools).defaultAdvisors(new Brief()).build();
    await client.prompt('Send').call().content();
    await approve(client).content();
    expect(done).toEqual(['balance', '100 to Ann']);
    expect(model.lastPrompt?.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });

  it.each<[string, (client: ChatClient) => Promise<unknown>]>([
    [
      'it is aborted',
      (client) =>
        client
          .prompt()
          .options({ signal: AbortSignal.abort(new Error('no')) })
          .toolApprovals([{ toolCallId: 'call_1', approved: true }])
          .call()
          .content(),
    ],
    ['the model is down', (client) => approve(client).content()],
  ])('keeps waiting when %s, and calls that ran do not run again', async (_why, fail) => {
    const { client, done, model } = scene([{ toolCalls: [TRANSFER] }, { error: new Error('down') }, 'Done']);
    const turnId = (await client.prompt('Send').call().chatResponse())?.metadata['turnId'] as string;
    await expect(fail(client)).rejects.toThrow(/no|down/);
    if (model.prompts.length < 2) await expect(approve(client).content()).rejects.toThrow('down');
    expect(await approve(client, 'call_1', turnId).content()).toBe('Done');
    expect(done).toEqual(['100 to Ann']);
    expect(model.toolResponses).toEqual(['100 transferred to Ann']);
  });

  it('tells no input of a later call with the same id as if it were that of the first', async () => {
    const again = { streamToolInput: true, toolCalls: [toolCall('transfer', { amount: 2, to: 'Bob' }, 'call_1')] };
    const { client } = scene([{ toolCalls: [TRANSFER] }, again]);
    const turnId = (await client.prompt('Send').call().chatResponse())?.turnId;
    const approvals = [{ toolCallId: 'call_1', approved: true }];
    const resumed = client.prompt().toolApprovals(approvals, { turnId }).stream().events();
    const events = await lastValueFrom(resumed.pipe(toArray()));
    const types = events.map(({ type }) => type).filter((type) => type !== 'usage');
    expect(types).toEqual(['tool-result', 'tool-call', 'finish']);
  });

  it('tells the result of a call again if its approval is sent a second time', async () => {
    const { client, done } = scene([{ toolCalls: [TRANSFER, BALANCE] }, { error: new Error('down') }, 'Done']);
    const turnId = (await client.prompt('Send').call().chatResponse())?.metadata['turnId'] as string;
    await expect(approve(client).content()).rejects.toThrow('down');
    const approvals = [{ toolCallId: 'call_1', approved: true }];
    const repeated = client.prompt().toolApprovals(approvals, { turnId }).stream().events();
    const events = await lastValueFrom(repeated.pipe(toArray()));
    expect(events.filter(({ type }) => type !== 'usage')).toMatchObject([
      { type: 'tool-result', toolCall: TRANSFER, result: '100 transferred to Ann' },
      { type: 'text', text: 'Done' },
      { type: 'finish' },
    ]);
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('does not run a call again if another call of its message has ended the turn', async () => {
    const done: string[] = [];
    class Shop {
      @Tool({ needsApproval: true })
      pay() {
        done.push('paid');
        return 'paid';
      }
      @Tool({ needsApproval: true })
      ship() {
        done.push('tried to ship');
        throw new Error('no truck');
      }
    }
    const both = { toolCalls: [toolCall('pay', {}, 'c1'), toolCall('ship', {}, 'c2')] };
    const model = new ScriptedChatModel([both, 'Paid, but not shipped']);
    const toolExecutionExceptionProcessor = new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true });
    const toolCallingManager = new DefaultToolCallingManager({ toolExecutionExceptionProcessor });
    const client = ChatClient.builder(model)
      .defaultTools(new Shop())
      .defaultAdvisors(new ToolCallingAdvisor({ toolCallingManager }))
      .build();
    const turnId = (await client.prompt('Buy').call().chatResponse())?.metadata['turnId'] as string;
    const approvals = ['c1', 'c2'].map((toolCallId) => ({ toolCallId, approved: true }));
    await expect(client.prompt().toolApprovals(approvals, { turnId }).call().content()).rejects.toThrow('no truck');
    const denial = [{ toolCallId: 'c1', approved: false }];
    await expect(client.prompt().toolApprovals(denial, { turnId }).call().content()).rejects.toThrow(
      /tools .* have already run/,
    );
    expect(await client.prompt().toolApprovals([], { turnId }).call().content()).toBe('Paid, but not shipped');
    expect(done).toEqual(['paid', 'tried to ship']);
    expect(model.toolResponses).toEqual(['paid', expect.stringContaining('not known whether this call has run')]);
  });

  it('does not run a tool again that was aborted', async () => {
    const done: string[] = [];
    class Slow {
      @Tool({ needsApproval: true })
      pay() {
        done.push('paid');
        return new Promise(() => undefined);
      }
    }
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('pay', {}, 'c1')] }, 'Let me look']);
    const client = ChatClient.builder(model).defaultTools(new Slow()).build();
    const turnId = (await client.prompt('Buy').call().chatResponse())?.metadata['turnId'] as string;
    const approvals = [{ toolCallId: 'c1', approved: true }];
    const stream = client.prompt().toolApprovals(approvals, { turnId }).stream().content().subscribe();
    await new Promise((resolve) => setTimeout(resolve, 5));
    stream.unsubscribe();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const goOn = (decisions: readonly ToolApproval[]) =>
      client.prompt().toolApprovals(decisions, { turnId }).call().content();
    for (const undecided of [approvals, []]) {
      await expect(goOn(undecided)).rejects.toMatchObject({
        name: 'ToolApprovalException',
        problem: 'uncertain',
        message: expect.stringContaining("may have run: 'c1' (pay)"),
        uncertainCalls: [{ id: 'c1', name: 'pay' }],
      });
    }
    expect(await goOn([{ toolCallId: 'c1', approved: false, reason: 'The bank has it.' }])).toBe('Let me look');
    expect(done).toEqual(['paid']);
    expect(model.toolResponses).toEqual([
      "The call of 'pay' was interrupted: it may have run, and was not run again. What is known: The bank has it.",
    ]);
  });

  it('keeps the results of later rounds if it fails after them', async () => {
    const script = [{ toolCalls: [TRANSFER] }, { toolCalls: [BALANCE] }, { error: new Error('down') }, 'Done'];
    const { client, model, done } = scene(script);
    const turnId = (await client.prompt('Send').call().chatResponse())?.metadata['turnId'] as string;
    await expect(approve(client).content()).rejects.toThrow('down');
    expect(await approve(client, 'call_2', turnId).content()).toBe('Done');
    expect(done).toEqual(['100 to Ann', 'balance']);
    expect(model.toolResponses).toEqual(['100 transferred to Ann', '500']);
  });

  it('is decided once, even behind a slow advisor', async () => {
    class Slow extends ToolCallingAdvisor {
      protected override async doInitializeLoop(request: ChatClientRequest): Promise<ChatClientRequest> {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return request;
      }
    }
    const { tools, done } = bank();
    const two = { toolCalls: [TRANSFER, toolCall('transfer', { amount: 1, to: 'Eve' }, 'call_3')] };
    const client = ChatClient.builder(new ScriptedChatModel([two]))
      .defaultTools(tools)
      .defaultAdvisors(new Slow())
      .build();
    await client.prompt('Send').call().content();
    await Promise.allSettled([approve(client).content(), approve(client).content()]);
    expect(done).toEqual(['100 to Ann']);
  });

  it('keeps waiting after a request without tools', async () => {
    const { client, done } = scene();
    await client.prompt('Send').call().content();
    const without = client
      .prompt()
      .tools()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }]);
    await expect(without.call().content()).rejects.toThrow(/needs tools that this request does not have: 'transfer'/);
    await approve(client).content();
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('is suspended whatever the advisor context contains', async () => {
    const cyclic: Record<string, unknown> = { bigint: 5n };
    cyclic['self'] = cyclic;
    const { client, done } = scene();
    await client
      .prompt('Send')
      .advisors((a) => a.param('user', cyclic))
      .call()
      .content();
    expect(await approve(client).content()).toBe('All done.');
    expect(done).toEqual(['balance', '100 to Ann']);
  });

  it('is stored by a memory inside the loop, even if it ends without another answer', async () => {
    const memory = new MessageWindowChatMemory();
    class Direct {
      @Tool({ needsApproval: true, returnDirect: true })
      transfer() {
        return 'transferred';
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [toolCall('transfer', {}, 'call_1')] }]))
      .defaultTools(new Direct())
      .defaultAdvisors(
        new ToolCallingAdvisor(),
        new MessageChatMemoryAdvisor({ chatMemory: memory, order: ToolCallingAdvisor.DEFAULT_ORDER + 100 }),
        (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
    await client.prompt('Send').call().content();
    expect(await approve(client).content()).toBe('transferred');
    expect((await memory.get('c')).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('respects the time of its budget', async () => {
    class Hanging {
      @Tool({ needsApproval: true })
      hang() {
        return new Promise(() => undefined);
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [toolCall('hang', {}, 'call_1')] }]))
      .defaultTools(new Hanging())
      .defaultAdvisors(new ToolCallingAdvisor(), new UsageBudgetAdvisor({ turn: { time: 15 } }))
      .build();
    await client.prompt('Go').call().content();
    expect(await approve(client).content()).toMatch(/the time of 15 ms for this turn is used up/);
  });

  it('shows repaired arguments before they run', async () => {
    const { tools } = bank();
    const broken = toolCall('transfer', "{amount: 1, to: 'Ann' /* not really */}", 'call_1');
    const toolCallingManager = new DefaultToolCallingManager({ argumentRepair: new JsonRepair() });
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [broken] }]))
      .defaultTools(tools)
      .defaultAdvisors(new ToolCallingAdvisor({ toolCallingManager }))
      .build();
    const response = await client.prompt('Send').call().chatResponse();
    expect(JSON.parse(response!.result!.output.toolCalls[0]!.arguments)).toEqual({ amount: 1, to: 'Ann' });
  });

  it('is named in the error of entity() while it waits', async () => {
    const { client } = scene();
    const entity = client.prompt('Send').call().entity(String);
    await expect(entity).rejects.toMatchObject({
      message: expect.stringContaining('toolApprovalRequired'),
      response: { metadata: { turnId: expect.any(String) } },
    });
  });
});

describe('approvals in a request without a tool loop', () => {
  it('are refused before the model is called', async () => {
    const { client, model } = scene();
    await client.prompt('Send').call().content();
    const asked = client
      .prompt()
      .options({ internalToolExecutionEnabled: false })
      .toolApprovals([{ toolCallId: 'call_1', approved: true }]);
    await expect(asked.call().content()).rejects.toThrow(/^Turn on the tool loop for a request with toolApprovals/);
    await expect(lastValueFrom(asked.stream().content())).rejects.toThrow(
      /^Turn on the tool loop for a request with toolApprovals/,
    );
    expect(model.prompts).toHaveLength(1);
  });
});

describe('a loop of the caller', () => {
  it('cannot use an approval for another message', async () => {
    const { tools, done } = bank();
    const options = {
      toolCallbacks: ToolCallbacks.from(tools),
      toolApprovals: [{ toolCallId: 'call_1', approved: true }],
    };
    const response = await new ScriptedChatModel([asks]).call(new Prompt('Send', options));
    const result = await new DefaultToolCallingManager().executeToolCalls(new Prompt('Send', options), response);
    expect(result.pendingApprovals).toEqual([TRANSFER]);
    expect(done).toEqual(['balance']);
  });

  it('recognizes its message when a call without an id was written in another way', async () => {
    const { tools, done } = bank();
    const model = new ScriptedChatModel([
      { toolCalls: [{ ...TRANSFER, id: '', arguments: '{"amount":1.0,"to":"Ann"}' }] },
    ]);
    const manager = new DefaultToolCallingManager();
    const options = { toolCallbacks: ToolCallbacks.from(tools) };
    const response = await model.call(new Prompt('Send', options));
    const { pendingApprovals, conversationHistory } = await manager.executeToolCalls(
      new Prompt('Send', options),
      response,
    );
    const toolApprovals = [{ toolCallId: pendingApprovals![0]!.id, approved: true }];
    await manager.executeToolCalls(new Prompt(conversationHistory, { ...options, toolApprovals }), response);
    expect(done).toEqual(['1 to Ann']);
  });

  it('executes the same message again with the decisions', async () => {
    const { tools, done } = bank();
    const model = new ScriptedChatModel([asks, 'Done']);
    const manager = new DefaultToolCallingManager();
    const options = { toolCallbacks: ToolCallbacks.from(tools) };
    const response = await model.call(new Prompt('Send', options));
    const first = await manager.executeToolCalls(new Prompt('Send', options), response);
    expect(first.pendingApprovals).toEqual([TRANSFER]);
    expect(done).toEqual(['balance']);
    const toolApprovals = [{ toolCallId: 'call_1', approved: true }];
    const second = await manager.executeToolCalls(
      new Prompt(first.conversationHistory, { ...options, toolApprovals }),
      response,
    );
    expect(second.pendingApprovals).toBeUndefined();
    expect(done).toEqual(['balance', '100 to Ann']);
    expect(second.conversationHistory.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });
});
