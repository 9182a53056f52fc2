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
import { StoredTurn } from './stored-turn.js';
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

/** A suspended turn, and its repository. */
async function suspend(repository = new InMemorySuspendedTurnRepository()) {
  const turn = new TurnControl();
  const stored = new StoredTurn(turn, { repository, lease: 60_000, ...ANYBODY });
  await stored.begin(request);
  await stored.suspend(suspended);
  return { turn, stored, repository };
}

describe('StoredTurn', () => {
  it('resumes a suspended turn with its data, and keeps it stored until the request has ended', async () => {
    const { turn, repository } = await suspend();
    const resumedTurn = new TurnControl();
    const resumed = new StoredTurn(resumedTurn, { repository, lease: 60_000, ...ANYBODY });
    const goesOn = await resumed.begin(approving());
    expect(resumedTurn.id).toBe(turn.id);
    expect(goesOn.prompt.messages.map(({ role }) => role)).toEqual(['user']);
    await resumed.claim(goesOn, manager, []);
    expect(resumed.runsHeldTools).toBe(true);
    expect(repository.findById(turn.id)).toMatchObject({ claim: { owner: expect.any(String) } });
    resumed.toolsHaveRun(paid);
    expect(resumed.runsHeldTools).toBe(false);
    resumed.answered();
    expect(repository.findById(turn.id)).toBeDefined();
    await resumedTurn.hold!.complete();
    expect(repository.findById(turn.id)).toBeUndefined();
  });

  it('refuses approvals for a turn that is no longer stored', async () => {
    const stored = new StoredTurn(new TurnControl(), emptyStore());
    await expect(stored.begin(approving())).rejects.toThrow("No tool call 'c1' waits for approval");
  });

  it('lets one of two requests claim the turn and refuses the other, whose failure changes nothing', async () => {
    const { turn, repository } = await suspend();
    const [first, second] = [1, 2].map(
      () => new StoredTurn(new TurnControl(), { repository, lease: 60_000, ...ANYBODY }),
    );
    const requests = [await first!.begin(approving()), await second!.begin(approving())];
    await first!.claim(requests[0]!, manager, []);
    const claimed = repository.findById(turn.id);
    await expect(second!.claim(requests[1]!, manager, [])).rejects.toThrow('was already resumed');
    await second!.failed(new Error('failed'));
    expect(repository.findById(turn.id)).toEqual(claimed);
  });

  it('is uncertain if it fails while a call runs, until the call has ended', async () => {
    const { turn, repository } = await suspend();
    const control = new TurnControl();
    const stored = new StoredTurn(control, { repository, lease: 60_000, ...ANYBODY });
    const found = (): SuspendedTurn => repository.findById(turn.id)!;
    await stored.claim(await stored.begin(approving()), manager, []);
    await control.hold!.callBegins(call);
    await stored.failed(new Error('failed'));
    expect(found()).toMatchObject({ pending: [call], begun: ['c1'] });
    control.hold!.callEnded({ id: 'c1', name: 'pay', responseData: 'paid' });
    await setImmediate();
    expect(found()).not.toHaveProperty('begun');
    expect(found()).toMatchObject({ pending: [], messages: [{}, {}, { responses: [{ responseData: 'paid' }] }] });
  });

  it('stores nothing more of a turn that was stopped after it was suspended', async () => {
    const { turn, stored, repository } = await suspend();
    const suspendedTurn = repository.findById(turn.id);
    await stored.stopped();
    await turn.hold?.complete();
    expect(repository.findById(turn.id)).toEqual(suspendedTurn);
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
    const stored = new StoredTurn(turn, emptyStore());
    await stored.begin(request);
    const pendingInputs = { c1: { request: { message: 'Runs' }, deferred: true as const, queue: 'payments' } };
    await stored.suspend({ ...suspended, executed: { ...suspended.executed, pendingInputs } });
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
