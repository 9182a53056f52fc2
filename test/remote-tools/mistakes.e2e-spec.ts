import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClientProxyFactory } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { Tool, ToolProviderStatus } from '@nestor-ai/core';
import { RemoteToolCallbackProvider, RemoteToolServiceModule, RemoteToolsModule } from '@nestor-ai/remote-tools';
import { freePort } from '../free-port.mjs';
import { askForResult, bootstrapError, callOf, offeredTools, resultOf } from '../nest/application.js';
import { alice, Stage } from './applications.js';
import { SECRET } from './secret.js';
import { ShopTools } from './shop-tools.js';
import { availableTransports } from './transports.js';
import { until } from '../until.js';
import { untilAnnounced, untilOffered } from './until-offered.js';

const transports = await availableTransports();
const tcp = transports[0]!;
const broadcast = transports.filter(({ name }) => name === 'NATS' || name === 'Redis').slice(0, 1);
const queue = transports.filter(({ name }) => name === 'RabbitMQ');
const always = Array.from({ length: 500 }, () => 'nothing to do');

describe('a mistake with remote tools', () => {
  it.each([
    ['no secret', { transport: tcp.client }, /RemoteToolsModule needs a secret/],
    ['an unknown token', { transport: 'ORDERS', secret: SECRET }, /transport .*\(ORDERS\).* Give the injection token/],
    ['no transport', { secret: SECRET }, /transport of RemoteToolsModule is no client/],
    ['no time', { transport: tcp.client, secret: SECRET, ttl: 0 }, /ttl of RemoteToolsModule must be .* but is 0/],
  ])('%s is named at startup', async (_what, options, message) => {
    const error = await bootstrapError({ imports: [RemoteToolsModule.register(options as never)] });
    expect(error.message).toMatch(message);
  });

  it('a service without a name is named', () => {
    expect(() => RemoteToolServiceModule.register({ secret: SECRET })).toThrow(/service: 'orders'/);
  });

  it('a service that does not run leaves its tools out, and the status says so', async () => {
    const stage = new Stage({ ...tcp, client: { ...tcp.client, options: { port: await freePort() } } as never });
    const scene = await stage.caller(['hello']);
    expect(await scene.client.prompt('…').call().content()).toBe('hello');
    expect(scene.app.get(ToolProviderStatus).problems).toMatchObject([
      { provider: 'remote tools', fault: 'unavailable' },
    ]);
    const asked = scene.client.prompt('…').tools(scene.app.get(RemoteToolCallbackProvider)).call().content();
    await expect(asked).rejects.toThrow(/remote tools are not available: no service can be reached \(ECONNREFUSED\)/);
  });

  it('another secret leaves the tools out', async () => {
    const stage = new Stage(tcp);
    await stage.service({ secret: 'another secret of thirty-two chars' });
    const scene = await stage.caller(['hello']);
    await scene.client.prompt('…').call().content();
    expect(offeredTools(scene.model)).toEqual([]);
    const asked = scene.client.prompt('…').tools(scene.app.get(RemoteToolCallbackProvider)).call().content();
    await expect(asked).rejects.toThrow(/signature of the message is wrong/);
    await stage.close();
  });
});

describe('the option ttl', () => {
  const stage = new Stage(tcp);
  afterEach(() => stage.close());

  it('keeps the tools of a process that is asked less often', async () => {
    await stage.service();
    const scene = await stage.caller([], { ttl: 400, interval: 5000 });
    await untilAnnounced(scene, 'pay');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await scene.app.get(RemoteToolCallbackProvider).getToolCallbacks()).not.toEqual([]);
  });

  it('has no end if it is Infinity', async () => {
    await stage.service();
    const scene = await stage.caller(callOf('findOrder', { id: 1 }), { ttl: Number.POSITIVE_INFINITY });
    await untilAnnounced(scene, 'findOrder');
    await scene.client.prompt('…').request(alice).call().content();
    expect(JSON.parse(resultOf(scene))).toMatchObject({ id: 1 });
  });
});

describe('forged messages', () => {
  const stage = new Stage(tcp);
  afterEach(() => stage.close());

  it('are one line of the log for each kind, however many they are', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await stage.service();
    const proxy = ClientProxyFactory.create(tcp.client);
    const forged = { body: '{}', signature: 'forged' };
    for (let at = 0; at < 20; at++) {
      await lastValueFrom(proxy.send(`${stage.namespace}.call`, forged));
      await lastValueFrom(proxy.emit(`${stage.namespace}.cancel`, forged), { defaultValue: undefined });
      await expect(lastValueFrom(proxy.send(`${stage.namespace}.list`, forged))).rejects.toMatchObject({
        message: expect.stringContaining('signature'),
      });
    }
    expect(warn.mock.calls.map(([line]) => String(line)).sort()).toEqual([
      expect.stringMatching(/^A call of another application was refused\. The signature/),
      expect.stringMatching(/^A call was not cancelled\. The signature/),
      expect.stringMatching(/^The service 'shop' did not tell an application its tools\. The signature/),
    ]);
    await proxy.close();
  });
});

class BankTools {
  @Tool({ description: 'Finds an account', remote: true })
  findOrder(): string {
    return 'an account';
  }
}

for (const transport of broadcast)
  describe(`two services with the same tool over ${transport.name}`, () => {
    const stage = new Stage(transport);
    afterEach(() => stage.close());

    it('differ by a prefix; without it, one of them is left out', async () => {
      await stage.service();
      await stage.service({ service: 'bank', providers: [BankTools] });
      const plain = await stage.caller(always);
      await untilOffered(plain, (names) => names.includes('findOrder') && names.includes('pay'));
      expect(offeredTools(plain.model).filter((name) => name.includes('findOrder'))).toEqual(['findOrder']);
      const prefixed = await stage.caller(always, { prefix: true });
      await untilOffered(prefixed, (names) => names.includes('shop_findOrder') && names.includes('bank_findOrder'));
    });

    it('do without each other if a guard of one of them refuses the question', async () => {
      await stage.service();
      const closed = { provide: APP_GUARD, useValue: { canActivate: () => false } };
      await stage.service({ service: 'bank', providers: [BankTools, closed] });
      const scene = await stage.caller([], { ttl: 1000 });
      await untilAnnounced(scene, 'pay');
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const tools = await scene.app.get(RemoteToolCallbackProvider).getToolCallbacks();
      expect(tools.map(({ toolDefinition }) => toolDefinition.name)).toContain('pay');
    }, 10_000);
  });

for (const transport of [...broadcast, ...queue])
  describe(`three replicas over ${transport.name}`, () => {
    const stage = new Stage(transport);
    afterEach(() => stage.close());

    it('run each call once, and the right one is cancelled', async () => {
      const replicas = await Promise.all([stage.service(), stage.service(), stage.service()]);
      const deeds = replicas.map((replica) => replica.get(ShopTools).deeds);
      const scene = await stage.caller([
        ...callOf('findOrder', { id: 1 }),
        ...callOf('findOrder', { id: 2 }),
        ...callOf('wait'),
      ]);
      // A busy machine may answer late.
      await untilAnnounced(scene, 'findOrder');
      await scene.client.prompt('…').request(alice).call().content();
      await scene.client.prompt('…').request(alice).call().content();
      expect(JSON.parse(resultOf(scene))).toMatchObject({ id: 2 });
      expect(deeds.flatMap(({ ran }) => ran).sort()).toEqual(['findOrder 1', 'findOrder 2']);
      const subscription = scene.client.prompt('…').stream().events().subscribe();
      await until(() => deeds.some(({ ran }) => ran.includes('wait')));
      subscription.unsubscribe();
      await until(() => deeds.some(({ aborted }) => aborted.length > 0));
      expect(deeds.flatMap(({ aborted }) => aborted)).toEqual(['CallRefusal']);
    });
  });

class LongTools {
  @Tool({ description: 'Draws', remote: true, replaySafe: true, inputSchema: { type: 'object' } })
  draw({ length }: { length: number }): string {
    return 'x'.repeat(length);
  }
}

describe('a message that is too long for the transport', () => {
  /** As NATS, which takes a megabyte. */
  const serialize = (packet: object): object => {
    if (JSON.stringify(packet).length > 1_000_000) throw new Error("'payload' max_payload size exceeded");
    return packet;
  };
  const limited = { ...tcp.server.options, serializer: { serialize } };
  const stage = new Stage({
    ...tcp,
    server: { ...tcp.server, options: limited } as never,
    client: { ...tcp.client, options: limited } as never,
  });
  afterEach(() => stage.close());

  it.each([
    ['result', { length: 1_000_000 }, /^The call .* may be too long\. The call may have run\.$/],
    ['argument', { length: 1, more: 'x'.repeat(1_000_000) }, /did not run: its arguments are too long/],
  ])(
    'as %s fails the call at once, and its process stays',
    async (_what, input, said) => {
      await stage.service({ providers: [LongTools] });
      const scene = await stage.caller([...callOf('draw', input), ...callOf('draw', { length: 1 })], {
        interval: 2500,
      });
      await untilAnnounced(scene, 'draw');
      expect(await askForResult(scene)).toMatch(said);
      expect(await askForResult(scene)).toBe('x');
    },
    // Less than the default of `ttl`.
    12_000,
  );
});

class PatientTools {
  @Tool({ description: 'Ships an order', remote: true, timeout: 2 ** 31 - 1 })
  ship(): string {
    return 'shipped';
  }

  @Tool({ description: 'Packs an order', remote: true })
  pack(): string {
    return 'packed';
  }
}

describe('a call with a very long time', () => {
  const stage = new Stage(tcp);
  afterEach(() => stage.close());

  it.each([
    ['ship', 'shipped'],
    ['pack', 'packed'],
  ])('runs: %s', async (name, result) => {
    await stage.service({ providers: [PatientTools] });
    const scene = await stage.caller([...callOf(name)], { timeout: Number.POSITIVE_INFINITY });
    await untilAnnounced(scene, name);
    await scene.client.prompt('…').call().content();
    expect(resultOf(scene)).toBe(result);
  });
});
