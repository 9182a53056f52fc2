import { describe, expect, it } from '@jest/globals';
import { InMemorySuspendedTurnRepository, type SuspendedTurn } from '../memory/suspended-turn.repository.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, ToolResponseMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { TurnControl } from '../model/turn-control.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { TurnMachine } from './turn-machine.js';

const call = { id: 'c1', name: 'pay', arguments: '{}' };
const asked = new AssistantMessage({ text: 'I will pay.', toolCalls: [call] });
const request: ChatClientRequest = { prompt: new Prompt('Pay', {}), context: {} };
const approving = (decision: object = {}): ChatClientRequest => ({
  prompt: new Prompt([], {
    toolApprovals: [{ toolCallId: 'c1', approved: true, ...decision }],
    toolNames: ['pay'],
  }),
  context: {},
});
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

/** A machine whose turn is suspended, and the repository that has it. */
async function suspend(repository = new InMemorySuspendedTurnRepository()) {
  const turn = new TurnControl();
  const machine = new TurnMachine(turn, repository);
  await machine.begin(request);
  await machine.suspend(suspended);
  return { turn, machine, repository };
}

describe('the states of a turn', () => {
  it('are fresh, running and answered for one that waits for nobody', async () => {
    const machine = new TurnMachine(new TurnControl(), new InMemorySuspendedTurnRepository());
    expect(machine.state).toBe('fresh');
    expect(await machine.begin(request)).toBe(request);
    expect(machine.state).toBe('running');
    machine.answered();
    expect(machine.state).toBe('answered');
  });

  it('are suspended, claimed, running and answered for one that goes on, with what belongs to it', async () => {
    const { turn, machine, repository } = await suspend();
    expect(machine.state).toBe('suspended');
    const resumedTurn = new TurnControl();
    const resumed = new TurnMachine(resumedTurn, repository);
    const goesOn = await resumed.begin(approving());
    expect(resumed.state).toBe('suspended');
    expect(resumedTurn.id).toBe(turn.id);
    expect(goesOn.prompt.messages.map(({ role }) => role)).toEqual(['user']);
    await resumed.claim(goesOn, []);
    expect(resumed.runsHeldTools).toBe(true);
    expect(await repository.findById(turn.id)).toBeUndefined();
    resumed.toolsHaveRun({ messages: suspended.executed.conversationHistory, round: 2, usageByRound: [] });
    expect(resumed.state).toBe('running');
    resumed.answered();
    expect(resumed.state).toBe('answered');
  });

  it('are expired for one that is not stored any more', async () => {
    const machine = new TurnMachine(new TurnControl(), new InMemorySuspendedTurnRepository());
    await expect(machine.begin(approving())).rejects.toThrow("No tool call 'c1' waits for approval");
    expect(machine.state).toBe('expired');
  });

  it('let one of two requests claim the turn, and leave it waiting for the other', async () => {
    const { repository } = await suspend();
    const [first, second] = [1, 2].map(() => new TurnMachine(new TurnControl(), repository));
    const requests = [await first!.begin(approving()), await second!.begin(approving())];
    await first!.claim(requests[0]!, []);
    await expect(second!.claim(requests[1]!, [])).rejects.toThrow('is already going on');
    await second!.failed();
    expect({ first: first!.state, second: second!.state }).toEqual({ first: 'claimed', second: 'suspended' });
  });

  it('are suspended again for one that fails after it was claimed, and a call that may have run does not wait', async () => {
    const { turn, repository } = await suspend();
    const control = new TurnControl();
    const machine = new TurnMachine(control, repository);
    await machine.claim(await machine.begin(approving()), []);
    control.continuation!.began('c1');
    await machine.failed();
    expect(machine.state).toBe('suspended');
    const stored = (await repository.findById(turn.id)) as SuspendedTurn;
    expect(stored.pending).toEqual([]);
    expect(JSON.stringify(stored.messages.at(-1))).toContain('It is not known whether this call has run');
  });

  it('do not change in any other way', async () => {
    const machine = new TurnMachine(new TurnControl(), new InMemorySuspendedTurnRepository());
    await machine.begin(request);
    machine.answered();
    expect(() => machine.answered()).toThrow('A turn that is answered cannot become answered.');
    await expect(machine.suspend(suspended)).rejects.toThrow('A turn that is answered cannot become suspended.');
  });
});
