import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Module, Req, Scope } from '@nestjs/common';
import {
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  ModuleRef,
  NestFactory,
  REQUEST,
} from '@nestjs/core';
import { AiModule, ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { askForResult, callOf, resultOf, startApplication } from './application.js';

@Injectable({ scope: Scope.REQUEST, durable: true })
class OfTenant {
  constructor(@Inject(REQUEST) private readonly request: unknown) {}
  @Tool() ofTenant() {
    return JSON.stringify(this.request) ?? 'nothing';
  }
}
@Injectable({ scope: Scope.REQUEST })
class OfRequest {
  constructor(@Inject(REQUEST) readonly request: unknown) {}
  @Tool() ofRequest() {
    return JSON.stringify(this.request);
  }
}

/** One tenant for everybody. */
function applyStrategy(payload?: object): void {
  const tenant = ContextIdFactory.create();
  const strategy: ContextIdStrategy = {
    attach: (contextId: ContextId) => {
      const resolve: NonNullable<ContextId['getParent']> = (info) => (info.isTreeDurable ? tenant : contextId);
      return payload ? { resolve, payload } : resolve;
    },
  };
  ContextIdFactory.apply(strategy);
}
afterEach(() => ContextIdFactory.apply(undefined as never));

describe('REQUEST, as tools have it injected', () => {
  it('is never that of another caller, where a provider outlives the request', async () => {
    applyStrategy();
    const { client, model } = await startApplication({ providers: [OfTenant] }, [
      ...callOf('ofTenant'),
      ...callOf('ofTenant'),
    ]);
    for (const user of ['ada', 'bob']) {
      await client.prompt('Go').request({ user }).call().content();
      expect(model.toolResponses).toEqual(['nothing']);
    }
  });

  it('has what the strategy adds to a request, as with Nest', async () => {
    applyStrategy({ tenant: 'red' });
    const { client, model } = await startApplication({ providers: [OfRequest] }, callOf('ofRequest'));
    await client.prompt('Go').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(['{"user":"ada","tenant":"red"}']);
  });

  it('stays what Nest has made it for a handler, when the handler asks', async () => {
    applyStrategy({ tenant: 'red' });
    const seen: unknown[] = [];
    const model = new ScriptedChatModel(callOf('ofTenant'));
    @Controller({ path: '', scope: Scope.REQUEST, durable: true })
    class Asking {
      constructor(
        private readonly client: ChatClient,
        private readonly moduleRef: ModuleRef,
      ) {}
      @Get() async ask(@Req() request: object) {
        await this.client.prompt('Go').request(request).call().content();
        seen.push((await this.moduleRef.resolve(OfRequest, ContextIdFactory.getByRequest(request))).request);
      }
    }
    @Module({
      imports: [AiModule.forRoot({ chatModel: model })],
      providers: [OfTenant, OfRequest],
      controllers: [Asking],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    await fetch(await app.getUrl());
    await app.close();
    expect(seen).toEqual([{ tenant: 'red' }]);
    expect(model.toolResponses).toEqual(['{"tenant":"red"}']);
  });

  it('is missing where the strategy fails on a request that is not one of HTTP, and the model is not told why', async () => {
    const strategy: ContextIdStrategy<{ headers: Record<string, string> }> = {
      attach: (contextId, { headers }) => {
        const tenant = headers['x-tenant-id'] === undefined ? contextId : ContextIdFactory.create();
        return () => tenant;
      },
    };
    ContextIdFactory.apply(strategy);
    const scene = await startApplication({ providers: [OfTenant] }, callOf('ofTenant'));
    await scene.client.prompt('Go').request({ user: 'ada' }).call().content();
    expect(resultOf(scene)).toBe('The tool cannot be called now.');
  });

  it('may be anything that was given with request()', async () => {
    const { client, model } = await startApplication({ providers: [OfRequest] }, callOf('ofRequest'));
    await client.prompt('Go').request('ada').call().content();
    expect(model.toolResponses).toEqual(['"ada"']);
  });
});

describe('an instance of a class that two modules provide', () => {
  it.each([Scope.REQUEST, Scope.TRANSIENT])(
    'may be given to tools(), made for a request or an owner (%s)',
    async (scope) => {
      @Injectable({ scope })
      class Shared {
        constructor(@Inject('place') private readonly place: string) {}
        @Tool() where() {
          return this.place;
        }
      }
      @Module({ providers: [Shared, { provide: 'place', useValue: 'A' }] })
      class A {}
      @Module({ providers: [Shared, { provide: 'place', useValue: 'B' }] })
      class B {}
      const scene = await startApplication({ imports: [A, B] }, callOf('where'));
      const shared = await scene.app.select(B).resolve(Shared);
      await scene.client.prompt('Go').tools(shared).call().content();
      expect(scene.model.toolResponses).toEqual(['B']);
    },
  );
});

describe('without a caller', () => {
  it('a tool that wants one gets nothing', async () => {
    expect(await askForResult(await startApplication({ providers: [OfTenant] }, callOf('ofTenant')))).toBe('nothing');
  });
});
