import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, jest } from '@jest/globals';
import { Module } from '@nestjs/common';
import {
  AiEvents,
  AiExtension,
  AssistantMessage,
  ChatResponse,
  InMemorySuspendedTurnRepository,
  Prompt,
  SuspendedTurnRepository,
  Tool,
  type ToolCallEnd,
  type ToolCallRun,
  ToolCallers,
  ToolCallingManager,
  ToolContext,
  ToolRegistry,
  type Turn,
  type TurnObserver,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { callOf, resultOf, startApplication } from './application.js';

class Bank {
  @Tool() pay(context: ToolContext): string {
    context.reportProgress('half');
    told.push('the code runs');
    return 'paid';
  }

  @Tool({ needsApproval: true }) refund(): string {
    told.push('the code runs');
    return 'refunded';
  }

  @Tool({ retry: { retries: 2, minDelay: 1, maxDelay: 1 } }) flaky(): string {
    return 'done';
  }

  @Tool() emits(context: ToolContext): string {
    const { id, name } = context.toolCall;
    context.turn.emit({ type: 'tool-progress', toolCall: { id, name }, value: 'half' });
    return 'done';
  }

  @Tool() fail(): string {
    throw new Error('No money.');
  }
}

let told: string[] = [];

type Observe = (turn: Turn, clientName: string | undefined) => TurnObserver | undefined;

/** A module whose extension observes turns. */
function observing(observe: Observe) {
  class Observing extends AiExtension {
    override observe(turn: Turn, clientName: string | undefined): TurnObserver | undefined {
      return observe(turn, clientName);
    }
  }
  @Module({ providers: [{ provide: AiExtension, useClass: Observing }] })
  class ObservingModule {}
  return ObservingModule;
}

function fail(): never {
  throw new Error('This observer is broken.');
}

/** Notes all that it is told. */
function notes(name: string): TurnObserver {
  const tell = (text: string): void => void told.push(`${name} ${text}`);
  return {
    modelAsked: ({ history }) => {
      tell(`asked ${history.length}`);
      return {
        next: ({ text }) => text && tell(`answer ${text}`),
        error: () => tell('no answer'),
        complete: () => undefined,
      };
    },
    toolCalled: ({ toolCall: { name: tool }, isResumed }) => tell(`${isResumed ? 'again' : 'called'} ${tool}`),
    toolProgress: (_run, value) => tell(`progress ${String(value)}`),
    toolBegins: ({ tries }) => tell(`begins ${tries}`),
    toolEnded: ({ tries }, { outcome }) => tell(`ended ${outcome} ${tries}`),
    turnEnded: ({ status }) => tell(`turn ${status}`),
  };
}

/** What the observer `a` is told of a call of `pay` that no model makes. */
const PAID = ['a called pay', 'a begins 0', 'a progress half', 'the code runs', 'a ended ok 1', 'a turn completed'];

async function start(
  observers: readonly Observe[],
  script = callOf('pay'),
  options: Parameters<typeof startApplication>[2] = {},
) {
  told = [];
  return startApplication({ imports: observers.map(observing), providers: [Bank] }, script, options);
}

describe('the observers of a turn', () => {
  it.each([false, true])('are told all that happens, and the end in reverse order (stream: %s)', async (isStreamed) => {
    const scene = await start([() => notes('a'), () => notes('b')]);
    const request = scene.client.prompt('Go');
    if (isStreamed) for await (const _text of request.stream().content());
    else await request.call().content();
    expect(told).toEqual([
      'a asked 1',
      'b asked 1',
      'a called pay',
      'b called pay',
      'a begins 0',
      'b begins 0',
      'a progress half',
      'b progress half',
      'the code runs',
      'b ended ok 1',
      'a ended ok 1',
      'a asked 3',
      'b asked 3',
      'a answer done',
      'b answer done',
      'b turn completed',
      'a turn completed',
    ]);
  });

  it('may refuse a call: its code does not run, and all are told its end', async () => {
    const refusing: TurnObserver = { toolBegins: () => Promise.reject(new Error('The bank is closed.')) };
    const scene = await start([() => notes('a'), () => refusing]);
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('The bank is closed.');
    expect(told.slice(1)).toEqual([
      'a called pay',
      'a begins 0',
      'a ended error 0',
      'a asked 3',
      'a answer done',
      'a turn completed',
    ]);
  });

  it('are not asked again about a call that another one has refused, and that is tried again', async () => {
    let refusals = 0;
    const refusing: TurnObserver = {
      toolBegins: () => {
        if (refusals++ < 2) throw new Error('Busy.');
      },
    };
    const scene = await start([() => notes('a'), () => refusing], callOf('flaky'));
    await scene.client.prompt('Go').call().content();
    expect(refusals).toBe(3);
    expect(told.slice(1, -3)).toEqual(['a called flaky', 'a begins 0', 'a ended ok 1']);
  });

  it('keep neither an aborted turn nor other observers waiting if they never are ready', async () => {
    const stop = new AbortController();
    const hanging: TurnObserver = { toolEnded: () => new Promise(() => setTimeout(() => stop.abort(), 10)) };
    const { client } = await start([() => notes('a'), () => hanging]);
    await expect(client.prompt('Go').options({ signal: stop.signal }).call().content()).rejects.toThrow(/abort/i);
    expect(told.slice(-2)).toEqual(['a ended ok 1', 'a turn failed']);
  });

  it('are awaited before the model gets the result', async () => {
    const slow: TurnObserver = {
      toolEnded: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        told.push('stored');
      },
    };
    const scene = await start([() => slow, () => notes('a')]);
    await scene.client.prompt('Go').call().content();
    expect(told.indexOf('stored')).toBe(told.indexOf('a asked 3') - 1);
  });

  it('do not disturb the turn or the process if they fail, also later', async () => {
    const later = (): never => Promise.reject(new Error('The disk is full.')) as never;
    const failing: TurnObserver = {
      modelAsked: later,
      toolCalled: later,
      toolProgress: later,
      toolEnded: later,
      turnEnded: later,
    };
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const scene = await start([() => failing, () => notes('a')]);
    expect(await scene.client.prompt('Go').call().content()).toBe('done');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(told.at(-1)).toBe('a turn completed');
  });

  it.each([false, true])('surround a call with what its code finds, also later (stream: %s)', async (isStreamed) => {
    const around = new AsyncLocalStorage<string>();
    class Asking {
      @Tool() async ask(): Promise<string> {
        await new Promise((resolve) => setImmediate(resolve));
        told.push(`the code finds ${around.getStore()}`);
        return 'asked';
      }
    }
    const within =
      (name: string): Observe =>
      () => ({
        around: ({ toolCall: { name: tool } }, enter) =>
          around.run([around.getStore(), `${tool} of ${name}`].filter(Boolean).join(' > '), enter),
        toolEnded: () => void told.push(`${name} ended inside of ${around.getStore()}`),
      });
    const imports = [within('a'), within('b')].map(observing);
    told = [];
    const { client } = await startApplication({ imports, providers: [Asking] }, callOf('ask'));
    const request = client.prompt('Go');
    if (isStreamed) for await (const _text of request.stream().content());
    else await request.call().content();
    expect(told).toEqual([
      'the code finds ask of a > ask of b',
      'b ended inside of undefined',
      'a ended inside of undefined',
    ]);
  });

  it.each([
    ['throws before it enters', () => fail()],
    ['throws after it has entered', (_run: unknown, enter: () => void) => [enter(), fail()]],
    ['does not enter', () => undefined],
    ['enters later', (_run: unknown, enter: () => void) => setImmediate(enter)],
    ['enters twice', (_run: unknown, enter: () => void) => [enter(), enter()]],
  ])('do not keep a call from running once if one that surrounds it %s', async (_how, around) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { client } = await start([() => ({ around: (run, enter) => void around(run, enter) }), () => notes('a')]);
    expect(await client.prompt('Go').call().content()).toBe('done');
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.filter((text) => text === 'the code runs')).toHaveLength(1);
    expect(told.at(-1)).toBe('a turn completed');
  });

  it('fail the request if there are none because an extension fails: its audit could be missing', async () => {
    const broken: Observe = () => {
      throw new TypeError('no clock');
    };
    const { client } = await start([broken]);
    const answer = client.prompt('Go').call().content();
    await expect(answer).rejects.toThrow('The AiExtension Observing has failed: no clock');
    expect(told).toEqual([]);
  });

  it('see a call that waits, and that it goes on in another request', async () => {
    const turns: string[] = [];
    const { client } = await start(
      [(turn) => (turns.push(`${turn.id} ${turn.isResumed}`), notes('a'))],
      [{ toolCalls: [toolCall('refund', {}, '1')] }, 'done'],
    );
    const held = await client.prompt('Go').call().chatResponse();
    const approvals = [{ toolCallId: '1', approved: true }];
    await client.prompt().toolApprovals(approvals, { turnId: held!.turnId }).call().content();
    expect(turns).toEqual([`${held!.turnId} false`, `${held!.turnId} true`]);
    expect(told.slice(1)).toEqual([
      'a called refund',
      'a ended pending_approval 0',
      'a turn suspended',
      'a again refund',
      'a begins 0',
      'the code runs',
      'a ended ok 1',
      'a asked 3',
      'a answer done',
      'a turn completed',
    ]);
  });

  it('see what a failing tool has thrown, and the end of an aborted call', async () => {
    const ends: [ToolCallRun, ToolCallEnd][] = [];
    const seeing: TurnObserver = { toolEnded: (run, end) => void ends.push([run, end]) };
    const failed = await start([() => seeing], callOf('fail'));
    await failed.client.prompt('Go').call().content();
    expect(ends[0]![1]).toMatchObject({ outcome: 'error', error: { message: 'No money.' } });

    const stop = new AbortController();
    const aborting: TurnObserver = { ...seeing, toolBegins: () => stop.abort() };
    const aborted = await start([() => aborting]);
    await expect(aborted.client.prompt('Go').options({ signal: stop.signal }).call().content()).rejects.toThrow(
      /abort/i,
    );
    expect(ends[1]![1]).toMatchObject({ outcome: 'aborted' });
    expect(ends[1]![0]).toMatchObject({ tries: 0 });
  });

  it('may not be promised', async () => {
    const { client } = await start([() => Promise.resolve(notes('a')) as unknown as TurnObserver]);
    const answer = client.prompt('Go').call().content();
    await expect(answer).rejects.toThrow(
      'observe() of the AiExtension Observing must return an observer, not a promise.',
    );
  });

  it('follow calls without a tool loop, to their end', async () => {
    const { app } = await start([(_turn, name) => (told.push(String(name)), notes('a'))], []);
    const message = new AssistantMessage({ toolCalls: [{ id: '1', name: 'pay', arguments: '{}' }] });
    const prompt = new Prompt('Go', { toolCallbacks: [...app.get(ToolRegistry).callbacks] });
    await app.get(ToolCallingManager).executeToolCalls(prompt, new ChatResponse({ results: [{ output: message }] }));
    expect(told).toEqual(['undefined', ...PAID]);
  });

  it('are told before the answer of a call is stored, so that none is missing after a crash', async () => {
    const repository = new InMemorySuspendedTurnRepository();
    const { client } = await start([() => notes('a')], [{ toolCalls: [toolCall('refund', {}, '1')] }, 'done'], {
      providers: [{ provide: SuspendedTurnRepository, useValue: repository }],
    });
    const held = await client.prompt('Go').call().chatResponse();
    const update = repository.save.bind(repository);
    repository.save = (turn, change) => (told.push('stored'), update(turn, change));
    const approvals = [{ toolCallId: '1', approved: true }];
    await client.prompt().toolApprovals(approvals, { turnId: held!.turnId }).call().content();
    const ran = told.indexOf('the code runs');
    expect(told.slice(ran + 1, ran + 3)).toEqual(['a ended ok 1', 'stored']);
  });

  it('follow calls from outside, with the name of their caller', async () => {
    const names: unknown[] = [];
    const { app } = await start([(_turn, name) => (names.push(name), notes('a'))], []);
    const tool = app.get(ToolRegistry).callbacks.find(({ toolDefinition }) => toolDefinition.name === 'pay')!;
    await app.get(ToolCallers).of('partner').call({ tool, arguments: {}, hasReadUntrusted: false });
    expect(names).toEqual(['partner']);
    expect(told).toEqual(PAID);
  });

  it('are told what a tool emits, like the caller of the tool', async () => {
    const seen: unknown[] = [];
    const { app } = await start([() => ({ emitted: ({ type }) => told.push(type) })], []);
    const tool = app.get(ToolRegistry).callbacks.find(({ toolDefinition }) => toolDefinition.name === 'emits')!;
    const onProgress = (value: unknown): void => void seen.push(value);
    await app.get(ToolCallers).of('partner').call({ tool, arguments: {}, hasReadUntrusted: false, onProgress });
    expect(told).toEqual(['tool-progress']);
    expect(seen).toEqual(['half']);
  });

  it('may leave a turn out, and are told of events before AiEvents tells the end', async () => {
    const { app, client } = await start([() => undefined, () => notes('a')]);
    app.get(AiEvents).subscribe(({ type }) => told.push(type));
    await client.prompt('Go').call().content();
    expect(told.slice(-3)).toEqual(['a answer done', 'a turn completed', 'turn-end']);
  });
});
