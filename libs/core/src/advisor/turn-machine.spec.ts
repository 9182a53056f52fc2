import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import type { SuspendedTurn } from '../memory/suspended-turn.repository.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, ToolResponseMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { RequestScope } from '../model/request-scope.js';
import { TurnControl } from '../model/turn-control.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { TurnMachine } from './turn-machine.js';
import { JOB_QUEUE } from '../execution/job-queue.js';
import { RequestServices } from '../model/request-services.js';

const manager = new DefaultToolCallingManager();
const pay = new FunctionToolCallback({ name: 'pay', toolFunction: () => 'paid' });
const call = { id: 'c1', name: 'pay', arguments: '{}' };
const asked = new AssistantMessage({ text: 'I will pay.', toolCalls: [call] });
const request: ChatClientRequest = { prompt: new Prompt('Pay', {}), context: {} };
const approving = (decision: object = {}): ChatClientRequest => ({
  prompt: new Prompt([], {
    toolApprovals: [{ toolCallId: 'c1', approved: true, ...decision }],
    toolCallbacks: [pay],
  }),
  context: {},
});
const paid = [
  new UserMessage('Pay'),
  asked,
  new ToolResponseMessage({ responses: [{ id: 'c1', name: 'pay', responseData: 'paid' }] }),
];
const suspended = {
  request,
  response: { chatResponse: new ChatResponse({ results: [{ output: asked }] }), context: {} },
  executed: {
    conversationHistory: [new UserMessage('Pay'), asked, new ToolResponseMessage({ responses: [] })],
    returnDirect: false,
    pendingApprovals: [call],
  },
  round: 2,
  usageByRound: [],
};

/** The store of a turn without an approval policy. */
const ANYBODY = { rules: {} };
const emptyStore = () => ({ repository: new InMemorySuspendedTurnRepository(), lease: 60_000, ...ANYBODY });

/** A machine with a suspended turn, and its repository. */
async function suspend(repository = new InMemorySuspendedTurnRepository()) {
  const turn = new TurnControl();
  const machine = new TurnMachine(turn, { repository, lease: 60_000, ...ANYBODY });
  await machine.begin(request);
  await machine.suspend(suspended);
  return { turn, machine, repository };
}

describe('the states of a turn', () => {
  it('are fresh, running and answered for a turn without approvals', async () => {
    const machine = new TurnMachine(new TurnControl(), emptyStore());
    expect(machine.state).toBe('fresh');
    expect(await machine.begin(request)).toBe(request);
    expect(machine.state).toBe('running');
    machine.answered();
    expect(machine.state).toBe('answered');
  });

  it('are suspended, claimed, running and answered for a resumed turn, whose data is restored', async () => {
    const { turn, machine, repository } = await suspend();
    expect(machine.state).toBe('suspended');
    const resumedTurn = new TurnControl();
    const resumed = new TurnMachine(resumedTurn, { repository, lease: 60_000, ...ANYBODY });
    const goesOn = await resumed.begin(approving());
    expect(resumed.state).toBe('suspended');
    expect(resumedTurn.id).toBe(turn.id);
    expect(goesOn.prompt.messages.map(({ role }) => role)).toEqual(['user']);
    await resumed.claim(goesOn, manager, []);
    expect(resumed.runsHeldTools).toBe(true);
    expect(repository.findById(turn.id)).toMatchObject({ claim: { owner: expect.any(String) } });
    await resumed.toolsHaveRun(paid);
    expect(resumed.state).toBe('running');
    resumed.answered();
    expect(resumed.state).toBe('answered');
    expect(repository.findById(turn.id)).toBeDefined();
    await resumedTurn.journal!.complete();
    expect(repository.findById(turn.id)).toBeUndefined();
  });

  it('are expired for a turn that is no longer stored', async () => {
    const machine = new TurnMachine(new TurnControl(), emptyStore());
    await expect(machine.begin(approving())).rejects.toThrow("No tool call 'c1' waits for approval");
    expect(machine.state).toBe('expired');
  });

  it('let one of two requests claim the turn and refuse the other', async () => {
    const { repository } = await suspend();
    const [first, second] = [1, 2].map(
      () => new TurnMachine(new TurnControl(), { repository, lease: 60_000, ...ANYBODY }),
    );
    const requests = [await first!.begin(approving()), await second!.begin(approving())];
    await first!.claim(requests[0]!, manager, []);
    await expect(second!.claim(requests[1]!, manager, [])).rejects.toThrow('was already resumed');
    await second!.failed(new Error('failed'));
    expect({ first: first!.state, second: second!.state }).toEqual({ first: 'claimed', second: 'suspended' });
  });

  it('are uncertain for a turn that fails while a call runs, and suspended again once the call has ended', async () => {
    const { turn, repository } = await suspend();
    const control = new TurnControl();
    const machine = new TurnMachine(control, { repository, lease: 60_000, ...ANYBODY });
    const stored = (): SuspendedTurn => repository.findById(turn.id)!;
    await machine.claim(await machine.begin(approving()), manager, []);
    await control.journal!.began(call);
    await machine.failed(new Error('failed'));
    expect(machine.state).toBe('uncertain');
    expect(stored()).toMatchObject({ pending: [call], begun: ['c1'] });
    const next = new TurnMachine(new TurnControl(), { repository, lease: 60_000, ...ANYBODY });
    await next.begin(approving());
    expect(next.state).toBe('uncertain');
    await control.journal!.ended({ id: 'c1', name: 'pay', responseData: 'paid' });
    expect(stored()).not.toHaveProperty('begun');
    expect(stored()).toMatchObject({ pending: [], messages: [{}, {}, { responses: [{ responseData: 'paid' }] }] });
  });

  it('do not change in any other way', async () => {
    const machine = new TurnMachine(new TurnControl(), emptyStore());
    await machine.begin(request);
    machine.answered();
    expect(() => machine.answered()).toThrow('A turn cannot change from answered to answered.');
    await expect(machine.suspend(suspended)).rejects.toThrow('A turn cannot change from answered to suspended.');
  });
});

it('a turn that waits for approval is stored when its answer arrives', async () => {
  const late = new InMemorySuspendedTurnRepository();
  const save = late.save.bind(late);
  Object.assign(late, { save: (...stored: Parameters<typeof save>) => setImmediate().then(() => save(...stored)) });
  const { turn, repository } = await suspend(late);
  expect(repository.findById(turn.id)).toMatchObject({ pending: [call] });
});

describe('a turn whose call runs as a job', () => {
  const suspendWith = async (add: (turnId: string, options: { readonly queue?: string }) => Promise<void>) => {
    const turn = new TurnControl(
      undefined,
      new RequestScope(undefined, undefined, new RequestServices().set(JOB_QUEUE, { add })),
    );
    const machine = new TurnMachine(turn, emptyStore());
    await machine.begin(request);
    const pendingInputs = { c1: { request: { message: 'Runs' }, deferred: true as const, queue: 'payments' } };
    await machine.suspend({ ...suspended, executed: { ...suspended.executed, pendingInputs } });
    return turn;
  };

  it('waits with its answer until it is in the queue of the job', async () => {
    const queued: unknown[] = [];
    const turn = await suspendWith(async (...added) => {
      await setImmediate();
      queued.push(added);
    });
    expect(queued).toEqual([[turn.id, { queue: 'payments' }]]);
  });

  it('has no answer if the queue fails', async () => {
    await expect(suspendWith(() => Promise.reject(new Error('The queue is closed.')))).rejects.toThrow('closed');
  });
});
