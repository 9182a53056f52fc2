import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, Get, Inject, Injectable, Req, Scope, UseGuards } from '@nestjs/common';
import {
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  type HostComponentInfo,
  NestFactory,
  REQUEST,
} from '@nestjs/core';
import { AiModule, ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { callOf, startApplication } from './application.js';

interface Caller {
  headers: Record<string, string>;
}

interface Tenant {
  tenant: string;
}

/** As in Nest's documentation: what is durable is shared by the requests of a tenant. */
class ByTenant implements ContextIdStrategy<Caller> {
  readonly #tenants = new Map<string, ContextId>();

  attach(contextId: ContextId, { headers }: Caller) {
    const tenant = headers['x-tenant']!;
    const shared = this.#tenants.get(tenant) ?? ContextIdFactory.create();
    this.#tenants.set(tenant, shared);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? shared : contextId),
      payload: { tenant } satisfies Tenant,
    };
  }
}

// Nest has no way to take a strategy back, and none to read it.
const noStrategy = undefined as unknown as ContextIdStrategy;
beforeEach(() => ContextIdFactory.apply(new ByTenant()));
afterEach(() => ContextIdFactory.apply(noStrategy));

@Injectable({ scope: Scope.REQUEST, durable: true })
class Ledger {
  private entries = 0;
  constructor(@Inject(REQUEST) readonly request: Tenant) {}
  book() {
    return `${Object.values(this.request).join()} ${++this.entries}`;
  }
}

@Injectable()
class LedgerTools {
  constructor(private readonly ledger: Ledger) {}
  @Tool() book() {
    return this.ledger.book();
  }
}

const from = (tenant: string): Caller => ({ headers: { 'x-tenant': tenant } });

describe('a durable tool host', () => {
  it('is shared by the turns of a tenant, and knows the tenant, not the request of one of them', async () => {
    const script = [1, 2, 3].flatMap(() => callOf('book'));
    const { client, model } = await startApplication({ providers: [Ledger, LedgerTools] }, script);
    const book = async (tenant: string) => {
      await client.prompt('Book it').request(from(tenant)).call().content();
      return model.toolResponses;
    };
    expect(await book('red')).toEqual(['red 1']);
    expect(await book('blue')).toEqual(['blue 1']);
    expect(await book('red')).toEqual(['red 2']);
  });

  it('is as durable as its guards, which know the tenant as well', async () => {
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class RedOnly implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: Tenant) {}
      canActivate() {
        return this.request.tenant === 'red';
      }
    }
    @Injectable()
    class GuardedTools {
      constructor(private readonly ledger: Ledger) {}
      @UseGuards(RedOnly)
      @Tool()
      book() {
        return this.ledger.book();
      }
    }
    const script = [1, 2, 3].flatMap(() => callOf('book'));
    const { client, model } = await startApplication({ providers: [Ledger, GuardedTools] }, script);
    const answers: string[] = [];
    for (const tenant of ['red', 'blue', 'red']) {
      await client.prompt('Book it').request(from(tenant)).call().content();
      answers.push(...model.toolResponses);
    }
    expect(answers).toEqual(['red 1', 'Forbidden resource', 'red 2']);
  });

  it.each([
    ['lives as long as the application', { scope: Scope.DEFAULT }],
    ['is durable', { scope: Scope.REQUEST, durable: true }],
    ['lives as long as a request', { scope: Scope.REQUEST }],
  ])('is shared with handlers of HTTP requests, of a controller that %s', async (_name, options) => {
    @Injectable(options)
    class Own {}
    @Controller()
    class Books {
      constructor(
        private readonly client: ChatClient,
        readonly own: Own,
      ) {}
      @Get('ask')
      async ask(@Req() request: Caller) {
        await this.client.prompt('Book it').request(request).call().content();
        return model.toolResponses.join();
      }
    }
    @Controller({ path: 'plain', scope: Scope.REQUEST, durable: true })
    class PlainBooks {
      constructor(private readonly ledger: Ledger) {}
      @Get()
      book() {
        return this.ledger.book();
      }
    }
    const model = new ScriptedChatModel([1, 2, 3].flatMap(() => callOf('book')));
    const imports = [AiModule.forRoot({ chatModel: model })];
    const root = { imports, providers: [Ledger, LedgerTools, Own], controllers: [PlainBooks, Books] };
    const app = await NestFactory.create(root, { logger: false });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const get = async (path: string, tenant: string) => (await fetch(`${url}/${path}`, from(tenant))).text();
    expect(await get('ask', 'red')).toBe('red 1');
    expect(await get('plain', 'red')).toBe('red 2');
    expect(await get('plain', 'blue')).toBe('blue 1');
    expect(await get('ask', 'blue')).toBe('blue 2');
    expect(await get('ask', 'red')).toBe('red 3');
    await app.close();
  });

  it('is made for the turn where there is no request', async () => {
    const script = [1, 2].flatMap(() => callOf('made'));
    let made = 0;
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Made {
      private readonly number = ++made;
      constructor(@Inject(REQUEST) private readonly request: unknown) {}
      @Tool() made() {
        return `${this.number} for ${String(this.request)}`;
      }
    }
    const { client, model } = await startApplication({ providers: [Made] }, script);
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['1 for undefined']);
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['2 for undefined']);
  });
});
