import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientProxy, ClientProxyFactory } from '@nestjs/microservices';
import {
  ApprovalPolicy,
  type ChatClientEvent,
  type ChatResponse,
  Tool,
  ToolApprovalException,
  type ToolCall,
  type TurnAccess,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { Envelopes } from '../../libs/remote-tools/src/wire/envelopes.js';
import type { CallUpdate, SentCall } from '../../libs/remote-tools/src/wire/messages.js';
import { callOf, offeredTools, resultOf, type Scene } from '../nest/application.js';
import { admin, alice, Stage } from './applications.js';
import { until } from '../until.js';
import { untilAnnounced, untilOffered } from './until-offered.js';
import { SECRET } from './secret.js';
import { type Deeds, ShopTools } from './shop-tools.js';
import { availableTransports } from './transports.js';

const transports = await availableTransports();

const always = Array.from({ length: 500 }, () => 'nothing to do');

/** An application that knows the tools of the service. */
async function callerOf(stage: Stage, ...parameters: Parameters<Stage['caller']>): Promise<Scene> {
  const scene = await stage.caller(...parameters);
  await untilAnnounced(scene, 'findOrder');
  return scene;
}

class NewShopTools {
  @Tool({ name: 'findOrder', description: 'Finds an order by its number', remote: true })
  findOrder(): string {
    return 'found by the new version';
  }
}

describe.each(transports)('remote tools over $name', (transport) => {
  const stage = new Stage(transport);
  let deeds: Deeds;
  beforeAll(async () => {
    deeds = (await stage.service()).get(ShopTools).deeds;
  });
  afterEach(() => {
    deeds.ran.length = 0;
    deeds.aborted.length = 0;
  });
  afterAll(() => stage.close());

  it('are discovered and called with the identity of the caller', async () => {
    const scene = await callerOf(stage, [...callOf('findOrder', { id: 7 }), ...callOf('page')]);
    await scene.client.prompt('…').request(alice).call().content();
    expect(offeredTools(scene.model)).toEqual(expect.arrayContaining(['findOrder', 'pay', 'wait']));
    expect(offeredTools(scene.model)).not.toContain('secret');
    expect(JSON.parse(resultOf(scene))).toMatchObject({ id: 7, by: 'alice' });
    const offered = scene.model.lastPrompt!.options!.toolCallbacks!.find(
      (tool) => tool.toolDefinition.name === 'findOrder',
    )!;
    expect(offered.toolDefinition).toMatchObject({
      description: 'Finds an order',
      inputSchema: { properties: { id: { type: 'integer', minimum: 1 } } },
      outputSchema: { properties: { by: { type: 'string' } } },
    });
    expect(offered.toolMetadata).toMatchObject({
      effect: 'read',
      category: 'orders',
      remote: { service: 'shop', name: 'findOrder' },
    });

    await scene.client.prompt('…').call().content();
    const { responses } = scene.model.lastPrompt!.messages.at(-1) as never as { responses: object[] };
    expect(responses[0]).toMatchObject({
      responseData: 'a page',
      untrusted: true,
      content: [{ type: 'image', mimeType: 'image/png', data: 'AQID' }],
    });
  });

  it('have their guards in the service', async () => {
    const scene = await callerOf(stage, [...callOf('deleteOrders'), ...callOf('deleteOrders')]);
    await scene.client.prompt('…').request(alice).call().content();
    expect(resultOf(scene)).toMatch(/Forbidden/);
    expect(deeds.ran).toEqual([]);
    await scene.client.prompt('…').request(admin).call().content();
    expect(resultOf(scene)).toBe('deleted');
  });

  it('are unknown to callers to whom the service does not show them', async () => {
    const scene = await callerOf(stage, [...callOf('closeShop'), ...callOf('closeShop')]);
    await scene.client.prompt('…').request(alice).call().content();
    expect(resultOf(scene)).toMatch(/no tool 'closeShop' for this caller/);
    expect(deeds.ran).toEqual([]);
    await scene.client.prompt('…').request(admin).call().content();
    expect(resultOf(scene)).toBe('closed');
  });

  it('refuse messages that are forged, expired, repeated or not signed', async () => {
    const scene = await callerOf(stage, always);
    await untilOffered(scene, (names) => names.includes('findOrder'));
    const proxy = ClientProxyFactory.create(stage.transport.client);
    const { audience, pattern } = await addressOf(stage, proxy);
    const send = (envelope: object): Promise<CallUpdate> => sendTo(proxy, pattern, envelope);
    const good = sealed('call', audience, call);
    expect(await send(good)).toMatchObject({ type: 'result' });
    const refusals = [
      [good, 'repeated', /arrived before/],
      [sealed('call', audience, call, 'another secret of thirty-two chars'), 'unverified', /signature .* is wrong/],
      [
        { ...sealed('call', audience, call), body: good.body.replace('root', 'boot') },
        'unverified',
        /signature .* is wrong/,
      ],
      [{ body: good.body }, 'unverified', /is not signed/],
      [sealed('call', audience, call, SECRET, -60_000), 'expired', /expired 6\d s ago/],
      [sealed('call', 'another', call), 'unverified', /another service/],
      [sealed('cancel', audience, call), 'unverified', /another purpose/],
      ['text', 'unverified', /not one of/],
    ] as const;
    for (const [envelope, problem, message] of refusals) {
      const refusal = await send(envelope as object);
      expect(refusal).toMatchObject({ type: 'refused', problem });
      expect((refusal as { message: string }).message).toMatch(message);
    }
    expect(deeds.ran).toEqual(['findOrder 1']);
    await proxy.close();
  });

  it('report progress, and stop when their caller leaves', async () => {
    const scene = await callerOf(stage, callOf('wait'));
    const events: ChatClientEvent[] = [];
    const subscription = scene.client
      .prompt('…')
      .stream()
      .events()
      .subscribe((event) => events.push(event));
    await until(() => events.some(({ type }) => type === 'tool-progress'));
    expect(events.find(({ type }) => type === 'tool-progress')).toMatchObject({ value: { done: 1 } });
    subscription.unsubscribe();
    await until(() => deeds.aborted.length > 0);
    expect(deeds).toEqual({ ran: ['wait'], aborted: ['CallRefusal'] });
  });

  it('end at their own deadline, and at that of the caller', async () => {
    const scene = await callerOf(stage, [...callOf('hurry'), ...callOf('wait')], { timeout: 80 });
    await scene.client.prompt('…').call().content();
    expect(resultOf(scene)).toMatch(/'hurry' did not answer/);
    await scene.client.prompt('…').call().content();
    expect(resultOf(scene)).toMatch(/'wait' did not answer before the deadline of its caller/);
    expect(deeds.aborted).toEqual(['ToolTimeoutException', 'ToolTimeoutException']);
  });

  it('ask the user of the caller', async () => {
    const scene = await callerOf(stage, [
      { toolCalls: [toolCall('book', {})] },
      'done',
      { toolCalls: [toolCall('pay', {})] },
      'done',
    ]);
    const asked = await scene.client.prompt('…').request(alice).call().chatResponse();
    const pendingApprovals = pendingOf(asked);
    expect(pendingApprovals).toMatchObject([{ name: 'book', inputRequest: { message: 'Which seat?' } }]);
    const answer = { toolCallId: pendingApprovals[0]!.id, approved: true, input: { seat: '3A' } };
    await scene.client.prompt().toolApprovals([answer]).request(alice).call().content();
    expect(resultOf(scene)).toBe('booked 3A');

    const [call] = pendingOf(await scene.client.prompt('…').request(alice).call().chatResponse());
    await scene.client
      .prompt()
      .toolApprovals([{ toolCallId: call!.id, approved: true }])
      .request(alice)
      .call()
      .content();
    expect(resultOf(scene)).toBe('paid true');
  });

  it('wait for approval, not for an answer, if needsApproval of the service says so', async () => {
    const scene = await callerOf(
      stage,
      callOf('refund', { amount: 900 }),
      {},
      {
        providers: [{ provide: ApprovalPolicy, useClass: FourEyesPolicy }],
        // A call counts once.
        properties: { tools: { overrides: { refund: { rateLimit: { calls: 1, interval: 60_000 } } } } },
      },
    );
    const [call] = pendingOf(await scene.client.prompt('…').request(alice).call().chatResponse());
    expect(call).not.toHaveProperty('inputRequest');
    const approve = (request: object): Promise<string> =>
      scene.client
        .prompt()
        .toolApprovals([{ toolCallId: call!.id, approved: true }])
        .request(request)
        .call()
        .content();
    await expect(approve(alice)).rejects.toBeInstanceOf(ToolApprovalException);
    expect(deeds.ran).toEqual([]);
    await approve(admin);
    expect(resultOf(scene)).toBe('refunded 900');
    expect(deeds.ran).toEqual(['refund 900 approved by root']);
  });
});

/** Only others than the requester may approve. */
class FourEyesPolicy extends ApprovalPolicy {
  override authorize(access: TurnAccess): boolean | Promise<boolean> {
    return access.action === 'approve' ? access.caller !== access.turn.requester : super.authorize(access);
  }
}

describe.each(transports)('processes of a service over $name', (transport) => {
  const stage = new Stage(transport);
  afterEach(() => stage.close());

  const itWithReplicas = transport.name === 'TCP' ? it.skip : it;
  itWithReplicas('are one set of tools, and take it along with the last one', async () => {
    const first = await stage.service();
    const second = await stage.service();
    const scene = await callerOf(stage, always);
    await untilOffered(scene, (names) => names.includes('findOrder'));
    expect(offeredTools(scene.model).filter((name) => name === 'findOrder')).toHaveLength(1);
    await stage.stop(first);
    await untilOffered(scene, (names) => names.includes('findOrder'));
    await stage.stop(second);
    await untilOffered(scene, (names) => !names.includes('findOrder'));
  });

  const itOverTcp = transport.name === 'TCP' ? it : it.skip;
  itOverTcp('accept no message that was for the process before', async () => {
    const old = await stage.service();
    let proxy = ClientProxyFactory.create(stage.transport.client);
    const { audience, pattern } = await addressOf(stage, proxy);
    const recorded = sealed('call', audience, call);
    expect(await sendTo(proxy, pattern, recorded)).toMatchObject({ type: 'result' });
    await proxy.close();
    await stage.stop(old);
    const { deeds } = (await stage.service()).get(ShopTools);
    proxy = ClientProxyFactory.create(stage.transport.client);
    await expect(sendTo(proxy, pattern, recorded)).rejects.toBe(
      'There is no matching message handler defined in the remote service.',
    );
    expect(await sendTo(proxy, `${stage.namespace}.call`, recorded)).toMatchObject({ problem: 'unverified' });
    expect(deeds.ran).toEqual([]);
    await proxy.close();
  });

  it('bring other tools with a new version', async () => {
    const old = await stage.service();
    const scene = await callerOf(stage, always);
    await untilOffered(scene, (names) => names.includes('findOrder'));
    await stage.stop(old);
    await stage.service({ providers: [NewShopTools] });
    await untilOffered(scene, (names) => names.join() === 'findOrder');
    const [callback] = scene.model.lastPrompt!.options!.toolCallbacks!;
    expect(callback!.toolDefinition.description).toBe('Finds an order by its number');
  });
});

function pendingOf(response: ChatResponse | undefined): readonly ToolCall[] {
  return response!.result!.metadata!['pendingApprovals'] as ToolCall[];
}

const call: SentCall = {
  tool: 'findOrder',
  arguments: { id: 1 },
  callId: 'call',
  turnId: 'turn',
  timeLeft: 1000,
  caller: { subject: 'root' },
  hasReadUntrusted: false,
  isApproved: false,
};

/** Where a call goes, as the process announces it. */
async function addressOf({ namespace }: Stage, proxy: ClientProxy): Promise<{ audience: string; pattern: string }> {
  const question = sealed('question', namespace, { id: 'q', window: 50, known: {} });
  const answer = await firstValueFrom(proxy.send<{ body: string }>(`${namespace}.list`, question));
  const { instance, isAddressed } = JSON.parse(answer.body).content as { instance: string; isAddressed: boolean };
  return isAddressed
    ? { audience: instance, pattern: `${namespace}.call.${instance}` }
    : { audience: 'shop', pattern: `${namespace}.call` };
}

/** The last answer to a call. */
async function sendTo(proxy: ClientProxy, pattern: string, envelope: object): Promise<CallUpdate> {
  return lastValueFrom(proxy.send<CallUpdate>(pattern, envelope));
}

function sealed(
  kind: 'question' | 'call' | 'cancel',
  audience: string,
  content: object,
  secret = SECRET,
  lifetime = 60_000,
): { body: string } {
  return new Envelopes('the test', { secret }).seal(kind, audience, content, lifetime);
}
