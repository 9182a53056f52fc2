import { describe, expect, it } from '@jest/globals';
import { APPROVAL_RULES, ApprovalPolicy } from '../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../advisor/approvals/approval-tokens.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import { PRINCIPAL, TurnPrincipal } from '../model/turn-principal.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { type OutsideAnswer, ToolCaller } from './tool-caller.js';
import { RequestServices } from '../model/request-services.js';

const paid: unknown[] = [];
const pay = new FunctionToolCallback<{ amount: number }>({
  name: 'pay',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  needsApproval: true,
  toolFunction: ({ amount }) => {
    paid.push(amount);
    return { paid: amount };
  },
});
const long = new FunctionToolCallback({
  name: 'long',
  outputType: [String],
  toolFunction: () => ['x'.repeat(200_000)],
});
const erase = new FunctionToolCallback({ name: 'erase', effect: 'irreversible', toolFunction: () => 'erased' });

const alice = { user: { id: 'alice' } };
const bob = { user: { id: 'bob' } };

function create(rules: { policy?: ApprovalPolicy; tokens?: ApprovalTokens } = {}): {
  caller: ToolCaller;
  repository: InMemorySuspendedTurnRepository;
} {
  paid.length = 0;
  const repository = new InMemorySuspendedTurnRepository();
  const { policy = new ApprovalPolicy(), tokens } = rules;
  const caller = new ToolCaller({
    services: new RequestServices('mcp').set(PRINCIPAL, new TurnPrincipal()).set(APPROVAL_RULES, { policy, tokens }),
    loop: { suspendedTurnRepository: repository },
  });
  return { caller, repository };
}

function idOf(answer: OutsideAnswer): string {
  expect(answer.status).toBe('waiting');
  return (answer as { approvalId: string }).approvalId;
}

describe('ToolCaller', () => {
  it('answers with the whole result and its value, without the limit for models', async () => {
    const answer = await create().caller.call({ tool: long, arguments: {} });
    expect(answer).toMatchObject({ status: 'answered', response: { name: 'long', value: ['x'.repeat(200_000)] } });
    expect((answer as { response: { responseData: string } }).response.responseData).toHaveLength(200_004);
  });

  it('answers a call that fails', async () => {
    const answer = await create().caller.call({ tool: pay, arguments: { amount: 'much' } });
    expect(answer).toMatchObject({ status: 'answered', response: { isError: true } });
  });

  it('lets a call wait until it is approved, and runs it once', async () => {
    const { caller, repository } = create();
    const call = { tool: pay, arguments: { amount: 5 }, request: alice };
    const approvalId = idOf(await caller.call(call));
    expect(paid).toEqual([]);
    const decisions = await Promise.allSettled([
      caller.decide(approvalId, { approved: true }, call),
      caller.decide(approvalId, { approved: true }, call),
    ]);
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(paid).toEqual([5]);
    await expect(caller.decide(approvalId, { approved: true }, call)).rejects.toThrow(/waits for approval/);
    expect(repository.findByToolCallId('')).toEqual([]);
  });

  it('knows a call whose arguments have keys and numbers that JSON writes in another way', async () => {
    const { caller } = create();
    const tool = new FunctionToolCallback({
      name: 'set',
      inputSchema: { type: 'object' },
      needsApproval: true,
      toolFunction: (input: object) => JSON.stringify(input),
    });
    const call = { tool, arguments: { 10: -0, 9: 1e21 }, request: alice };
    const answer = await caller.decide(idOf(await caller.call(call)), { approved: true }, call);
    expect(answer).toMatchObject({ response: { responseData: '{"9":1e+21,"10":0}' } });
  });

  it('does not run a call that is denied or forgotten', async () => {
    const { caller } = create();
    const call = { tool: pay, arguments: { amount: 5 }, request: alice };
    const denied = await caller.decide(idOf(await caller.call(call)), { approved: false, reason: 'too much' }, call);
    expect(denied).toMatchObject({ status: 'answered', response: { isError: true } });
    const forgotten = idOf(await caller.call(call));
    await caller.forget(forgotten);
    await expect(caller.decide(forgotten, { approved: true }, call)).rejects.toThrow(/waits for approval/);
    expect(paid).toEqual([]);
  });

  it.each([
    ['other arguments', { arguments: { amount: 6 } }],
    ['another tool', { tool: erase }],
    ['another caller', { request: bob }],
    ['an unknown caller', { request: undefined }],
  ])('refuses an approval for %s', async (_what, change) => {
    const { caller } = create();
    const call = { tool: pay, arguments: { amount: 5 }, request: alice };
    const approvalId = idOf(await caller.call(call));
    await expect(caller.decide(approvalId, { approved: true }, { ...call, ...change })).rejects.toThrow(
      /waits for approval|does not allow/,
    );
    expect(paid).toEqual([]);
    await caller.decide(approvalId, { approved: true }, { ...call, arguments: { amount: 5 } });
    expect(paid).toEqual([5]);
  });

  it.each(['', ':', 'x', 'x:y', '1.a.x:y', '__proto__:x', 'x'.repeat(100_000)])(
    'refuses the approval id %p',
    async (approvalId) => {
      const { caller } = create({ tokens: new ApprovalTokens({ secret: 'a secret of thirty-two characters' }) });
      const call = { tool: pay, arguments: { amount: 5 }, request: alice };
      await caller.call(call);
      await expect(caller.decide(approvalId, { approved: true }, call)).rejects.toThrow(/waits for approval/);
    },
  );

  it('signs the approval id if the application signs approvals', async () => {
    const { caller } = create({ tokens: new ApprovalTokens({ secret: 'a secret of thirty-two characters' }) });
    const call = { tool: pay, arguments: { amount: 5 }, request: alice };
    const approvalId = idOf(await caller.call(call));
    const [turn] = approvalId.split('.').slice(-1);
    await expect(caller.decide(turn!, { approved: true }, call)).rejects.toThrow(/token/);
    await caller.decide(approvalId, { approved: true }, call);
    expect(paid).toEqual([5]);
  });

  it('forgets a call that its caller may not approve', async () => {
    class FourEyes extends ApprovalPolicy {
      override authorize(): boolean {
        return false;
      }
    }
    const { caller } = create({ policy: new FourEyes() });
    const answer = await caller.call({ tool: pay, arguments: { amount: 5 }, request: alice });
    expect(answer).toMatchObject({ status: 'waiting', approvalId: undefined });
  });

  it('asks before a call that cannot be undone, since what the caller has read is not known', async () => {
    expect(await create().caller.call({ tool: erase, arguments: {} })).toMatchObject({ status: 'waiting' });
  });

  it('counts the calls of a tool for its rate limit', async () => {
    const { caller } = create();
    const ring = new FunctionToolCallback({
      name: 'ring',
      rateLimit: { calls: 2, interval: 60_000 },
      toolFunction: () => 'rung',
    });
    const answers = [];
    for (let at = 0; at < 3; at++) answers.push(await caller.call({ tool: ring, arguments: {} }));
    expect(answers.map((answer) => answer.status === 'answered' && answer.response.isError === true)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('stops with the signal of the caller', async () => {
    const hang = new FunctionToolCallback({ name: 'hang', toolFunction: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const answer = create().caller.call({ tool: hang, arguments: {}, signal: controller.signal });
    const reason = new Error('The client has left.');
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});
