import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import {
  AiToolExecutionContext,
  ApprovalPolicy,
  ContentRedactor,
  SuspendedTurnRepository,
  Tool,
  ToolContext,
  ToolInputRequiredException,
  type TurnAccess,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

jest.setTimeout(60_000);
const ran: string[] = [];
let patient = 'SECRET-1';

@Injectable()
class Tools {
  @Tool({ description: 'Closes an account', needsApproval: true, effect: 'irreversible' })
  close(account: string) {
    ran.push(`closed ${account}`);
    return `closed ${account}`;
  }
  @Tool({ description: 'A patient', effect: 'read' })
  patient() {
    return patient;
  }
  @Tool({ description: 'Adds', effect: 'write' })
  add(account: string) {
    ran.push(`added ${account}`);
    return `added ${account}`;
  }
  @Tool({ description: 'Once', effect: 'write', maxCallsPerTurn: 1 } as never)
  once(account: string) {
    ran.push(`once ${account}`);
    return `once ${account}`;
  }
  @Tool({ description: 'Books a seat' })
  book(context: ToolContext) {
    if (!context.input)
      throw new ToolInputRequiredException({
        message: 'Which seat?',
        schema: { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] },
      });
    return `booked ${String(context.input.content['seat'])}`;
  }
}

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (AiToolExecutionContext.is(context)) return true;
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const { user } = request.headers;
    if (user !== undefined) request.user = { id: user };
    return true;
  }
}
class AdminReads extends ApprovalPolicy {
  override authorize(access: TurnAccess) {
    return access.action === 'read' || super.authorize(access);
  }
}

const apps: InspectedApplication[] = [];
beforeEach(() => {
  ran.splice(0);
  patient = 'SECRET-1';
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
const start = async (script: readonly ScriptEntry[], options: Partial<InspectedOptions> = {}) => {
  const app = await InspectedApplication.start({
    chatModel: new ScriptedChatModel(script as never),
    providers: [Tools],
    ...options,
  });
  apps.push(app);
  return app;
};
const closing: ScriptEntry[] = [{ toolCalls: [toolCall('close', { account: 'A1' }, 'c1')] }, 'done', 'done'];
const decide = (
  app: InspectedApplication,
  id: string,
  ids: string[],
  approved = true,
  headers?: Record<string, string>,
) => app.run(`turns/${id}/decisions`, { decisions: ids.map((toolCallId) => ({ toolCallId, approved })) }, headers);
type Row = { id: string; status: string; question: string };

describe('a turn that is tried as a test', () => {
  it('a replay of a turn that waits leaves no turn that waits in the journal', async () => {
    const journal = { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() };
    const app = await start(closing, { ai: { providers: [journal] } });
    const { id } = await app.run('chat', question('Close it'));
    await app.json(`turns/${id}/replay`, { recorded: [] }).catch(() => undefined);
    expect((await app.turns<Row>()).map((turn) => `${turn.status} ${turn.question}`)).toEqual(['suspended Close it']);
  });
  it('a replay that may not decide leaves no turn', async () => {
    class Four extends ApprovalPolicy {
      override authorize(access: TurnAccess) {
        return access.action !== 'approve' || access.caller === 'boss';
      }
    }
    const app = await start(closing, {
      inspector: { guards: [new UserGuard()] },
      ai: { providers: [{ provide: ApprovalPolicy, useClass: Four }] },
    });
    const { id } = await app.run('chat', question('Close it'), { user: 'ada' });
    await decide(app, id, ['c1'], true, { user: 'boss' });
    const before = (await app.turns<Row>('', { user: 'ada' })).map(({ status }) => status);
    const drifts = await app.json(`turns/${id}/replay`, { recorded: [], repeated: ['close'] }, { user: 'ada' });
    const after = (await app.turns<Row>('', { user: 'ada' })).map(({ status }) => status);
    expect({ before, after, drifts }).toEqual({
      before: ['completed'],
      after: ['completed'],
      drifts: expect.anything(),
    });
  });
  it('who may only read a turn does not run its irreversible tool by a replay', async () => {
    const app = await start(closing, {
      inspector: { guards: [new UserGuard()] },
      ai: { providers: [{ provide: ApprovalPolicy, useClass: AdminReads }] },
    });
    const { id } = await app.run('chat', question('Close it'), { user: 'ada' });
    await decide(app, id, ['c1'], true, { user: 'ada' });
    expect(ran).toHaveLength(1);
    const retry = await app.run(`turns/${id}/retry`, { modelCall: 0 }, { user: 'bob' }).then(
      () => 'ok',
      (error: Error) => error.message.slice(0, 3),
    );
    await app.json(`turns/${id}/replay`, { recorded: [] }, { user: 'bob' }).catch(() => undefined);
    expect({ retry, ran }).toEqual({ retry: '409', ran: ['closed A1'] });
  });
  it('drifts are redacted as the page redacts results', async () => {
    class ResultRedactor extends ContentRedactor {
      redact(text: string, place: { kind: string }) {
        return place.kind === 'result' ? text.replaceAll(/SECRET-\d/g, '[x]') : text;
      }
    }
    const app = await start([{ toolCalls: [toolCall('patient', {}, 'c1')] }, 'done'], {
      ai: { providers: [{ provide: ContentRedactor, useClass: ResultRedactor }] },
    });
    const { id } = await app.run('chat', question('Who?'));
    expect(JSON.stringify((await app.json<{ tools: object }>(`turns/${id}`)).tools)).not.toContain('SECRET');
    patient = 'SECRET-2';
    const { drifts } = await app.json<{ drifts: string[] }>(`turns/${id}/replay`, {});
    const { files } = await app.json<{ files: { content: string }[] }>(`turns/${id}/test`, {
      name: 'x',
      runner: 'jest',
    });
    expect([drifts.join().includes('SECRET'), files[0]!.content.includes('SECRET')]).toEqual([false, false]);
  });
  it('recorded: a tool whose question was declined replays the same', async () => {
    const app = await start([{ toolCalls: [toolCall('book', {}, 'c1')] }, 'done']);
    const { id } = await app.run('chat', question('Book'));
    await decide(app, id, ['c1'], false);
    expect(await app.json(`turns/${id}`)).toMatchObject({ status: 'completed' });
    expect(await app.json(`turns/${id}/replay`, { recorded: ['book'] })).toEqual({ drifts: [] });
  });
  it('recorded: parallel calls that were decided in another order replay the same', async () => {
    const app = await start([
      { toolCalls: [toolCall('close', { account: 'A1' }, 'c1'), toolCall('close', { account: 'A2' }, 'c2')] },
      'done',
      'done',
    ]);
    const { id } = await app.run('chat', question('Close'));
    await decide(app, id, ['c2']);
    await decide(app, id, ['c1']).catch(() => undefined);
    expect(await app.json(`turns/${id}`)).toMatchObject({ status: 'completed' });
    expect(await app.json(`turns/${id}/replay`, { recorded: ['close'] })).toEqual({ drifts: [] });
  });
  it('recorded: one of two parallel calls denied replays the same', async () => {
    const app = await start([
      { toolCalls: [toolCall('close', { account: 'A1' }, 'c1'), toolCall('close', { account: 'A2' }, 'c2')] },
      'done',
      'done',
    ]);
    const { id } = await app.run('chat', question('Close'));
    await decide(app, id, ['c1'], false);
    await decide(app, id, ['c2'], true).catch(() => undefined);
    expect(await app.json(`turns/${id}`)).toMatchObject({ status: 'completed' });
    expect(await app.json(`turns/${id}/replay`, { recorded: ['close'] })).toEqual({ drifts: [] });
  });
  it('recorded: a call with arguments that are no JSON, before a good one, replays the same', async () => {
    const app = await start([
      { toolCalls: [{ ...toolCall('add', {}, 'c1'), arguments: '{oops' }, toolCall('add', { account: 'A2' }, 'c2')] },
      'done',
    ]);
    const { id } = await app.run('chat', question('Add'));
    expect(await app.json(`turns/${id}/replay`, { recorded: ['add'] })).toEqual({ drifts: [] });
  });
  it('recorded: a call whose approval has invalid arguments replays the same', async () => {
    const app = await start([
      { toolCalls: [toolCall('close', { wrong: 1 }, 'c1'), toolCall('close', { account: 'A2' }, 'c2')] },
      'done',
      'done',
    ]);
    const { id } = await app.run('chat', question('Add'));
    const pending = (await app.json<{ pending: { id: string }[] }>(`turns/${id}`)).pending.map((call) => call.id);
    if (pending.length > 0) await decide(app, id, pending);
    expect(await app.json(`turns/${id}`)).toMatchObject({ status: 'completed' });
    expect(await app.json(`turns/${id}/replay`, { recorded: ['close'] })).toEqual({ drifts: [] });
  });
  it('a turn that waits here and is decided elsewhere does not wait here any more', async () => {
    const journal = { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() };
    const one = await start(closing, { ai: { providers: [journal] } });
    const other = await start(['done', 'done'], { ai: { providers: [journal] } });
    const { id } = await one.run('chat', question('Close it'));
    await decide(other, id, ['c1']);
    expect(ran).toEqual(['closed A1']);
    expect((await one.json<Row>(`turns/${id}`)).status).not.toBe('suspended');
  });
});
