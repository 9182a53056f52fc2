import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Inject, Injectable, type Provider, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RequestScope } from '../../model/request-scope.js';
import { ToolContext } from '../../model/tool-context.js';
import { TurnControl } from '../../model/turn-control.js';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Tool } from '../../tool/declaration/tool.decorator.js';
import { recordOf } from '../../tool/record-of.js';
import { toolProvider } from '../../tool/tool-provider.js';
import { AiModule } from '../ai.module.js';
import { ToolRegistry } from '../discovery/tool.registry.js';

@Injectable()
class Clock {
  @Tool() now(): string {
    return 'noon';
  }

  @Tool() static zone(): string {
    return 'UTC';
  }
}

let instances = 0;
@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly number = ++instances;

  constructor(@Inject(REQUEST) private readonly request: { user: string }) {}

  @Tool() whoami(): string {
    return `${this.request.user} ${this.number}`;
  }
}

let app: INestApplication | undefined;
afterEach(() => app?.close());

async function start(providers: Provider[]): Promise<(name: string) => ReturnType<typeof recordOf>> {
  const imports = [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })];
  app = (await Test.createTestingModule({ imports, providers }).compile()).createNestApplication({ logger: false });
  await app.init();
  const registry = app.get(ToolRegistry);
  return (name) => recordOf(registry.get(name)!.callback);
}

const contextOf = (request?: object): ToolContext =>
  new ToolContext({}, { turn: new TurnControl(undefined, new RequestScope<TurnControl>(request)) });

describe('the call of a tool in the container', () => {
  it('is prepared once for a singleton, and again when a global guard is added', async () => {
    const tool = (await start([Clock]))('now');
    const entered = await tool.around!.enter(tool, contextOf());
    expect(await tool.around!.enter(tool, contextOf())).toBe(entered);
    expect(entered.surround).toBeUndefined();
    expect(entered.run(tool, {}, contextOf())).toBe('noon');
    app!.useGlobalGuards({ canActivate: () => true });
    const guarded = await tool.around!.enter(tool, contextOf());
    expect(guarded).not.toBe(entered);
    expect(typeof guarded.surround).toBe('function');
  });

  it('is prepared for each turn of a request-scoped provider: calls of one turn share the instance', async () => {
    const tool = (await start([Session]))('whoami');
    const [ada, eve] = [contextOf({ user: 'ada' }), contextOf({ user: 'eve' })];
    const run = async (context: ToolContext): Promise<unknown> =>
      (await tool.around!.enter(tool, context)).run(tool, {}, context);
    const first = await run(ada);
    expect(first).toMatch(/^ada \d+$/);
    expect(await run(ada)).toBe(first);
    expect(await run(eve)).toMatch(/^eve \d+$/);
  });

  it('supports static methods and functions from factories', async () => {
    const recordNamed = await start([
      Clock,
      toolProvider('twice', { inputType: Number, useFactory: () => (n) => n * 2 }),
    ]);
    const [zone, twice] = [recordNamed('zone'), recordNamed('twice')];
    expect((await zone.around!.enter(zone, contextOf())).run(zone, {}, contextOf())).toBe('UTC');
    expect((await twice.around!.enter(twice, contextOf())).run(twice, 4, contextOf())).toBe(8);
  });
});
