import { describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import {
  AugmentedToolCallbackProvider,
  ChatClient,
  FunctionToolCallback,
  type RegisteredTools,
  Tool,
  type ToolCallback,
  ToolCallbackProvider,
  ToolProviderStatus,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { callOf, offeredTools, resultOf, startApplication } from './application.js';

const fixed = (name: string, text = name) => new FunctionToolCallback({ name, toolFunction: () => text });
const answers = () => Array<string>(20).fill('answer');
const ann = { user: 'ann' };
const bob = { user: 'bob' };

/** Lists a tool for each account of the caller. */
@Injectable()
class Accounts extends ToolCallbackProvider {
  override readonly perRequest = true;
  asked: unknown[] = [];
  readonly #tools = new Map<string, ToolCallback>();

  getToolCallbacks(_registered?: RegisteredTools, request?: unknown) {
    this.asked.push(request);
    const { user = 'nobody' } = (request ?? {}) as { user?: string };
    if (!this.#tools.has(user)) this.#tools.set(user, fixed(`account_${user}`));
    return [this.#tools.get(user)!];
  }
}

describe('a provider whose tools depend on the caller', () => {
  it('lists them for the request of the caller, also if callers take turns or come at once', async () => {
    const { client, model } = await startApplication({ providers: [Accounts] }, answers());
    for (const request of [ann, bob, ann]) {
      await client.prompt('Go').request(request).call().content();
      expect(offeredTools(model)).toEqual([`account_${request.user}`]);
    }
    await Promise.all([ann, bob].map((request) => client.prompt('Go').request(request).call().content()));
    const offered = model.prompts.slice(-2).map(({ options }) => options!.toolCallbacks![0]!.toolDefinition.name);
    expect(offered.toSorted()).toEqual(['account_ann', 'account_bob']);
  });

  it('gets the request whether it is named, a tool of it is named, or another provider uses it', async () => {
    class Why {
      @IsString() why!: string;
    }
    const { app, client, model } = await startApplication({ providers: [Accounts] }, answers());
    const accounts = app.get(Accounts);
    const augmented = new AugmentedToolCallbackProvider({ delegate: accounts, argumentType: Why });
    for (const tool of [accounts, 'account_ann', augmented, new Set([accounts])]) {
      await client.prompt('Go').tools(tool).request(ann).call().content();
      expect(offeredTools(model)).toEqual(['account_ann']);
    }
    expect(new Set(accounts.asked)).toEqual(new Set([ann]));
    expect(augmented.perRequest).toBe(true);
    await expect(client.prompt('Go').tools('account_ann').request(bob).call().content()).rejects.toThrow(
      "Unknown tool 'account_ann'",
    );
  });

  it('gets the request when the model names a tool that the request does not have', async () => {
    const properties = { tools: { resolution: { fallback: { enabled: true } } } };
    const scene = await startApplication({ providers: [Accounts] }, callOf('account_ann'), { properties });
    await scene.client.prompt('Go').tools('account_bob').request(bob).call().content();
    expect(resultOf(scene)).toContain('Unknown tool');
    const own = await startApplication({ providers: [Accounts] }, callOf('account_ann'), { properties });
    await own.client.prompt('Go').tools().request(ann).call().content();
    expect(resultOf(own)).toBe('account_ann');
  });

  it('gets the request from a client outside of the container', async () => {
    const model = new ScriptedChatModel(answers());
    await ChatClient.create(model).prompt('Go').tools(new Accounts()).request(bob).call().content();
    expect(offeredTools(model)).toEqual(['account_bob']);
  });

  it('answers one caller while it is too slow for another one', async () => {
    @Injectable()
    class Slow extends Accounts {
      override getToolCallbacks(registered?: RegisteredTools, request?: unknown) {
        const tools = super.getToolCallbacks(registered, request);
        return request === bob ? (new Promise<never>(() => undefined) as never) : tools;
      }
    }
    const properties = { tools: { providerTimeout: 20 } };
    const { client, model } = await startApplication({ providers: [Slow] }, answers(), { properties });
    const offered = async (request: object) => {
      await client.prompt('Go').request(request).call().content();
      return offeredTools(model);
    };
    expect(await offered(bob)).toEqual([]);
    expect(await offered(ann)).toEqual(['account_ann']);
  });
});

class Server extends ToolCallbackProvider {
  override readonly prefixWhen = 'collision';
  override readonly prefix: string;
  override readonly displayName: string;
  tools: readonly ToolCallback[];
  constructor(
    name: string,
    tools: readonly string[],
    public pause: Promise<unknown> = Promise.resolve(),
  ) {
    super();
    this.prefix = `${name}_`;
    this.displayName = `server '${name}'`;
    this.tools = tools.map((tool) => fixed(tool, `${tool} of ${name}`));
  }
  async getToolCallbacks() {
    await this.pause;
    return this.tools;
  }
}

function combining(...parts: readonly Server[]): Type<ToolCallbackProvider> {
  @Injectable()
  class Servers extends ToolCallbackProvider {
    override readonly parts = parts;
    async getToolCallbacks() {
      return (await Promise.all(parts.map((part) => part.getToolCallbacks()))).flat();
    }
  }
  return Servers;
}

@Injectable()
class Own {
  @Tool() search() {
    return 'search of the application';
  }
}

describe('a prefix for collisions', () => {
  it('comes before names of the application and of earlier providers, and stays there', async () => {
    let goOn!: () => void;
    const slow = new Server('one', ['search', 'read'], new Promise<void>((resolve) => (goOn = resolve)));
    const quick = new Server('two', ['read', 'write']);
    const Servers = combining(slow, quick);
    const { app, client, model } = await startApplication({ providers: [Own, Servers] }, answers());
    const offered = async () => {
      await client.prompt('Go').call().content();
      return offeredTools(model);
    };
    const first = offered();
    goOn();
    const names = ['search', 'one_search', 'read', 'two_read', 'write'];
    expect(await first).toEqual(names);
    // The name stays with its provider, also without its tool.
    slow.tools = [];
    expect(await offered()).toEqual(['search', 'two_read', 'write']);
    await client.prompt('Go').tools(app.get(Servers)).call().content();
    expect(offeredTools(model)).toEqual(['two_read', 'write']);
    expect(app.get(ToolProviderStatus).problems).toEqual([]);
  });

  it('depends on the order of the providers where a request names them together', async () => {
    let goOn!: () => void;
    const slow = new Server('one', ['read'], new Promise<void>((resolve) => (goOn = resolve)));
    const Servers = combining(slow, new Server('two', ['read']));
    const { app, client, model } = await startApplication({ providers: [Servers] }, answers());
    const asked = client.prompt('Go').tools(app.get(Servers)).call().content();
    setImmediate(goOn);
    await asked;
    expect(offeredTools(model)).toEqual(['read', 'two_read']);
  });

  it('leaves a tool out whose name is still taken', async () => {
    const Servers = combining(new Server('one', ['read']), new Server('two', ['two_read', 'read']));
    const { app, client, model } = await startApplication({ providers: [Servers] }, answers());
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['read', 'two_read']);
    const { problems } = app.get(ToolProviderStatus);
    expect(problems.filter(({ fault }) => fault === 'name-taken')).toMatchObject([
      { provider: "server 'two'", toolNames: ['two_read'] },
    ]);
  });
});

describe('a provider that combines others', () => {
  it('has a status, a time limit and failures for each', async () => {
    const down = new Server('one', ['read'], Promise.reject(new RangeError('no')));
    const hanging = new Server('three', ['hang'], new Promise(() => undefined));
    const Servers = combining(down, new Server('two', ['read']), hanging);
    const properties = { tools: { providerTimeout: 20 } };
    const { app, client, model } = await startApplication({ providers: [Servers] }, answers(), { properties });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['read']);
    expect(app.get(ToolProviderStatus).problems).toMatchObject([
      { provider: "server 'one'", fault: 'unavailable', errorType: 'RangeError' },
      { provider: "server 'three'", fault: 'unavailable', errorType: 'TimeoutError' },
    ]);
  });
});
