import { describe, expect, it } from '@jest/globals';
import { AssistantMessage, type ToolCall, ToolResponseMessage, UserMessage } from '../model/messages.js';
import type { ChatOptions } from '../model/chat-options.js';
import { ChatResponse } from '../model/chat-response.js';
import { Prompt } from '../model/prompt.js';
import type { ToolCallEnd } from '../model/tool-call-outcome.js';
import type { ToolCallRun, TurnObserver } from '../model/turn-observer.js';
import { TurnObservers } from '../model/turn-observers.js';
import { TurnControl } from '../model/turn-control.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ObservedCall } from './observed-call.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import { NO_BREACHES } from './tool-call-batch.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import { JsonRepair } from './tool-argument-repair.js';
import { DefaultToolExecutionExceptionProcessor } from './tool-execution-exception-processor.js';

/** Collects the records, together with the steps of the code between them. */
class Notes implements TurnObserver {
  readonly lines: string[] = [];
  readonly decisions: ToolCallRun['decision'][] = [];
  readonly runIds: string[] = [];
  /** Delays the start of a call. */
  beginning: () => Promise<void> = () => Promise.resolve();

  async toolBegins(call: ToolCallRun): Promise<void> {
    this.runIds.push(call.id);
    this.lines.push(`began ${call.toolCall.name} ${call.arguments}`);
    await this.beginning();
    this.lines.push('recorded');
  }

  async toolEnded({ toolCall, arguments: args, decision, id, tries }: ToolCallRun, end: ToolCallEnd): Promise<void> {
    await Promise.resolve();
    this.runIds.push(id);
    this.decisions.push(decision);
    const error = end.error === undefined ? '' : ` ${(end.error as Error).name}`;
    this.lines.push(`ended ${toolCall.name} ${args}: ${end.outcome}, ${tries} tries${error}`);
  }
}

interface Given {
  readonly code?: (input: unknown) => unknown;
  readonly metadata?: object;
  readonly call?: Partial<ToolCall>;
  readonly manager?: ToolCallingManagerOptions;
  readonly options?: ChatOptions;
}

const pay: ToolCall = { id: 'call_1', name: 'pay', arguments: '{"amount":5}' };

function scene({ code = () => 'paid', metadata = {}, call = {}, manager = {}, options = {} }: Given = {}) {
  const notes = new Notes();
  const tool = new FunctionToolCallback({
    name: 'pay',
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    toolFunction: (input) => {
      notes.lines.push('the code runs');
      return code(input);
    },
    toolMetadata: { returnDirect: false, ...metadata },
  });
  const executor = new DefaultToolCallingManager({ observers: [notes], ...manager });
  const output = new AssistantMessage({ toolCalls: [{ ...pay, ...call }] });
  const response = new ChatResponse({ results: [{ output }] });
  const execute = (history: Prompt['messages'] = [new UserMessage('Pay')], more: ChatOptions = {}) =>
    executor.executeToolCalls(new Prompt(history, { toolCallbacks: [tool], ...options, ...more }), response);
  return { notes, execute };
}

/** The records of one call. */
async function linesOf(given: Given): Promise<readonly string[]> {
  const { notes, execute } = scene(given);
  await execute().catch(() => undefined);
  return notes.lines;
}

const failing = () => {
  throw new TypeError('broken');
};

describe('a call that runs', () => {
  it('is recorded before its code runs and before the model gets the result', async () => {
    const { notes, execute } = scene();
    await execute();
    const [first, ...others] = notes.runIds;
    expect(others).toEqual([first]);
    expect(notes.lines).toEqual([
      'began pay {"amount":5}',
      'recorded',
      'the code runs',
      'ended pay {"amount":5}: ok, 1 tries',
    ]);
  });

  it.each<[string, Given, string]>([
    ['fails', { code: failing }, 'error, 1 tries TypeError'],
    [
      'takes too long',
      { code: () => new Promise(() => undefined), metadata: { timeout: 5 } },
      'timeout, 1 tries ToolTimeoutException',
    ],
    [
      'ends the turn',
      {
        code: failing,
        manager: { toolExecutionExceptionProcessor: new DefaultToolExecutionExceptionProcessor({ alwaysThrow: true }) },
      },
      'error, 1 tries TypeError',
    ],
    [
      'ends the turn with what it has thrown',
      {
        code: failing,
        manager: {
          toolExecutionExceptionProcessor: new DefaultToolExecutionExceptionProcessor({ rethrow: [TypeError] }),
        },
      },
      'error, 1 tries TypeError',
    ],
  ])('and %s has an end as well', async (_what, given, end) => {
    expect((await linesOf(given)).slice(2)).toEqual(['the code runs', `ended pay {"amount":5}: ${end}`]);
  });

  it('is recorded once when it is retried, with the number of attempts', async () => {
    expect(await linesOf({ code: failing, metadata: { retry: { retries: 2, minDelay: 1, maxDelay: 1 } } })).toEqual([
      'began pay {"amount":5}',
      'recorded',
      'the code runs',
      'the code runs',
      'the code runs',
      'ended pay {"amount":5}: error, 3 tries TypeError',
    ]);
  });

  it('is recorded with the repaired arguments', async () => {
    const lines = await linesOf({ call: { arguments: '{amount: 5,}' }, manager: { argumentRepair: new JsonRepair() } });
    expect(lines.filter((line) => line.includes('amount'))).toEqual([
      'began pay {"amount": 5}',
      'ended pay {"amount": 5}: ok, 1 tries',
    ]);
  });
});

describe('a call that does not run', () => {
  it.each<[string, Given, string]>([
    ['the tool is unknown', { call: { name: 'steal' } }, 'ended steal {"amount":5}: unknown_tool, 0 tries'],
    [
      'the arguments do not fit',
      { call: { arguments: '{}' } },
      'ended pay {}: invalid_arguments, 0 tries ToolInputException',
    ],
    [
      'there are no arguments',
      { call: { arguments: '' } },
      'ended pay {}: invalid_arguments, 0 tries ToolInputException',
    ],
    [
      'a human has to decide',
      { metadata: { needsApproval: true } },
      'ended pay {"amount":5}: pending_approval, 0 tries',
    ],
  ])('has one record: %s', async (_why, given, line) => {
    expect(await linesOf(given)).toEqual([line]);
  });

  it('has one record if the result is cached or a rate or call limit is exceeded', async () => {
    const cached = scene({ metadata: { cacheTtl: 60_000 } });
    await cached.execute();
    await cached.execute();
    expect(cached.notes.lines.slice(3)).toEqual([expect.any(String), 'ended pay {"amount":5}: ok, 0 tries']);
    const limited = scene({ metadata: { rateLimit: { calls: 1, interval: 60_000 } } });
    await limited.execute();
    await limited.execute();
    expect(limited.notes.lines.slice(4)).toEqual([
      'ended pay {"amount":5}: rate_limited, 0 tries ToolRateLimitException',
    ]);
    const counted = scene({ manager: { limits: { maxCallsPerTool: 1 } } });
    const { conversationHistory } = await counted.execute();
    await expect(counted.execute(conversationHistory)).rejects.toThrow('limit');
    expect(counted.notes.lines.slice(4)).toEqual(['ended pay {"amount":5}: limit_exceeded, 0 tries']);
  });
});

describe('a call with a decision', () => {
  const decide = async (decision: object) => {
    const { notes, execute } = scene({ metadata: { needsApproval: true } });
    const { conversationHistory } = await execute();
    const approval = { toolCallId: pay.id, approved: true, ...decision };
    await execute(conversationHistory, { toolApprovals: [approval] });
    return { lines: notes.lines.slice(1), decision: notes.decisions.at(-1) };
  };

  it('is recorded with the approved arguments and those of the model', async () => {
    const { lines, decision } = await decide({ arguments: { amount: 1 } });
    expect(lines).toEqual([
      'began pay {"amount":1}',
      'recorded',
      'the code runs',
      'ended pay {"amount":1}: ok, 1 tries',
    ]);
    expect(decision).toEqual({ approved: true, approver: undefined, modelArguments: '{"amount":5}' });
  });

  it('is recorded when it was denied', async () => {
    const { lines, decision } = await decide({ approved: false });
    expect(lines).toEqual(['ended pay {"amount":5}: denied, 0 tries']);
    expect(decision).toEqual({ approved: false, approver: undefined, modelArguments: undefined });
  });

  it('has the approver from the continuation of the turn', () => {
    const message = new AssistantMessage({ toolCalls: [pay] });
    const approved = {
      asked: message,
      approvals: new Map([[pay.id, { toolCallId: pay.id, approved: true }]]),
      responses: new Map(),
      uncertain: [],
      callApprovals: new Map([[pay.id, { approver: 'bob' }]]),
      inputs: new Map(),
    };
    const turn = new TurnControl();
    const batch = { prompt: new Prompt('Pay'), message, breaches: NO_BREACHES, approved, turn, isCutOff: false };
    const recorder = new ObservedCall(new TurnObservers(), batch, 0);
    expect(recorder.decision?.approver).toBe('bob');
  });
});

describe('a call whose start cannot be recorded', () => {
  const refuse = () => Promise.reject(new Error('Not now.'));

  it('does not run, and the model is told', async () => {
    const { notes, execute } = scene();
    notes.beginning = refuse;
    const { conversationHistory } = await execute();
    expect(conversationHistory.at(-1)).toEqual(
      new ToolResponseMessage({ responses: [{ id: 'call_1', name: 'pay', responseData: 'Not now.', isError: true }] }),
    );
    expect(notes.lines).toEqual(['began pay {"amount":5}', 'ended pay {"amount":5}: error, 0 tries Error']);
  });

  it('is recorded again when the tool is retried', async () => {
    const { notes, execute } = scene({ metadata: { retry: { retries: 1, minDelay: 1, maxDelay: 1 } } });
    const outages = [refuse];
    notes.beginning = () => outages.pop()?.() ?? Promise.resolve();
    await execute();
    expect(notes.lines.slice(-2)).toEqual(['the code runs', 'ended pay {"amount":5}: ok, 1 tries']);
  });

  it.each([
    ['its time is over', { metadata: { timeout: 5 } }, 'timeout, 0 tries ToolTimeoutException'],
    ['its turn is aborted', {}, 'aborted, 0 tries AbortError'],
  ])('does not run later if %s before it is recorded', async (_when, given, end) => {
    const controller = new AbortController();
    const { notes, execute } = scene({ ...given, options: { signal: controller.signal } });
    let record!: () => void;
    notes.beginning = () => {
      if (!('metadata' in given)) controller.abort();
      return new Promise((resolve) => (record = resolve));
    };
    await execute().catch(() => undefined);
    record();
    await new Promise(setImmediate);
    expect(notes.lines).toEqual(['began pay {"amount":5}', `ended pay {"amount":5}: ${end}`, 'recorded']);
  });
});

it('a call whose turn is aborted while it runs has an end', async () => {
  const controller = new AbortController();
  const { notes, execute } = scene({
    code: () => {
      controller.abort();
      return new Promise(() => undefined);
    },
    options: { signal: controller.signal },
  });
  await expect(execute()).rejects.toThrow('aborted');
  expect(notes.lines.at(-1)).toBe('ended pay {"amount":5}: aborted, 1 tries AbortError');
});
