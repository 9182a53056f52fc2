import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, ToolCallers, ToolRegistry } from '@nestor-ai/core';
import { AiAuditModule, ToolAuditSink } from '@nestor-ai/audit';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { callOf } from '../nest/application.js';
import { AuditList, told } from './audited.js';

class Bank {
  @Tool() pay(): string {
    return 'paid';
  }
}

/** Makes its caller when it is created, like the servers of MCP and of remote tools. */
@Injectable()
class Server {
  readonly caller: ReturnType<ToolCallers['of']>;

  constructor(callers: ToolCallers) {
    this.caller = callers.of('server');
  }
}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('calls of those that are made before the audit', () => {
  it('are recorded: a caller from outside', async () => {
    const sink = new AuditList();
    @Module({ providers: [Server, Bank] })
    class ServerModule {}
    const audit = AiAuditModule.forRoot({ providers: [{ provide: ToolAuditSink, useValue: sink }] });
    const chatModel = new ScriptedChatModel([]);
    const testing = Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel }), ServerModule, audit] });
    app = (await testing.compile()).createNestApplication({ logger: false });
    await app.init();
    const [tool] = app.get(ToolRegistry).callbacks;
    await app.get(Server).caller.call({ tool: tool!, arguments: {}, hasReadUntrusted: false });
    expect(told(sink.records)).toEqual(['pay began', 'pay: ok, 1 tries']);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('are recorded or refused: a request while providers are made, %s the audit', async (_when, isFirst) => {
    const sink = new AuditList();
    let paid = 0;
    class Counter {
      @Tool() pay(): string {
        paid++;
        return 'paid';
      }
    }
    const early = {
      provide: 'early',
      inject: [ChatClient],
      useFactory: (client: ChatClient) =>
        client
          .prompt('Go')
          .tools(new Counter())
          .call()
          .content()
          .catch(() => 'refused'),
    };
    @Module({ providers: [early] })
    class EarlyModule {}
    const audit = AiAuditModule.forRoot({ providers: [{ provide: ToolAuditSink, useValue: sink }] });
    const chatModel = new ScriptedChatModel(callOf('pay'));
    const modules = isFirst ? [EarlyModule, audit] : [audit, EarlyModule];
    const testing = Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel }), ...modules] });
    app = (await testing.compile()).createNestApplication({ logger: false });
    await app.init();
    expect(sink.records.filter(({ event }) => event === 'tool-call-ended')).toHaveLength(paid);
  });
});
