import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  ForbiddenException,
  Injectable,
  Module,
  Scope,
  UseGuards,
  UseInterceptors,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  AiModule,
  ChatClient,
  DefaultToolCallingManager,
  FunctionToolCallback,
  getChatClientToken,
  Prompt,
  Tool,
  ToolCallback,
  ToolCallbackProvider,
  ToolCallingAdvisor,
  ToolCallingManager,
  ToolContext,
  UserMessage,
} from '@nestor-ai/core';
import { ToolAudit, ToolAuditSink } from '@nestor-ai/audit';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, of } from 'rxjs';
import { bootstrapError, callOf, startApplication } from '../nest/application.js';
import { startWithSearch, tool } from '../tool-search/application.js';
import { AuditList, startAudited, told, withAudit } from './audited.js';

class Nobody implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('Not you.');
  }
}
class Broken implements CanActivate {
  canActivate(): boolean {
    throw new TypeError('undefined is no user');
  }
}
class FromElsewhere implements NestInterceptor {
  intercept() {
    return of('known');
  }
}

@Injectable()
class Bank {
  @Tool() pay(amount: number) {
    return `paid ${amount}`;
  }
  @UseGuards(Nobody) @Tool() wipe() {
    return 'wiped';
  }
  @UseGuards(Broken) @Tool() audit() {
    return 'audited';
  }
  @UseInterceptors(FromElsewhere) @Tool() rate() {
    return 'not asked';
  }
  @Tool({ cacheTtl: 60_000 }) balance() {
    return 7;
  }
  @Tool({ retry: { retries: 2, minDelay: 1, maxDelay: 1 } }) flaky() {
    throw new RangeError('again');
  }
  @Tool({ timeout: 5 }) slow() {
    return new Promise(() => undefined);
  }
  @Tool() async *report() {
    yield 'half';
    yield 'all';
  }
  @Tool({ needsApproval: true }) wire(amount: number, context: ToolContext) {
    return `wired ${amount} for ${context.get('tenant')}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Session {
  @Tool() whoAmI(context: ToolContext) {
    return (context.turn.request as { user: { id: string } }).user.id;
  }
}

class Plain extends ToolCallback {
  override readonly toolDefinition = { name: 'plain', description: 'Plain', inputSchema: { type: 'object' } };
  override async call() {
    return 'plain';
  }
}

@Injectable()
class Foreign extends ToolCallbackProvider {
  getToolCallbacks() {
    return [new Plain()];
  }
}

const ann = { user: { id: 'ann' } };
const bob = { user: { id: 'bob' } };

async function recordsOf(script: readonly ScriptEntry[], times = 1) {
  const scene = await startAudited({ providers: [Bank, Session, Foreign] }, Array(times).fill(script).flat());
  for (let time = 0; time < times; time++) await scene.client.prompt('Go').request(ann).call().content();
  return scene.sink.records;
}

describe('what a model calls is recorded', () => {
  it.each<[string, ScriptEntry[], string[]]>([
    ['a method', callOf('pay', { amount: 5 }), ['pay began', 'pay: ok, 1 tries']],
    ['a method of a request-scoped provider', callOf('whoAmI'), ['whoAmI began', 'whoAmI: ok, 1 tries']],
    ['a tool of a ToolCallbackProvider', callOf('plain'), ['plain began', 'plain: ok, 1 tries']],
    ['a method that streams', callOf('report'), ['report began', 'report: ok, 1 tries']],
    ['one that is tried again', callOf('flaky'), ['flaky began', 'flaky: error, 3 tries']],
    ['one that takes too long', callOf('slow'), ['slow began', 'slow: timeout, 1 tries']],
    ['one that a guard refuses', callOf('wipe'), ['wipe: forbidden, 0 tries']],
    ['one whose guard fails', callOf('audit'), ['audit: unavailable, 0 tries']],
    ['one that an interceptor answers', callOf('rate'), ['rate: ok, 0 tries']],
    ['arguments that do not fit', callOf('pay', { amount: 'lots' }), ['pay: invalid_arguments, 0 tries']],
    ['a tool that there is not', callOf('steal'), ['steal: unknown_tool, 0 tries']],
    ['one that waits for a human', callOf('wire', { amount: 5 }), ['wire: pending_approval, 0 tries']],
  ])('%s', async (_what, script, lines) => {
    const records = await recordsOf(script);
    expect(told(records)).toEqual(lines);
    for (const record of records) expect(record.requester).toBe('ann');
    expect(new Set(records.map(({ runId }) => runId)).size).toBe(1);
  });

  it('a result that is known', async () => {
    expect(told(await recordsOf(callOf('balance'), 2))).toEqual([
      'balance began',
      'balance: ok, 1 tries',
      'balance: ok, 0 tries',
    ]);
  });

  it('calls beyond a limit', async () => {
    const script = [{ toolCalls: Array.from({ length: 41 }, () => toolCall('pay', { amount: 1 })) }];
    const records = told(await recordsOf(script));
    expect(records.filter((line) => line === 'pay: ok, 1 tries')).toHaveLength(40);
    expect(records.filter((line) => line === 'pay: limit_exceeded, 0 tries')).toHaveLength(1);
  });

  it('a stream', async () => {
    const { client, sink } = await startAudited({ providers: [Bank] }, callOf('pay', { amount: 5 }));
    await lastValueFrom(client.prompt('Go').stream().content());
    expect(told(sink.records)).toEqual(['pay began', 'pay: ok, 1 tries']);
  });

  it('the search for tools', async () => {
    const sink = new AuditList();
    const { client } = await startWithSearch(withAudit({}, { provide: ToolAuditSink, useValue: sink }), [
      { toolCalls: [toolCall('toolSearchTool', { query: 'weather' })] },
      ...callOf('weather'),
    ]);
    await client.prompt('Go').tools(tool('weather', 'Tells the weather')).call().content();
    expect(told(sink.records)).toEqual([
      'toolSearchTool began',
      'toolSearchTool: ok, 1 tries',
      'weather began',
      'weather: ok, 1 tries',
    ]);
  });

  it('what another client calls, under the name of that client', async () => {
    @Module({
      imports: [
        AiModule.forFeature([
          { name: 'support', chatModel: new ScriptedChatModel(callOf('pay', { amount: 5 })), tools: [Bank] },
        ]),
      ],
      providers: [Bank],
    })
    class SupportModule {}
    const { app, sink } = await startAudited({ imports: [SupportModule] }, []);
    await app.get<ChatClient>(getChatClientToken('support'), { strict: false }).prompt('Go').call().content();
    expect(sink.records.map(({ client }) => client)).toEqual(['support', 'support']);
  });

  it('who has approved a call, and who has denied it', async () => {
    const script = [...callOf('wire', { amount: 5 }), ...callOf('wire', { amount: 6 })];
    const { client, sink } = await startAudited({ providers: [Bank] }, script);
    for (const decision of [{ approved: true, arguments: { amount: 1 } }, { approved: false }]) {
      const asked = await client.prompt('Wire').call().chatResponse();
      const [call] = asked!.result!.output.toolCalls;
      await client
        .prompt()
        .request(bob)
        .toolApprovals([{ toolCallId: call!.id, ...decision }])
        .call()
        .content();
    }
    const shown = sink.records.map(({ outcome, approved, approver, arguments: args, modelArguments }) => ({
      outcome,
      approved,
      approver,
      args,
      modelArguments,
    }));
    const approved = {
      approved: true,
      approver: 'bob',
      args: '{"amount":1}',
      modelArguments: '{"amount":5}',
    };
    expect(shown).toEqual([
      { outcome: 'pending_approval', args: '{"amount":5}' },
      approved,
      { outcome: 'ok', ...approved },
      { outcome: 'pending_approval', args: '{"amount":6}' },
      { outcome: 'denied', approved: false, approver: 'bob', args: '{"amount":6}' },
    ]);
    expect(new Set(sink.records.map(({ turnId }) => turnId)).size).toBe(2);
  });

  it('what has run before a turn waited, once', async () => {
    const script = [{ toolCalls: [toolCall('pay', { amount: 1 }), toolCall('wire', { amount: 2 })] }, 'done'];
    const { client, sink } = await startAudited({ providers: [Bank] }, script);
    const asked = await client.prompt('Go').call().chatResponse();
    const toolApprovals = asked!.result!.output.toolCalls.map(({ id }) => ({ toolCallId: id, approved: true }));
    await client.prompt().toolApprovals(toolApprovals).call().content();
    expect(told(sink.records).toSorted()).toEqual([
      'pay began',
      'pay: ok, 1 tries',
      'wire began',
      'wire: ok, 1 tries',
      'wire: pending_approval, 0 tries',
    ]);
  });
});

describe('a manager of somebody’s own', () => {
  const provided = (useClass: typeof ToolCallingManager) => ({
    providers: [{ provide: ToolCallingManager, useClass: useClass as never }],
  });

  it('that records nothing stops the bootstrap', async () => {
    class Forgetful extends DefaultToolCallingManager {
      constructor() {
        super({ concurrency: 1, observers: [{ toolProgress: () => undefined }] });
      }
    }
    const { message } = await bootstrapError(
      withAudit({ providers: [Bank] }, { provide: ToolAuditSink, useClass: AuditList }),
      provided(Forgetful as never),
    );
    expect(message).toMatch(/Forgetful does not record tool calls.*Extend DefaultToolCallingManager/);
  });

  it('that is configured as the default records as well', async () => {
    class Own extends DefaultToolCallingManager {}
    const script = callOf('pay', { amount: 5 });
    const { client, sink } = await startAudited(
      { providers: [Bank] },
      script,
      {},
      {
        providers: [{ provide: ToolCallingManager, useClass: Own }],
      },
    );
    await client.prompt('Go').call().content();
    expect(told(sink.records)).toEqual(['pay began', 'pay: ok, 1 tries']);
  });

  it('looks a tool up once, and records a call whose look-up an abort ends', async () => {
    const sink = new AuditList();
    const stop = new AbortController();
    let asked = 0;
    const toolCallingManager = new DefaultToolCallingManager({
      observers: [new ToolAudit({ sink })],
      resolutionFallbackEnabled: true,
      toolCallbackResolver: {
        resolve: () => {
          asked++;
          stop.abort();
          return new Promise(() => undefined);
        },
      },
    });
    const client = ChatClient.builder(new ScriptedChatModel(callOf('pay')))
      .defaultAdvisors(new ToolCallingAdvisor({ toolCallingManager }))
      .build();
    const answer = client.prompt('Go').options({ signal: stop.signal }).call().content();
    await expect(answer).rejects.toThrow(/abort/i);
    expect(asked).toBe(1);
    expect(told(sink.records)).toEqual(['pay: aborted, 0 tries']);
  });

  it('without a container records with the option', async () => {
    const sink = new AuditList();
    const toolCallingManager = new DefaultToolCallingManager({ observers: [new ToolAudit({ sink })] });
    const client = ChatClient.builder(new ScriptedChatModel(callOf('pay')))
      .defaultTools(new FunctionToolCallback({ name: 'pay', toolFunction: () => 'paid' }))
      .defaultAdvisors(new ToolCallingAdvisor({ toolCallingManager }))
      .build();
    await client
      .prompt(new Prompt([new UserMessage('Go')]))
      .call()
      .content();
    expect(told(sink.records)).toEqual(['pay began', 'pay: ok, 1 tries']);
  });
});

it('an application without an audit has no sink', async () => {
  const { app, client } = await startApplication(withAudit({ providers: [Bank] }), callOf('pay', { amount: 5 }));
  await client.prompt('Go').call().content();
  expect(() => app.get(ModuleRef).get(ToolAuditSink, { strict: false })).toThrow();
});
