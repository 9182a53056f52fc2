import { describe, expect, it } from '@jest/globals';
import { ConsoleLogger, Injectable, type Provider, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  AiProperties,
  AugmentedToolCallbackProvider,
  ChatClient,
  ChatModelException,
  FunctionToolCallback,
  type JsonSchema,
  Tool,
  type ToolCallback,
  ToolCallbackProvider,
  ToolProviderStatus,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { withoutWaiting } from '../fake-timeouts.js';
import { callOf, offeredTools } from './application.js';

const SECRET = 'https://user:password@tools.example';

const fixed = (name: string, inputSchema?: JsonSchema) =>
  new FunctionToolCallback({
    name,
    toolFunction: () => `${name} of the provider`,
    ...(inputSchema && { inputSchema }),
  });

@Injectable()
class Own {
  @Tool() greet() {
    return 'hello';
  }
}

/** A provider whose answer a test sets. */
abstract class Settable extends ToolCallbackProvider {
  asked = 0;
  answer: () => readonly ToolCallback[] | Promise<readonly ToolCallback[]> = () => [fixed('remote')];
  getToolCallbacks() {
    this.asked++;
    return this.answer();
  }
}
@Injectable()
class Remote extends Settable {}
@Injectable()
class Needed extends Settable {
  override readonly required = true;
}

class Log extends ConsoleLogger {
  readonly lines: string[] = [];
  protected override printMessages(messages: unknown[], context = '', level = 'log') {
    if (context === 'ToolProviderStatus') this.lines.push(...messages.map((message) => `${level}: ${String(message)}`));
  }
}

async function start(
  providers: Provider[],
  script: ConstructorParameters<typeof ScriptedChatModel>[0] = [],
  tools = {},
) {
  const model = new ScriptedChatModel(script.length > 0 ? script : Array.from({ length: 9 }, () => 'answer'));
  const log = new Log();
  const builder = Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: model, properties: { tools } })],
    providers,
  }).setLogger(log);
  const app = await builder.compile();
  await app.init();
  const client = app.get(ChatClient);
  const offered = async () => {
    await client.prompt('Go').call().content();
    return offeredTools(model);
  };
  return { app, client, model, log, offered, problems: () => app.get(ToolProviderStatus).problems };
}

const fail = () => {
  throw new ChatModelException(SECRET, { code: 'ECONNREFUSED' });
};

describe('a provider of tools that fails', () => {
  it.each<[string, () => unknown, string]>([
    ['throws', fail, 'ECONNREFUSED'],
    ['rejects', async () => fail(), 'ECONNREFUSED'],
    ['gives no list', () => undefined, 'TypeError'],
    ['gives no tools', () => [{}], 'TypeError'],
    ['rejects with nothing', () => Promise.reject(), '_OTHER'],
  ])('is left out, and the status says so: %s', async (_what, answer, errorType) => {
    const { app, offered, problems, log } = await start([Own, Remote]);
    app.get(Remote).answer = answer as never;
    const before = Date.now();
    expect(await offered()).toEqual(['greet']);
    expect(problems()).toEqual([
      { provider: 'Remote in RootTestModule', fault: 'unavailable', since: expect.any(Date), errorType },
    ]);
    expect(problems()[0]!.since.getTime()).toBeGreaterThanOrEqual(before);
    expect(log.lines.join()).not.toContain(SECRET);
  });

  it('is in the log once, again when it fails in another way, and when it is back', async () => {
    const { app, offered, problems, log } = await start([Own, Remote]);
    const remote = app.get(Remote);
    remote.answer = fail;
    await offered();
    const [first] = problems();
    await offered();
    expect(problems()).toEqual([first]);
    remote.answer = () => Promise.reject(new RangeError());
    await offered();
    expect(problems()).toMatchObject([{ errorType: 'RangeError', since: first!.since }]);
    remote.answer = () => [fixed('remote')];
    expect(await offered()).toEqual(['greet', 'remote']);
    expect(problems()).toEqual([]);
    const lost = (why: string) =>
      `warn: Remote in RootTestModule: its tools are not available (${why}). Requests continue without them. With required: true, ` +
      'such requests fail with the error.';
    expect(log.lines).toEqual([
      lost('ECONNREFUSED'),
      lost('RangeError'),
      'log: Remote in RootTestModule: its tools are available again.',
    ]);
  });

  it('fails the requests that name it, or a tool that only it could have', async () => {
    const { app, client } = await start([Own, Remote]);
    const remote = app.get(Remote);
    remote.answer = fail;
    await expect(client.prompt('Go').tools(remote).call().content()).rejects.toThrow(/Remote in RootTestModule/);
    await expect(client.prompt('Go').tools('remote').call().content()).rejects.toThrow(
      "Unknown tool 'remote'. The tools of Remote in RootTestModule are not available now.",
    );
    expect(await client.prompt('Go').tools('greet').call().content()).toBe('answer');
  });

  it('fails all requests when it is required', async () => {
    const { app, client } = await start([Own, Needed]);
    app.get(Needed).answer = fail;
    await expect(client.prompt('Go').call().content()).rejects.toThrow('The tools of Needed in RootTestModule');
  });

  it('leaves the tools of other providers there', async () => {
    @Injectable()
    class Another extends Settable {
      override answer = () => [fixed('another')];
    }
    const { app, offered } = await start([Own, Remote, Another]);
    app.get(Remote).answer = fail;
    expect(await offered()).toEqual(['greet', 'another']);
  });
});

describe('several providers of one class in a module', () => {
  const twins = (first: Remote, second: Remote) => [
    { provide: 'first', useValue: first },
    { provide: 'second', useValue: second },
  ];

  it('each have their own status', async () => {
    const [first, second] = [new Remote(), new Remote()];
    const { offered, problems, log } = await start(twins(first, second));
    first.answer = fail;
    expect([await offered(), await offered()]).toEqual([['remote'], ['remote']]);
    expect(problems()).toMatchObject([{ provider: 'Remote in RootTestModule', fault: 'unavailable' }]);
    first.answer = () => [];
    second.answer = fail;
    await offered();
    expect(problems()).toMatchObject([{ provider: 'Remote in RootTestModule (2)', fault: 'unavailable' }]);
    expect(log.lines).toHaveLength(3);
  });

  it('are not taken for one whose tools have changed', async () => {
    const [first, second] = [new Remote(), new Remote()];
    const [one, other] = ['One', 'Other'].map(
      (description) => new FunctionToolCallback({ name: 'remote', description, toolFunction: () => description }),
    );
    first.answer = () => [one!];
    second.answer = () => [other!];
    const { offered, problems } = await start(twins(first, second));
    await offered();
    expect(problems().filter(({ fault }) => fault === 'changed')).toEqual([]);
  });
});

describe('a provider of tools that hangs', () => {
  const never = () => new Promise<never>(() => undefined);

  it('is waited for no longer than ai.tools.provider-timeout, and not asked again meanwhile', async () => {
    const { app, offered, problems } = await start([Own, Remote], [], { providerTimeout: '2s' });
    const remote = app.get(Remote);
    remote.answer = never;
    expect(await withoutWaiting(offered)).toEqual(['greet']);
    expect(problems()).toMatchObject([{ fault: 'unavailable', errorType: 'TimeoutError' }]);
    expect(await offered()).toEqual(['greet']);
    expect(remote.asked).toBe(1);
  });

  it('is asked again when the time is over once more, or it has answered', async () => {
    const { app, offered } = await start([Own, Remote], [], { providerTimeout: 20 });
    const remote = app.get(Remote);
    let answer!: (tools: ToolCallback[]) => void;
    remote.answer = () => new Promise((resolve) => (answer = resolve));
    expect(await offered()).toEqual(['greet']);
    answer([]);
    await new Promise((resolve) => setImmediate(resolve));
    remote.answer = never;
    await offered();
    expect(remote.asked).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 40));
    remote.answer = () => [fixed('remote')];
    expect(await offered()).toEqual(['greet', 'remote']);
  });

  it('does not keep a caller who has left', async () => {
    const { app, client } = await start([Own, Remote], [], { providerTimeout: 100 });
    app.get(Remote).answer = never;
    const gone = new AbortController();
    const asked = client.prompt('Go').options({ signal: gone.signal }).call().content();
    gone.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
  });

  it('leaves no timer behind when it answers', async () => {
    const { app, offered } = await start([Own, Remote]);
    app.get(Remote).answer = async () => [fixed('remote')];
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    expect(await offered()).toEqual(['greet', 'remote']);
    expect(timers()).toBe(before);
  });

  it('is configured', async () => {
    const { app } = await start([Own]);
    expect(app.get(AiProperties).tools.providerTimeout).toBe(10_000);
  });
});

describe('a tool of a provider', () => {
  it('gives way to the tool of the application that has its name', async () => {
    const { app, client, model, offered, problems, log } = await start(
      [Own, Remote],
      [...callOf('greet'), 'a', 'b', 'c'],
    );
    const remote = app.get(Remote);
    remote.answer = () => [fixed('greet'), fixed('remote')];
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['greet', 'remote']);
    expect(model.toolResponses).toEqual(['hello']);
    const taken = { provider: 'Remote in RootTestModule', fault: 'name-taken', toolNames: ['greet'] };
    expect(problems()).toMatchObject([taken]);
    await offered();
    // Asked by name, it is the application's as well.
    await client.prompt('Go').tools('greet', 'remote').call().content();
    expect(offeredTools(model)).toEqual(['greet', 'remote']);
    remote.answer = () => [fixed('remote')];
    await offered();
    expect(problems()).toEqual([]);
    expect(log.lines).toEqual([
      "warn: Remote in RootTestModule: tools are left out, because other tools have the same names: 'greet'.",
      'log: Remote in RootTestModule: the names of all its tools are unique again.',
    ]);
  });

  it('gives way to the one of a provider before it', async () => {
    @Injectable()
    class Another extends Settable {}
    const { offered, problems } = await start([Remote, Another]);
    expect(await offered()).toEqual(['remote']);
    expect(problems()).toMatchObject([{ provider: 'Another in RootTestModule', toolNames: ['remote'] }]);
  });

  it('may come twice from one provider: the first is taken', async () => {
    const { app, offered, problems } = await start([Remote]);
    app.get(Remote).answer = () => [fixed('remote'), fixed('remote')];
    expect(await offered()).toEqual(['remote']);
    expect(problems()).toMatchObject([{ fault: 'name-taken', toolNames: ['remote'] }]);
  });

  it('is left out when it cannot be offered to a model', async () => {
    const { app, offered, problems } = await start([Own, Remote]);
    app.get(Remote).answer = () => [
      fixed('broken', { type: 'object', properties: { a: { $ref: '#/nowhere' } } }),
      fixed('remote'),
    ];
    expect(await offered()).toEqual(['greet', 'remote']);
    expect(problems()).toMatchObject([{ fault: 'invalid', toolNames: ['broken'] }]);
  });

  it('is in the log once, also for requests that name tools which are not offered by default', async () => {
    const overrides = { greet: { offeredByDefault: false }, broken: { offeredByDefault: false } };
    const { app, client, problems, log } = await start([Own, Remote], [], { overrides });
    const tools = [
      fixed('greet'),
      fixed('broken', { type: 'object', properties: { a: { $ref: '#/nowhere' } } }),
      fixed('remote'),
    ];
    app.get(Remote).answer = () => tools;
    for (let round = 0; round < 2; round++) await client.prompt('Go').tools('remote').call().content();
    expect(problems()).toMatchObject([{ fault: 'invalid', toolNames: ['broken'] }]);
    expect(log.lines).toHaveLength(1);
  });

  it('has no say in what the log looks like', async () => {
    const { app, offered, log } = await start([Own, Remote]);
    const broken = { type: 'object', properties: { a: { $ref: '#/nowhere' } } } as const;
    app.get(Remote).answer = () => ['ok\nERROR forged', ...'abcdefghijkl'.split('')].map((name) => fixed(name, broken));
    await offered();
    const shown = ['_OTHER', ...'abcdefghi'.split('')].map((name) => `'${name}'`).join(', ');
    expect(log.lines).toEqual([
      `warn: Remote in RootTestModule: tools are left out, because their definitions are invalid: ${shown}, ….`,
    ]);
  });

  it.each<[string, () => ToolCallback[], RegExp]>([
    ['a name that is taken', () => [fixed('greet')], /Multiple tools with the same name \(greet\)/],
    [
      'an invalid schema',
      () => [fixed('broken', { type: 'object', properties: { a: { $ref: '#/nowhere' } } })],
      /The tool 'broken' cannot be offered to a model/,
    ],
  ])('fails the request when its provider is required: %s', async (_what, answer, message) => {
    const { app, client } = await start([Own, Needed]);
    app.get(Needed).answer = answer;
    await expect(client.prompt('Go').call().content()).rejects.toThrow(message);
  });

  it('takes the place of the one that it augments', async () => {
    class Reason {
      @IsString() reason!: string;
    }
    const augmented = new AugmentedToolCallbackProvider({ toolObject: Own, argumentType: Reason });
    const { offered, model, problems } = await start([Own, { provide: 'augmented', useValue: augmented }]);
    expect(await offered()).toEqual(['greet']);
    expect(model.lastPrompt!.options!.toolCallbacks![0]!.toolDefinition.inputSchema.required).toEqual(['reason']);
    expect(problems()).toEqual([]);
  });
});

it('what serves all requests can inject the status', async () => {
  @Injectable({ scope: Scope.DEFAULT })
  class Health {
    constructor(readonly status: ToolProviderStatus) {}
  }
  const { app } = await start([Health]);
  expect(app.get(Health).status.problems).toEqual([]);
});
