import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  AiToolExecutionContext,
  ApprovalPolicy,
  ChatClient,
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  SuspendedTurns,
  Tool,
  type ToolApproval,
  ToolContext,
  ToolInputRequiredException,
  type TurnAccess,
  type TurnChange,
  type TurnData,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { catchError, of, retry } from 'rxjs';
import { resultOf, type Scene, startApplication } from './application.js';

const seen: unknown[] = [];
beforeEach(() => {
  seen.length = 0;
});

const CARD = {
  message: 'Which card?',
  schema: { type: 'object', properties: { last4: { type: 'string', pattern: '^\\d{4}$' } }, required: ['last4'] },
  state: { order: 'secret-order' },
};

function pay({ input, toolCall: { id } }: ToolContext): string {
  seen.push(input?.content ?? `asked ${id}`);
  if (!input) throw new ToolInputRequiredException(CARD);
  return `paid with ${String(input.content['last4'])} for ${JSON.stringify(input.state)}`;
}

@Injectable()
class OnlyMembers implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = AiToolExecutionContext.of(context).toolContext.turn.request as { user: { isMember?: boolean } };
    return user.isMember !== false;
  }
}
@Injectable()
class Confirmed implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { toolContext } = AiToolExecutionContext.of(context);
    if (!toolContext.input) throw new ToolInputRequiredException({ message: 'Are you sure?' });
    return true;
  }
}
@Injectable()
class Sees implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      catchError((error: Error) => {
        seen.push(error.name);
        throw error;
      }),
    );
  }
}
@Injectable()
class Swallows implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(catchError(() => of('pay at the counter')));
  }
}
@Injectable()
class Insists implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(retry(1));
  }
}
@Catch(ToolInputRequiredException)
class Explains implements ExceptionFilter {
  catch(error: ToolInputRequiredException, _host: ArgumentsHost): string {
    return `ask the user: ${error.request.message}`;
  }
}
@Catch()
class Rethrows implements ExceptionFilter {
  catch(error: Error): never {
    throw error;
  }
}

@Injectable()
class Shop {
  @Tool()
  pay(context: ToolContext): string {
    return pay(context);
  }
  @Tool({ needsApproval: true })
  payApproved(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseGuards(OnlyMembers)
  payAsMember(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseGuards(Confirmed)
  close(): string {
    return 'closed';
  }
  @Tool()
  @UseInterceptors(Sees)
  paySeen(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseInterceptors(Swallows)
  paySwallowed(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseInterceptors(Insists)
  payInsisting(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseFilters(Explains)
  payExplained(context: ToolContext): string {
    return pay(context);
  }
  @Tool()
  @UseFilters(Rethrows)
  payRethrown(context: ToolContext): string {
    return pay(context);
  }
}

@Injectable({ scope: Scope.REQUEST })
class Till {
  @Tool()
  payAtTill(context: ToolContext): string {
    return pay(context);
  }
}

/** The rows of a table that two processes share. */
class Turns extends InMemorySuspendedTurnRepository {
  override save(turn: TurnData, change: TurnChange): number | undefined {
    return super.save(JSON.parse(JSON.stringify(turn)) as TurnData, change);
  }
}

const ann = { user: { id: 'ann' } };
const bob = { user: { id: 'bob' } };

async function start(tool: string, turns = new Turns(), answers = ['done', 'done']): Promise<Scene> {
  const script = [{ toolCalls: [toolCall(tool, {}, 'c1')] }, ...answers];
  return startApplication({ providers: [Shop, Till] }, script, {
    providers: [{ provide: SuspendedTurnRepository, useValue: turns }],
  });
}

const ask = ({ client }: Scene, request: object = ann) => client.prompt('Pay').request(request).call().chatResponse();
const decide = (
  { client }: { client: ChatClient },
  turnId: string | undefined,
  decision: Partial<ToolApproval>,
  request: object = ann,
) =>
  client
    .prompt()
    .toolApprovals([{ toolCallId: 'c1', approved: true, ...decision }], { turnId })
    .request(request)
    .call()
    .chatResponse();

describe('a @Tool() method that asks its user for input', () => {
  it.each(['pay', 'payAtTill', 'payAsMember', 'paySeen', 'payRethrown'])('%s goes on with the input', async (tool) => {
    const scene = await start(tool);
    const asked = await ask(scene);
    expect(asked?.pendingApprovals[0]?.inputRequest).toEqual({ message: CARD.message, schema: CARD.schema });
    await decide(scene, asked?.turnId, { input: { last4: '1234' } });
    expect(resultOf(scene)).toBe('paid with 1234 for {"order":"secret-order"}');
  });

  it('goes on in another process that shares the repository', async () => {
    const turns = new Turns();
    const asked = await ask(await start('pay', turns));
    const other = await startApplication({ providers: [Shop] }, ['done'], {
      providers: [{ provide: SuspendedTurnRepository, useValue: turns }],
    });
    await decide(other, asked?.turnId, { input: { last4: '1234' } });
    expect(resultOf(other)).toContain('paid with 1234');
  });

  it('takes the input only from the user who asked, and shows nobody else the form', async () => {
    const scene = await start('pay');
    const { turnId } = (await ask(scene))!;
    await expect(decide(scene, turnId, { input: { last4: 'x' } }, bob)).rejects.toMatchObject({ problem: 'forbidden' });
    const suspended = scene.app.get(SuspendedTurns);
    await expect(suspended.read(turnId!, bob)).rejects.toMatchObject({ problem: 'forbidden' });
    expect((await suspended.read(turnId!, ann)).pending[0]?.inputRequest?.message).toBe('Which card?');
    expect(seen).toEqual(['asked c1']);
  });

  it('is answered by the requester, although only others may approve', async () => {
    @Injectable()
    class FourEyes extends ApprovalPolicy {
      override authorize(access: TurnAccess) {
        seen.push(access.action);
        if (access.action !== 'approve') return super.authorize(access);
        return access.caller !== access.turn.requester;
      }
    }
    const script = [{ toolCalls: [toolCall('payApproved', {}, 'c1')] }, 'done'];
    const scene = await startApplication({ providers: [Shop] }, script, {
      providers: [{ provide: ApprovalPolicy, useClass: FourEyes }],
    });
    const { turnId } = (await ask(scene))!;
    await expect(decide(scene, turnId, {}, ann)).rejects.toMatchObject({ problem: 'forbidden' });
    await decide(scene, turnId, {}, bob);
    await expect(decide(scene, turnId, { input: { last4: '1' } }, bob)).rejects.toMatchObject({ problem: 'forbidden' });
    await decide(scene, turnId, { input: { last4: '1234' } }, ann);
    expect(seen).toEqual(['approve', 'approve', 'asked c1', 'answer', 'answer', { last4: '1234' }]);
  });

  it('keeps the turns of two users apart, although their calls have the same id', async () => {
    const turns = new Turns();
    const [annsTurn, bobsTurn] = [await start('pay', turns), await start('pay', turns)];
    const [annAsked, bobAsked] = [await ask(annsTurn, ann), await ask(bobsTurn, bob)];
    await decide(bobsTurn, bobAsked?.turnId, { input: { last4: '2222' } }, bob);
    await decide(annsTurn, annAsked?.turnId, { input: { last4: '1111' } }, ann);
    expect([resultOf(annsTurn), resultOf(bobsTurn)].map((text) => text.slice(0, 14))).toEqual([
      'paid with 1111',
      'paid with 2222',
    ]);
  });

  it('runs once when two answers arrive at once', async () => {
    const scene = await start('pay');
    const { turnId } = (await ask(scene))!;
    const both = await Promise.allSettled([
      decide(scene, turnId, { input: { last4: '1111' } }),
      decide(scene, turnId, { input: { last4: '2222' } }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(seen).toHaveLength(2);
  });

  it('asks for approval first, and then for input', async () => {
    const scene = await start('payApproved');
    const { turnId, pendingApprovals } = (await ask(scene))!;
    expect(pendingApprovals[0]?.inputRequest).toBeUndefined();
    expect(seen).toEqual([]);
    const form = await decide(scene, turnId, {});
    expect(form?.pendingApprovals[0]?.inputRequest?.message).toBe('Which card?');
    await expect(decide(scene, turnId, {})).rejects.toThrow('asks its user for input');
    await decide(scene, turnId, { input: { last4: '1234' } });
    expect(seen).toEqual(['asked c1', { last4: '1234' }]);
  });

  it('has its guards run again when it goes on', async () => {
    const scene = await start('payAsMember');
    const { turnId } = (await ask(scene))!;
    await decide(scene, turnId, { input: { last4: '1234' } }, { user: { id: 'ann', isMember: false } });
    expect(seen).toEqual(['asked c1']);
    expect(resultOf(scene)).toContain('Forbidden');
  });

  it('may be asked for by a guard', async () => {
    const scene = await start('close');
    const asked = await ask(scene);
    expect(asked?.pendingApprovals[0]?.inputRequest).toEqual({ message: 'Are you sure?' });
    await decide(scene, asked?.turnId, {});
    expect(resultOf(scene)).toBe('closed');
  });

  it('is seen by interceptors', async () => {
    await ask(await start('paySeen'));
    expect(seen).toEqual(['asked c1', 'ToolInputRequiredException']);
  });

  it.each([
    ['paySwallowed', 'pay at the counter'],
    ['payExplained', 'ask the user: Which card?'],
  ])('has a normal result if an interceptor or filter gives one: %s', async (tool, result) => {
    const scene = await start(tool);
    expect((await ask(scene))?.finishReason).toBe('stop');
    expect(resultOf(scene)).toBe(result);
  });

  it('may be run again by an interceptor that insists', async () => {
    expect((await ask(await start('payInsisting')))?.pendingApprovals).toHaveLength(1);
    expect(seen).toHaveLength(2);
  });
});
