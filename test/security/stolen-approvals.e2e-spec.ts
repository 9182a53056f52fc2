import { describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Logger,
  UseGuards,
} from '@nestjs/common';
import {
  AiModule,
  ApprovalPolicy,
  ChatClient,
  ConversationOwnerException,
  getChatClientToken,
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  SuspendedTurns,
  Tool,
  type ToolApproval,
  ToolCallingAdvisor,
  ToolContext,
  type TurnAccess,
  TurnPrincipal,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { storeTurn } from '../store-turn.js';
import { startApplication, type Scene } from '../nest/application.js';
import { inConversation, Payments, payingScript, requestOf, WhoGuard, YES } from './payments.js';

interface Caller {
  readonly user?: string;
  readonly conversation?: string;
  readonly turnId?: string | undefined;
  readonly client?: ChatClient;
}

/** Somebody asks for a payment. @returns the id of the turn that waits */
async function ask({ client }: Pick<Scene, 'client'>, { user, conversation }: Caller = {}): Promise<string> {
  let spec = client.prompt('Pay 100');
  if (user !== undefined) spec = spec.request(requestOf(user));
  if (conversation !== undefined) spec = spec.advisors((a) => a.params(inConversation(conversation)));
  const response = await spec.call().chatResponse();
  expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
  return response!.metadata.turnId!;
}

/** Somebody decides. @returns what they are told */
async function decide(
  scene: Scene,
  { user, conversation, turnId, client = scene.client }: Caller,
  approvals: readonly ToolApproval[] = YES,
) {
  let spec = client.prompt().toolApprovals(approvals, { turnId });
  if (user !== undefined) spec = spec.request(requestOf(user));
  if (conversation !== undefined) spec = spec.advisors((a) => a.params(inConversation(conversation)));
  return spec
    .call()
    .content()
    .catch((error: Error) => error);
}

const start = (providers: NonNullable<Parameters<typeof AiModule.forRoot>[0]>['providers'] = []) =>
  startApplication({ providers: [Payments, WhoGuard] }, payingScript(), { providers });
const paidIn = ({ app }: Scene) => app.get(Payments).done;

describe('an approval of somebody else', () => {
  it('is refused where another subject has asked, and names the ApprovalPolicy', async () => {
    const scene = await start();
    const turnId = await ask(scene, { user: 'ada' });
    const refusal = await decide(scene, { user: 'mallory', turnId });
    expect(refusal).toMatchObject({ problem: 'forbidden', message: expect.stringContaining('ApprovalPolicy') });
    expect(await decide(scene, { turnId })).toMatchObject({ problem: 'forbidden' });
    expect(await decide(scene, { user: 'mallory', turnId }, [{ ...YES[0], approved: false }])).toMatchObject({
      problem: 'forbidden',
    });
    expect(await decide(scene, { user: 'mallory', turnId }, [])).toMatchObject({ problem: 'forbidden' });
    expect(paidIn(scene)).toEqual([]);
    expect(await decide(scene, { user: 'ada', turnId })).toBe('Done.');
    expect(paidIn(scene)).toEqual([{ amount: 100, requester: 'ada', approval: { approver: 'ada' } }]);
  });

  it('is possible where no known user has asked, and is warned of once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const scene = await startApplication({ providers: [Payments, WhoGuard] }, [...payingScript(), ...payingScript()]);
    for (const user of ['mallory', 'eve']) {
      const turnId = await ask(scene);
      expect(await decide(scene, { user, turnId })).toBe('Done.');
    }
    const warnings = warn.mock.calls.filter(([text]) => String(text).includes('anybody may'));
    expect(warnings).toEqual([[expect.stringContaining('provide a TurnPrincipal')]]);
    warn.mockRestore();
  });

  it('is decided by whom its conversation belongs to, where a guard of the tool sets the user too late', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const request = () => ({ headers: { 'x-user': 'ada' } }) as { headers: object; user?: object };
    class LateGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        context.switchToHttp().getRequest<ReturnType<typeof request>>().user = { id: 'ada' };
        return true;
      }
    }
    @UseGuards(LateGuard)
    @Injectable()
    class Late extends Payments {}
    const { client, app } = await startApplication({ providers: [Late, LateGuard] }, payingScript(), { memory: true });
    const prompt = (text?: string) => client.prompt(text).conversation('c1');
    const asked = await prompt('Pay 100').request(request()).call().chatResponse();
    const { turnId } = asked!.metadata;
    expect(await prompt().request(request()).toolApprovals(YES, { turnId }).call().content()).toBe('Done.');
    expect(app.get(Late).done).toMatchObject([{ amount: 100, requester: undefined }]);
    const dangers = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('anybody may'));
    expect(dangers).toEqual([
      expect.stringMatching(/^A conversation has no known user: .* a guard of the tool is too late/),
      expect.stringMatching(/^A request has decided about a turn of no known user: /),
    ]);
    warn.mockRestore();
  });

  it('is not open because somebody without a user asks in its conversation, or wants to decide: both are refused', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { client } = await startApplication({ providers: [Payments] }, payingScript(), { memory: true });
    const prompt = (text?: string) => client.prompt(text).conversation('c1');
    const asked = await prompt('Pay 100')
      .request({ user: { id: 'ada' } })
      .call()
      .chatResponse();
    const { turnId } = asked!.metadata;
    await expect(prompt().request({}).toolApprovals(YES, { turnId }).call().content()).rejects.toThrow(
      /does not allow this request/,
    );
    await expect(prompt('Hi').request({}).call().content()).rejects.toThrow(ConversationOwnerException);
    expect(warn.mock.calls.filter(([text]) => String(text).includes('anybody may'))).toEqual([]);
    warn.mockRestore();
  });

  it('is not told that a guessed call waits', async () => {
    const scene = await start();
    await ask(scene, { user: 'ada' });
    expect(await decide(scene, { user: 'mallory' })).toMatchObject({ problem: 'not-found' });
    expect(await decide(scene, { user: 'ada' })).toBe('Done.');
  });

  it('finds the turn of the user among others with a call of the same id', async () => {
    const scene = await startApplication({ providers: [Payments] }, [
      payingScript(1)[0]!,
      payingScript(2)[0]!,
      'Done.',
    ]);
    await ask(scene, { user: 'ada' });
    await ask(scene, { user: 'bob' });
    expect(await decide(scene, { user: 'bob' })).toBe('Done.');
    expect(paidIn(scene)).toMatchObject([{ amount: 2, requester: 'bob' }]);
  });

  it('goes on for anybody where it is not known who asked', async () => {
    const scene = await start();
    const turnId = await ask(scene);
    expect(await decide(scene, { user: 'bob', turnId })).toBe('Done.');
    expect(paidIn(scene)).toEqual([{ amount: 100, requester: undefined, approval: { approver: 'bob' } }]);
  });

  it('keeps only the subject of the request that asked', async () => {
    const scene = await start();
    const response = await scene.client
      .prompt('Pay')
      .request({ user: { id: 'ada', password: 'hunter2' }, headers: { authorization: 'Bearer hunter2' } })
      .call()
      .chatResponse();
    const turn = await scene.app.get(SuspendedTurnRepository).findById(response!.metadata.turnId!);
    expect(turn).toMatchObject({ requester: 'ada', client: 'default' });
    expect(JSON.stringify(turn)).not.toContain('hunter2');
  });

  it('names users as the TurnPrincipal of the application does', async () => {
    @Injectable()
    class SessionPrincipal extends TurnPrincipal {
      override subjectOf(request: unknown) {
        return (request as { user?: { id: string } } | undefined)?.user?.id.toUpperCase();
      }
    }
    const scene = await start([{ provide: TurnPrincipal, useClass: SessionPrincipal }]);
    const turnId = await ask(scene, { user: 'ada' });
    expect(await decide(scene, { user: 'Ada', turnId })).toBe('Done.');
    expect(paidIn(scene)).toMatchObject([{ requester: 'ADA' }]);
  });
});

describe('an approval in another conversation', () => {
  it.each([
    ['without a conversation', undefined],
    ['in another one', 'conversation-2'],
  ])('is refused %s', async (_name, conversation) => {
    const scene = await start();
    const turnId = await ask(scene, { conversation: 'conversation-1' });
    expect(await decide(scene, { turnId, ...(conversation && { conversation }) })).toMatchObject({
      problem: 'not-found',
      message: expect.stringContaining('.conversation(id)'),
    });
    expect(paidIn(scene)).toEqual([]);
    expect(await decide(scene, { turnId, conversation: 'conversation-1' })).toBe('Done.');
  });

  it('is refused where the turn has none', async () => {
    const scene = await start();
    const turnId = await ask(scene);
    expect(await decide(scene, { turnId, conversation: 'conversation-1' })).toMatchObject({ problem: 'not-found' });
  });
});

describe('an approval through another client', () => {
  it('is refused: its advisors are not those that the turn began behind', async () => {
    const model = new ScriptedChatModel(payingScript());
    const scene = await startApplication(
      { providers: [Payments], imports: [AiModule.forFeature([{ name: 'lenient', tools: [Payments] }])] },
      [],
      { chatModel: model },
    );
    const turnId = await ask(scene);
    const client = scene.app.get<ChatClient>(getChatClientToken('lenient'), { strict: false });
    expect(await decide(scene, { turnId, client })).toMatchObject({
      problem: 'not-found',
      message: expect.stringContaining("belongs to the client 'default'"),
    });
    const standalone = ChatClient.create(model);
    expect(await decide(scene, { turnId, client: standalone })).toMatchObject({ problem: 'not-found' });
    expect(await decide(scene, { turnId })).toBe('Done.');
  });
});

@Injectable()
class FourEyesPolicy extends ApprovalPolicy {
  override authorize(access: TurnAccess) {
    const { action, turn, caller, approvals } = access;
    if (action !== 'approve') return super.authorize(access);
    // Somebody who writes other arguments is a requester, too, and an unknown requester may be the approver.
    const asIsAsked = approvals.every((approval) => approval.arguments === undefined);
    return asIsAsked && turn.requester !== undefined && caller !== undefined && caller !== turn.requester;
  }
}

describe('a policy of the application', () => {
  const fourEyes = [{ provide: ApprovalPolicy, useClass: FourEyesPolicy }];

  it('may demand four eyes, and guards see both', async () => {
    @Injectable()
    @UseGuards(WhoGuard)
    class GuardedPayments extends Payments {}
    const scene = await startApplication({ providers: [GuardedPayments, WhoGuard] }, payingScript(), {
      providers: fourEyes,
    });
    const turnId = await ask(scene, { user: 'ada' });
    expect(await decide(scene, { user: 'ada', turnId })).toMatchObject({ problem: 'forbidden' });
    expect(await decide(scene, { user: 'bob', turnId })).toBe('Done.');
    expect(scene.app.get(GuardedPayments).done).toEqual([
      { amount: 100, requester: 'ada', approval: { approver: 'bob' } },
    ]);
    expect(scene.app.get(WhoGuard).seen).toEqual(['ada asks, nobody has approved', 'ada asks, bob approves']);
  });

  it('that demands four eyes lets nobody approve arguments of their own, or a turn whose requester is not known', async () => {
    const scene = await start(fourEyes);
    const turnId = await ask(scene, { user: 'ada' });
    const ownWords = [{ ...YES[0], arguments: { amount: 9000 } }];
    expect(await decide(scene, { user: 'bob', turnId }, ownWords)).toMatchObject({ problem: 'forbidden' });
    const ofNobody = await startApplication({ providers: [Payments] }, payingScript(), { providers: fourEyes });
    const asked = await ask(ofNobody);
    expect(await decide(ofNobody, { user: 'ada', turnId: asked })).toMatchObject({ problem: 'forbidden' });
    expect([...paidIn(scene), ...paidIn(ofNobody)]).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['answers something else than true', () => 'yes'],
    ['answers a promise of nothing', async () => undefined],
    [
      'throws an error of its own',
      () => {
        throw new ForbiddenException('Not you.');
      },
    ],
  ])('refuses when it %s', async (_name, authorize) => {
    const policy = Object.assign(new ApprovalPolicy(), { authorize });
    const scene = await start([{ provide: ApprovalPolicy, useValue: policy }]);
    const turnId = await ask(scene, { user: 'ada' });
    expect(await decide(scene, { user: 'ada', turnId })).toBeInstanceOf(Error);
    expect(paidIn(scene)).toEqual([]);
  });

  it('holds for a loop that was made by hand', async () => {
    const repository = new InMemorySuspendedTurnRepository();
    const scene = await start(fourEyes);
    const client = scene.client
      .mutate()
      .defaultAdvisors(new ToolCallingAdvisor({ suspendedTurnRepository: repository }))
      .build();
    const turnId = await ask({ client }, { user: 'ada' });
    expect(await decide(scene, { client, user: 'ada', turnId })).toMatchObject({ problem: 'forbidden' });
    expect(await decide(scene, { client, user: 'bob', turnId })).toBe('Done.');
  });

  it('is asked for each further approval of the same turn', async () => {
    const scene = await startApplication(
      { providers: [Payments] },
      [payingScript(1)[0]!, payingScript(2)[0]!, 'Done.'],
      { providers: fourEyes },
    );
    const turnId = await ask(scene, { user: 'ada' });
    const between = scene.client.prompt().toolApprovals(YES, { turnId }).request(requestOf('bob')).call();
    const [next] = (await between.chatResponse())!.result!.output.toolCalls;
    const approvals = [{ toolCallId: next!.id, approved: true }];
    // The turn is still hers, whoever has approved the call before.
    expect(await decide(scene, { user: 'ada', turnId }, approvals)).toMatchObject({ problem: 'forbidden' });
    expect(await decide(scene, { user: 'carol', turnId }, approvals)).toBe('Done.');
    expect(paidIn(scene)).toMatchObject([
      { requester: 'ada', approval: { approver: 'bob' } },
      { requester: 'ada', approval: { approver: 'carol' } },
    ]);
  });
});

describe('SuspendedTurns', () => {
  it('shows a turn to those who may see it, and lets them give it up', async () => {
    const scene = await start();
    const turnId = await ask(scene, { user: 'ada' });
    const turns = scene.app.get(SuspendedTurns);
    await expect(turns.read(turnId, requestOf('mallory'))).rejects.toMatchObject({ problem: 'forbidden' });
    await expect(turns.stop(turnId, undefined)).rejects.toMatchObject({ problem: 'forbidden' });
    expect((await turns.read(turnId, requestOf('ada'))).pending).toMatchObject([{ name: 'pay' }]);
    await turns.stop(turnId, requestOf('ada'));
    await expect(turns.read(turnId, requestOf('ada'))).rejects.toMatchObject({ problem: 'not-found' });
    expect(await decide(scene, { user: 'ada', turnId })).toMatchObject({ problem: 'not-found' });
    expect(paidIn(scene)).toEqual([]);
  });

  it('does not give up a turn that is going on, or whose calls may have run', async () => {
    const repository = new InMemorySuspendedTurnRepository();
    const scene = await start([{ provide: SuspendedTurnRepository, useValue: repository }]);
    const turnId = await ask(scene);
    const turns = scene.app.get(SuspendedTurns);
    const held = (await repository.findById(turnId))!;
    const until = new Date(Date.now() + 60_000).toISOString();
    await storeTurn(repository, { ...held, claim: { owner: 'another', until } });
    await expect(turns.stop(turnId, undefined)).rejects.toMatchObject({ problem: 'conflict' });
    await storeTurn(repository, { ...held, begun: ['call_1'] });
    await expect(turns.stop(turnId, undefined)).rejects.toMatchObject({
      problem: 'uncertain',
      uncertainCalls: [{ id: 'call_1' }],
    });
  });
});

describe('a tool', () => {
  it('knows who asked, whoever has to approve what it does', async () => {
    @Injectable()
    class Desk {
      @Tool()
      whoami(context: ToolContext) {
        return `${context.turn.requester}, ${context.approval === undefined ? 'not approved' : 'approved'}`;
      }
    }
    const scene = await startApplication({ providers: [Desk] }, [
      { toolCalls: [{ id: 'call_1', name: 'whoami', arguments: '{}' }] },
      'Done.',
    ]);
    await scene.client.prompt('Who?').request(requestOf('ada')).call().content();
    expect(scene.model.toolResponses).toEqual(['ada, not approved']);
  });
});
