import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  NotFoundException,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AssistantMessage, ChatClient, ToolContext, ToolParam, ToolRegistry, UserMessage } from '@nestor-ai/core';
import { McpNotifier, McpPrompt, McpResource, McpServerModule } from '@nestor-ai/mcp';
import { IsBoolean, IsInt, IsOptional, IsString, Max } from 'class-validator';
import { z } from 'zod';
import { bootstrapError, offeredTools, startApplication } from '../nest/application.js';
import { serve, type ServedApplication } from './declared-features.js';

const SERVER = McpServerModule.forRoot({ http: false });
const PIXEL = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

class ForAdmins implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ role: string | null }>().role === 'admin';
  }
}

@Injectable()
class Users {
  readonly ids = Array.from({ length: 250 }, (_unused, id) => String(id + 1));
}

@Injectable()
class Library {
  constructor(private readonly users: Users) {}

  @McpResource({
    uri: 'config://app',
    title: 'Settings',
    description: 'The settings',
    cache: { ttl: 5000, scope: 'public' },
    annotations: { audience: ['assistant'], priority: 0.5 },
    size: 20,
  })
  config() {
    return { theme: 'dark' };
  }

  @McpResource({ uri: 'image://logo', mimeType: 'image/png' })
  logo(): Buffer {
    return PIXEL;
  }

  @McpResource({ uri: 'text://parts', name: 'parts' })
  parts() {
    return [{ text: 'one' }, { uri: 'text://parts/2', mimeType: 'image/png', blob: PIXEL }];
  }

  @McpResource({
    uriTemplate: 'users://{id}/profile{?details}',
    name: 'profile',
    mimeType: 'application/json',
    list: 'listProfiles',
    complete: { id: 'completeId', details: ['none', 'some', 'all'] },
  })
  profile(id: number, context: ToolContext, @ToolParam({ required: false }) details?: string) {
    if (id > 250) throw new NotFoundException(`There is no user ${id}.`);
    if (id === 13) throw new Error('select * from users failed at 10.0.0.1');
    if (id === 250) return null;
    return { id, uri: context.get('uri'), ...(details && { details }) };
  }

  listProfiles(): object[] {
    return this.users.ids.slice(0, 2).map((id) => ({ uri: `users://${id}/profile`, name: `User ${id}` }));
  }

  completeId(typed: string, context: ToolContext): string[] {
    const { details } = context.get<Record<string, string>>('arguments') ?? {};
    return this.users.ids.filter((id) => id.startsWith(typed)).map((id) => (details ? `${id} ${details}` : id));
  }

  @McpResource({ uriTemplate: 'orders://{id}{?format}' })
  order({ id, format }: { id: string; format?: string }, context: ToolContext) {
    return { id, format, by: (context.request as { user: string }).user };
  }

  @McpResource({ uriTemplate: 'files://{+path}' })
  file(path: string): string {
    return `contents of ${path}`;
  }

  @McpResource({
    uri: 'secret://plans',
    visible: ({ request }) => (request as { role: string | null }).role === 'admin',
  })
  plans(): string {
    return 'plans';
  }

  @UseGuards(ForAdmins)
  @McpResource({
    uriTemplate: 'vault://{box}',
    list: () => [{ uri: 'vault://7' }],
    complete: { box: () => ['7', '8'] },
  })
  vault(box: string): string {
    return `gold of ${box}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Inbox {
  constructor(@Inject(REQUEST) private readonly request: { user: string }) {}

  @McpResource({ uri: 'inbox://unread' })
  unread(): string {
    return `mail of ${this.request.user}`;
  }

  @McpPrompt({ description: 'Greets the user', complete: { tone: 'tones' } })
  greet(tone: string): string {
    return `Greet ${this.request.user} in a ${tone} tone.`;
  }

  tones(typed: string): string[] {
    return ['warm', 'wry'].filter((tone) => tone.startsWith(typed)).map((tone) => `${tone} ${this.request.user}`);
  }
}

class ReviewArguments {
  @ToolParam({ description: 'The file' }) @IsString() file!: string;
  @IsInt() @Max(9) depth!: number;
  @IsOptional() @IsBoolean() strict?: boolean;
}

@Injectable()
class Prompts {
  @McpPrompt({ name: 'review', title: 'Review', argsType: ReviewArguments })
  review(args: ReviewArguments) {
    const kind = args instanceof ReviewArguments ? 'an instance' : 'an object';
    return [
      new UserMessage(`Review ${args.file} ${args.depth + 1} levels deep, as ${kind}, strict: ${args.strict}.`),
      new AssistantMessage('Gladly.'),
    ];
  }

  @McpPrompt({ argsSchema: z.object({ count: z.number().max(5), tags: z.array(z.string()).optional() }) })
  poem({ count, tags }: { count: number; tags?: string[] }) {
    const image = { mimeType: 'image/png', data: PIXEL };
    return {
      description: 'A poem',
      messages: [
        { role: 'user', content: { type: 'text', text: `${typeof count} ${count} ${tags?.join('+') ?? ''}` } },
        new UserMessage({
          text: 'Like this',
          media: [image, { mimeType: 'text/css', data: new URL('https://a.example/b.css') }],
        }),
      ],
    };
  }

  @McpPrompt()
  plain(): string {
    return 'Say hi.';
  }

  @UseGuards(ForAdmins)
  @McpPrompt({ visible: ({ request }) => (request as { user: string | null }).user !== 'eve' })
  audit(): string {
    throw new ForbiddenException('Not today.');
  }
}

const errorOf = (promise: Promise<unknown>): Promise<{ code?: number; message: string; data?: unknown }> =>
  promise.then(
    () => ({ message: 'It worked.' }),
    (error: unknown) => error as { message: string },
  );

/** A URI that `new URL()` would clean up is sent as it is. */
const read = async (client: { readResource(params: { uri: string }): Promise<unknown> }, uri: string) =>
  ((await client.readResource({ uri })) as { contents: { text?: string }[] }).contents[0];

describe('resources and prompts of an application', () => {
  let served: ServedApplication;
  beforeAll(async () => {
    served = await serve({ providers: [Users, Library, Inbox, Prompts] });
  });

  describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
    const connect = (headers: Record<string, string> = {}) => served[era](headers);

    it('are listed, apart from those that the caller may not see', async () => {
      const client = await connect();
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([
        'config://app',
        'image://logo',
        'text://parts',
        'inbox://unread',
        'users://1/profile',
        'users://2/profile',
      ]);
      expect(resources[0]).toEqual({
        uri: 'config://app',
        name: 'config',
        title: 'Settings',
        description: 'The settings',
        annotations: { audience: ['assistant'], priority: 0.5 },
        size: 20,
      });
      expect(resources[4]).toEqual({ uri: 'users://1/profile', name: 'User 1', mimeType: 'application/json' });
      const admin = await connect({ role: 'admin' });
      const all = (await admin.listResources()).resources.map(({ uri }) => uri);
      expect(all).toEqual(expect.arrayContaining(['secret://plans', 'vault://7']));
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ name, uriTemplate }) => [name, uriTemplate])).toEqual([
        ['profile', 'users://{id}/profile{?details}'],
        ['order', 'orders://{id}{?format}'],
        ['file', 'files://{+path}'],
        ['vault', 'vault://{box}'],
      ]);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['greet', 'review', 'poem', 'plain', 'audit']);
      expect(prompts[1]).toEqual({
        name: 'review',
        title: 'Review',
        arguments: [
          { name: 'file', description: 'The file', required: true },
          { name: 'depth', required: true },
          { name: 'strict', required: false },
        ],
      });
    });

    it('are read as text, JSON, bytes and parts', async () => {
      const client = await connect();
      const contents = async (uri: string) => (await client.readResource({ uri })).contents;
      expect(await contents('config://app')).toEqual([
        { uri: 'config://app', mimeType: 'application/json', text: '{"theme":"dark"}' },
      ]);
      const blob = PIXEL.toString('base64');
      expect(await contents('image://logo')).toEqual([{ uri: 'image://logo', mimeType: 'image/png', blob }]);
      expect(await contents('text://parts')).toEqual([
        { uri: 'text://parts', mimeType: 'text/plain', text: 'one' },
        { uri: 'text://parts/2', mimeType: 'image/png', blob },
      ]);
      expect(JSON.parse((await read(client, 'users://7/profile?details=all'))!.text!)).toEqual({
        id: 7,
        uri: 'users://7/profile?details=all',
        details: 'all',
      });
      const ada = await connect({ user: 'ada' });
      expect(await read(ada, 'orders://7')).toMatchObject({ text: '{"id":"7","by":"ada"}' });
      expect(await read(client, 'files://a/b%20c.txt')).toMatchObject({ text: 'contents of a/b c.txt' });
    });

    it('are answered with the errors of the protocol', async () => {
      const client = await connect();
      const unknown = { code: -32_602, data: { uri: 'users://9' } };
      expect(await errorOf(client.readResource({ uri: 'users://9' }))).toMatchObject(unknown);
      const hidden = await errorOf(client.readResource({ uri: 'secret://plans' }));
      expect(hidden).toMatchObject({ code: -32_602, data: { uri: 'secret://plans' } });
      const missing = await errorOf(client.readResource({ uri: 'users://300/profile' }));
      expect(missing).toMatchObject({ code: -32_602, data: { uri: 'users://300/profile' } });
      expect(missing.message).toContain('There is no user 300.');
      expect(await errorOf(client.readResource({ uri: 'users://250/profile' }))).toMatchObject({
        code: -32_602,
        data: { uri: 'users://250/profile' },
      });
      const invalid = await errorOf(client.readResource({ uri: 'users://ada/profile' }));
      expect(invalid).toMatchObject({ code: -32_602, message: expect.stringContaining("'id'") });
      expect(invalid.data).toBeUndefined();
      const noPrompt = await errorOf(client.getPrompt({ name: 'none' }));
      expect(noPrompt).toMatchObject({ code: -32_602 });
      const cursor = await errorOf(client.listResources({ cursor: 'x' }));
      expect(cursor).toMatchObject({ code: -32_602 });
    });

    it('run behind guards, on the instance of the request', async () => {
      const eve = await connect({ user: 'eve' });
      const root = await connect({ user: 'root', role: 'admin' });
      expect(await errorOf(read(eve, 'vault://7'))).toMatchObject({ code: -32_603, message: /Forbidden/ });
      expect(await read(root, 'vault://7')).toMatchObject({ text: 'gold of 7' });
      const [ofEve, ofRoot] = await Promise.all([read(eve, 'inbox://unread'), read(root, 'inbox://unread')]);
      expect(ofEve).toMatchObject({ text: 'mail of eve' });
      expect(ofRoot).toMatchObject({ text: 'mail of root' });
      expect(await errorOf(eve.getPrompt({ name: 'audit' }))).toMatchObject({ code: -32_602 });
      expect(await errorOf(root.getPrompt({ name: 'audit' }))).toMatchObject({ code: -32_603, message: /Not today/ });
      const { messages } = await eve.getPrompt({ name: 'greet', arguments: { tone: 'calm' } });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet eve in a calm tone.' } }]);
    });

    it('convert and validate the text of prompt arguments', async () => {
      const client = await connect();
      const { messages } = await client.getPrompt({
        name: 'review',
        arguments: { file: '5', depth: '2', strict: 'true' },
      });
      expect(messages).toEqual([
        { role: 'user', content: { type: 'text', text: 'Review 5 3 levels deep, as an instance, strict: true.' } },
        { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
      ]);
      const poem = await client.getPrompt({ name: 'poem', arguments: { count: '3', tags: '["a","b"]' } });
      expect(poem).toMatchObject({
        description: 'A poem',
        messages: [
          { content: { text: 'number 3 a+b' } },
          { content: { text: 'Like this' } },
          { content: { type: 'image', mimeType: 'image/png' } },
          { content: { type: 'resource_link', uri: 'https://a.example/b.css' } },
        ],
      });
      const wrong = await errorOf(
        client.getPrompt({ name: 'review', arguments: { depth: '12', constructor: 'x', __proto__x: 'y' } }),
      );
      expect(wrong).toMatchObject({ code: -32_602 });
      for (const name of ["'file' is required", 'depth must', "'constructor'", "'__proto__x'"])
        expect(wrong.message).toContain(name);
      expect(await errorOf(client.getPrompt({ name: 'poem', arguments: { count: '9' } }))).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('count'),
      });
      expect(await errorOf(client.getPrompt({ name: 'poem' }))).toMatchObject({ code: -32_602 });
    });

    it('complete arguments, at most 100 values', async () => {
      const client = await connect({ user: 'ada' });
      const profile = { type: 'ref/resource' as const, uri: 'users://{id}/profile{?details}' };
      const complete = async (
        ref: Parameters<typeof client.complete>[0]['ref'],
        name: string,
        value: string,
        known?: object,
      ) =>
        (
          await client.complete({
            ref,
            argument: { name, value },
            ...(known && { context: { arguments: known as never } }),
          })
        ).completion;
      const all = await complete(profile, 'id', '');
      expect(all).toMatchObject({ total: 250, hasMore: true });
      expect(all.values).toHaveLength(100);
      expect(await complete(profile, 'id', '25', { details: 'all' })).toEqual({
        values: ['25 all', '250 all'],
        total: 2,
        hasMore: false,
      });
      expect((await complete(profile, 'details', 'A')).values).toEqual(['all']);
      expect((await complete(profile, 'other', '')).values).toEqual([]);
      expect((await complete({ type: 'ref/resource', uri: 'config://app' }, 'id', '')).values).toEqual([]);
      const greet = { type: 'ref/prompt' as const, name: 'greet' };
      expect((await complete(greet, 'tone', 'w')).values).toEqual(['warm ada', 'wry ada']);
      expect((await complete(greet, 'tone', 'wa')).values).toEqual(['warm ada']);
      expect(await errorOf(complete({ type: 'ref/prompt', name: 'none' }, 'a', ''))).toMatchObject({ code: -32_602 });
    });

    it('keep the guards of a method for its list and its completion', async () => {
      const vault = {
        ref: { type: 'ref/resource' as const, uri: 'vault://{box}' },
        argument: { name: 'box', value: '' },
      };
      const client = await connect();
      expect(await errorOf(client.complete(vault))).toMatchObject({ code: -32_603, message: /Forbidden/ });
      const admin = await connect({ role: 'admin' });
      expect((await admin.complete(vault)).completion.values).toEqual(['7', '8']);
    });

    it('refuse hostile URIs', async () => {
      const client = await connect();
      const hostile = [
        `files://${'a/'.repeat(50_000)}`,
        'files://../etc/passwd',
        'files://a/%2e%2e/%2e%2e/etc/passwd',
        'files://a%2f..%2f..%2fetc',
        'files://..%5c..%5cwindows',
        'files://a%00.txt',
        'files://a%0d%0aset-cookie:x',
        'files://%252e%252e%252fetc',
        'files://%',
        'files://%ff%fe',
        'files://',
        'users://%2e%2e/profile',
        'users://a%2fb/profile',
        'users:///profile',
        `users://${'1'.repeat(1500)}/profile${'?details='.repeat(20)}`,
        'users://1/profile?details=1&details=2',
        'users://1/profile?__proto__=1',
        'USERS://1/profile',
        'config://app/',
        'config://app#x',
        'constructor',
        '',
      ];
      for (const uri of hostile) {
        const { code, message } = await errorOf(client.readResource({ uri }));
        expect({ uri: uri.slice(0, 60), code }).toEqual({ uri: uri.slice(0, 60), code: -32_602 });
        expect(message.length).toBeLessThan(400);
      }
    });
  });

  it('tell clients of protocol 2026 how long they may keep a result', async () => {
    const modern = await served.modern();
    expect(await modern.readResource({ uri: 'config://app' })).toMatchObject({ ttlMs: 5000, cacheScope: 'public' });
    expect(await modern.readResource({ uri: 'image://logo' })).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    const legacy = await served.legacy();
    expect(await legacy.readResource({ uri: 'config://app' })).not.toHaveProperty('ttlMs');
  });

  it('announce what there is', async () => {
    const modern = await served.modern();
    expect(modern.getServerCapabilities()).toEqual({
      resources: { listChanged: true, subscribe: true },
      prompts: {},
      completions: {},
    });
    const empty = await serve({ providers: [Users] });
    expect((await empty.modern()).getServerCapabilities()).toEqual({});
  });

  it('announce subscriptions to clients that can be told of a change', async () => {
    const notifier = { provide: McpNotifier, useValue: {} };
    const subscribable = await serve({ providers: [Users, Library, notifier] });
    expect((await subscribable.modern()).getServerCapabilities()?.resources).toEqual({
      subscribe: true,
      listChanged: true,
    });
    expect((await subscribable.legacy()).getServerCapabilities()?.resources).toEqual({ listChanged: true });
  });

  it.each(['modern', 'legacy'] as const)('refuse hostile names and arguments of a %s client', async (era) => {
    const client = await served[era]();
    for (const name of ['__proto__', 'constructor', 'prompt:plain', 'a'.repeat(100_000)]) {
      expect(await errorOf(client.getPrompt({ name }))).toMatchObject({ code: -32_602 });
      const ref = { type: 'ref/prompt' as const, name };
      expect(await errorOf(client.complete({ ref, argument: { name: 'tone', value: '' } }))).toMatchObject({
        code: -32_602,
      });
      const greet = { type: 'ref/prompt' as const, name: 'greet' };
      const { completion } = await client.complete({ ref: greet, argument: { name, value: 'w'.repeat(100_000) } });
      expect(completion.values).toEqual([]);
    }
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_unused, at) => [`argument ${at}`, 'x']));
    const hostile = [
      many,
      JSON.parse('{"__proto__":"x"}'),
      { depth: '9'.repeat(100_000), file: 'a' },
      { depth: '[1]', file: 'a' },
    ];
    for (const given of hostile) {
      const { code, message } = await errorOf(
        client.getPrompt({ name: 'review', arguments: given as Record<string, string> }),
      );
      expect(code).toBe(-32_602);
      expect(message.length).toBeLessThan(3000);
    }
  });

  it('are never offered to a model', async () => {
    const { client, model, app } = await startApplication(
      { imports: [SERVER], providers: [Users, Library, Inbox, Prompts] },
      ['a', 'b'],
    );
    await client.prompt('hi').call().content();
    expect(offeredTools(model)).toEqual([]);
    const given = app.get(ChatClient).prompt('hi').tools(Prompts).call().content();
    await expect(given).rejects.toThrow('No @Tool() methods found in Prompts.');
    expect(app.get(ToolRegistry).list()).toEqual([]);
  });
});

it('hides internals of errors if the application says so', async () => {
  const served = await serve({ providers: [Users, Library] }, { properties: { tools: { errorExposure: 'safe' } } });
  const client = await served.modern();
  const { code, message } = await errorOf(client.readResource({ uri: 'users://13/profile' }));
  expect(code).toBe(-32_603);
  expect(message).not.toContain('10.0.0.1');
  expect(message).toContain('reference');
});

it('hides errors of conditions and keeps the others listed when a list fails', async () => {
  class Broken {
    @McpResource({ uri: 'a://b' }) fine(): string {
      return 'fine';
    }
    @McpResource({
      uriTemplate: 'b://{c}',
      list: () => {
        throw new Error('SECRET');
      },
    })
    listed(c: string): string {
      return c;
    }
    @McpPrompt({
      visible: () => {
        throw new Error('SECRET');
      },
    })
    hidden(): string {
      return '';
    }
  }
  const client = await (await serve({ providers: [Broken] })).modern();
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['a://b']);
  const { message } = await errorOf(client.listPrompts());
  expect(message).toContain('The request failed.');
  expect(message).not.toContain('SECRET');
});

it('keeps guards above a decorator that replaces the method for functions that list and complete', async () => {
  const Traced: MethodDecorator = (_target, _key, descriptor: PropertyDescriptor) => {
    const traced = descriptor.value as (...args: unknown[]) => unknown;
    descriptor.value = function (this: unknown, ...args: unknown[]) {
      return traced.apply(this, args);
    };
  };
  class Traces {
    @UseGuards(ForAdmins)
    @Traced
    @McpResource({ uriTemplate: 'trace://{id}', list: () => [{ uri: 'trace://1' }], complete: { id: ['1'] } })
    trace(@ToolParam({ name: 'id' }) id: string): string {
      return id;
    }
  }
  const served = await serve({ providers: [Traces] });
  const id = { ref: { type: 'ref/resource' as const, uri: 'trace://{id}' }, argument: { name: 'id', value: '' } };
  const stranger = await served.modern();
  expect(await errorOf(stranger.complete(id))).toMatchObject({ message: expect.stringContaining('Forbidden') });
  expect((await stranger.listResources()).resources).toEqual([]);
  const admin = await served.modern({ role: 'admin' });
  expect((await admin.complete(id)).completion.values).toEqual(['1']);
  expect((await admin.listResources()).resources).toEqual([{ uri: 'trace://1', name: 'trace://1' }]);
  expect(await read(admin, 'trace://1')).toMatchObject({ text: '1' });
});

it('are served by McpServerModule, with the HTTP request for guards and scopes', async () => {
  class Profile {
    @McpResource({ uri: 'me://name' }) name(context: ToolContext): string {
      return (context.request as { headers: Record<string, string> }).headers.user!;
    }
    @McpPrompt() hello(): string {
      return 'Say hello.';
    }
  }
  const { app } = await startApplication({ imports: [McpServerModule.forRoot()], providers: [Profile] });
  await app.listen(0, '127.0.0.1');
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(`${await app.getUrl()}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { user: 'ada' } } }));
  expect(client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true }, prompts: {} });
  expect(await read(client, 'me://name')).toMatchObject({ text: 'ada' });
  expect((await client.listTools()).tools).toEqual([]);
  expect((await client.listPrompts()).prompts).toEqual([{ name: 'hello' }]);
  await client.close();
});

it('aborts a method when its client gives up', async () => {
  let start: (signal: AbortSignal) => void;
  const started = new Promise<AbortSignal>((resolve) => (start = resolve));
  class Slow {
    @McpResource({ uri: 'slow://a' }) read(signal: AbortSignal): Promise<string> {
      start(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('Too late')));
    }
  }
  const client = await (await serve({ providers: [Slow] })).modern();
  const leaving = new AbortController();
  const reading = errorOf(client.readResource({ uri: 'slow://a' }, { signal: leaving.signal }));
  const signal = await started;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  leaving.abort();
  await aborted;
  expect((await reading).message).not.toBe('It worked.');
});

describe('mistakes in declarations stop the bootstrap', () => {
  const problemsOf = async (...providers: (new () => object)[]) =>
    (await bootstrapError({ imports: [SERVER], providers })).message;

  it('names class and method of every wrong template', async () => {
    class Wrong {
      @McpResource({ uriTemplate: 'users://{id' }) unclosed(id: string) {
        return id;
      }
      @McpResource({ uriTemplate: 'users://{a}{b}' }) adjacent(a: string, b: string) {
        return a + b;
      }
      @McpResource({ uriTemplate: 'users://{id}' }) noParameter() {
        return '';
      }
      @McpResource({ uriTemplate: 'pages://{id}' }) noVariable(id: string, other: string) {
        return id + other;
      }
      @McpResource({ uriTemplate: 'notes://{id}{?q}' }) required(id: string, q: string) {
        return id + q;
      }
      @McpResource({ uri: 'no uri' }) blank() {
        return '';
      }
      @McpResource({ uri: 'one://a' }) needy(id: string) {
        return id;
      }
      @McpResource({ uriTemplate: 'tags://{id}', complete: { name: ['a'] } }) completes(id: string) {
        return id;
      }
      @McpResource({ uri: 'cached://a', cache: { ttl: -1 } }) cached() {
        return '';
      }
      @McpPrompt({ complete: { name: ['a'] } }) prompt(id: string) {
        return id;
      }
    }
    const message = await problemsOf(Wrong);
    const methods = [
      'unclosed',
      'adjacent',
      'noParameter',
      'noVariable',
      'required',
      'blank',
      'needy',
      'completes',
      'cached',
    ];
    for (const method of methods) expect(message).toContain(`Wrong.${method}()`);
    class WrongPrompt {
      @McpPrompt({ complete: { name: ['a'] } }) prompt(id: string) {
        return id;
      }
    }
    expect(await problemsOf(WrongPrompt)).toContain("complete names 'name'");
  });

  it('names both methods of a URI, a name, or templates that match the same URIs', async () => {
    class One {
      @McpResource({ uri: 'a://b' }) one() {
        return '';
      }
      @McpResource({ uriTemplate: 'c://{x}/d' }) left(x: string) {
        return x;
      }
    }
    class Other {
      @McpResource({ uri: 'a://b' }) other() {
        return '';
      }
      @McpResource({ uri: 'a://c', name: 'one' }) named() {
        return '';
      }
      @McpResource({ uriTemplate: 'c://{+y}' }) right(y: string) {
        return y;
      }
    }
    const message = await problemsOf(One, Other);
    expect(message).toContain("One.one() and Other.other() have the URI 'a://b'");
    expect(message).toContain("One.one() and Other.named() have the name 'one'");
    expect(message).toContain('One.left() and Other.right() have templates that match the same URIs');
    class Twice {
      @McpPrompt({ name: 'p' }) one() {
        return '';
      }
      @McpPrompt({ name: 'p' }) other() {
        return '';
      }
    }
    expect(await problemsOf(Twice)).toContain("Twice.one() and Twice.other() have the name 'p'");
  });

  it('names options that are nearly those of a policy', async () => {
    const options: object = { visble: () => false };
    class Misspelt {
      @McpResource({ uri: 'a://b', ...options }) fixed() {
        return '';
      }
      @McpPrompt(options) prompt() {
        return '';
      }
    }
    const message = await problemsOf(Misspelt);
    for (const method of ['fixed', 'prompt']) {
      expect(message).toMatch(new RegExp(`Misspelt\\.${method}\\).* visble is no option .* Did you mean visible\\?`));
    }
  });

  it('refuses a list or completion that names no method', () => {
    expect(() => {
      class Misspelt {
        @McpResource({ uriTemplate: 'a://{b}', list: 'lst' }) read(b: string) {
          return b;
        }
      }
      return Misspelt;
    }).toThrow("The list of Misspelt.read() names the method 'lst', which the class does not have.");
  });
});
