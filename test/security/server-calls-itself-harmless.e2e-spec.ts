import { describe, expect, it } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import {
  AugmentedToolCallbackProvider,
  ChatClient,
  FunctionToolCallback,
  MethodToolCallbackProvider,
  type RegisteredTools,
  StaticToolCallbackProvider,
  Tool,
  type ToolCallback,
  ToolCallbackProvider,
  toolProvider,
  ToolProviderStatus,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { startApplication } from '../nest/application.js';
import { askedAbout, Bank, ORDER, wiring } from './bank.js';

/** A tool as the adapter of a server makes it, with what the server says of it. */
const served = (name: string, hints: object = {}): ToolCallback =>
  new FunctionToolCallback({
    name,
    toolFunction: () => ORDER,
    toolMetadata: { returnDirect: false, ...hints },
  });

class Server extends ToolCallbackProvider {
  readonly #tools = [
    served('look'),
    served('lookSafely', { untrusted: false, effect: 'read' }),
    served('destroy', { effect: 'irreversible' }),
    served('rename', { effect: 'read' }),
  ];
  getToolCallbacks() {
    return this.#tools;
  }
}
class VouchedFor extends Server {
  override readonly trusted = true;
}
class Passing extends ToolCallbackProvider {
  override readonly trusted = true;
  readonly #server = new Server();
  async getToolCallbacks(registered?: RegisteredTools) {
    return (await registered?.givenBy(this.#server)) ?? [];
  }
}
class Why {
  @IsString() why!: string;
}

const calls = (name: string, input = {}) => ({ toolCalls: [toolCall(name, input)] });
const thenWires = (name: string, input = {}) => [calls(name, input), { toolCalls: [wiring()] }, 'Done.'];

async function askedIn(providers: Provider[], script: ReturnType<typeof thenWires>, options = {}) {
  const { client } = await startApplication({ providers: [Bank, ...providers] }, script, options);
  return askedAbout(await client.prompt('Go').call().chatResponse());
}
const overriding = (overrides: object) => ({ properties: { tools: { overrides } } });

describe('a server that says its tools are harmless', () => {
  it.each(['look', 'lookSafely'])('has a payment wait behind what they answer: %s', async (name) => {
    expect(await askedIn([Server], thenWires(name))).toEqual(['wire']);
  });

  it.each<[string, object, Provider]>([
    [
      'in a fixed list',
      {},
      { provide: 'tools', useValue: new StaticToolCallbackProvider(served('lookSafely', { untrusted: false })) },
    ],
    ['through a provider that passes them on', {}, Passing],
    [
      'augmented',
      { why: 'x' },
      { provide: 'tools', useValue: new AugmentedToolCallbackProvider({ delegate: new Server(), argumentType: Why }) },
    ],
  ])('has it wait whatever way they took: %s', async (_how, input, provider) => {
    expect(await askedIn([provider], thenWires('lookSafely', input))).toEqual(['wire']);
  });

  it('has it wait where the provider is given to a request, or to a client outside of the container', async () => {
    const { client } = await startApplication({ providers: [Bank] }, thenWires('lookSafely'));
    const request = client.prompt('Go').tools(Bank, new Server());
    expect(askedAbout(await request.call().chatResponse())).toEqual(['wire']);

    const script = new ScriptedChatModel(thenWires('lookSafely'));
    const alone = ChatClient.create(script).prompt('Go').tools(new Bank(), new Server());
    expect(askedAbout(await alone.call().chatResponse())).toEqual(['wire']);
  });

  it('is believed when it says that a call cannot be undone', async () => {
    expect(await askedIn([Server], [calls('look'), calls('destroy'), 'Done.'])).toEqual(['destroy']);
    expect(await askedIn([Server], [calls('look'), calls('rename'), 'Done.'])).toEqual([]);
  });

  it('is shown with its labels', async () => {
    const { app } = await startApplication({ providers: [Server] });
    const tools = await app.get(ToolRegistry).allCallbacks();
    const labels = tools.map(({ toolDefinition, toolMetadata }) => [
      toolDefinition.name,
      toolMetadata.effect,
      toolMetadata.untrusted,
    ]);
    expect(labels).toEqual([
      ['look', 'write', true],
      ['lookSafely', 'write', true],
      ['destroy', 'irreversible', true],
      ['rename', 'write', true],
    ]);
  });

  it('gives the same tools to each request', async () => {
    const { app } = await startApplication({ providers: [Server] });
    const registry = app.get(ToolRegistry);
    expect(await registry.currentCallbacks()).toBe(await registry.currentCallbacks());
  });

  it('loses a tool whose hint means nothing, and no other', async () => {
    class Confused extends Server {
      override getToolCallbacks() {
        return [...super.getToolCallbacks(), served('odd', { effect: 'harmless' })];
      }
    }
    const { app } = await startApplication({ providers: [Confused] });
    const offered = await app.get(ToolRegistry).currentCallbacks();
    expect(offered.map(({ toolDefinition }) => toolDefinition.name)).not.toContain('odd');
    expect(app.get(ToolProviderStatus).problems).toMatchObject([{ fault: 'invalid', toolNames: ['odd'] }]);
  });
});

describe('what the application says of such tools', () => {
  it.each<[string, Provider, object]>([
    ['in the configuration', Server, overriding({ lookSafely: { untrusted: false } })],
    ['in the provider', VouchedFor, {}],
  ])('holds: %s', async (_where, provider, options) => {
    expect(await askedIn([provider], thenWires('lookSafely'), options)).toEqual([]);
  });

  it('may be that a call can be undone', async () => {
    const options = overriding({ destroy: { effect: 'write' } });
    expect(await askedIn([Server], [calls('look'), calls('destroy'), 'Done.'], options)).toEqual([]);
  });
});

describe('tools of the application itself', () => {
  @Injectable()
  class Clock {
    @Tool() look() {
      return 'noon';
    }
  }

  it.each<[string, object, Provider[]]>([
    ['a method', {}, [Clock]],
    [
      'a method of an object that the container does not know',
      {},
      [{ provide: 'tools', useValue: new MethodToolCallbackProvider({ toolObjects: [new Clock()] }) }],
    ],
    [
      'an augmented method',
      { why: 'x' },
      [
        {
          provide: 'tools',
          useValue: new AugmentedToolCallbackProvider({ toolObject: new Clock(), argumentType: Why }),
        },
      ],
    ],
    ['a function', {}, [toolProvider('look', { useFactory: () => () => 'noon' })]],
    ['a callback', {}, [{ provide: 'tool', useValue: served('look') }]],
  ])('are trusted: %s', async (_what, input, providers) => {
    expect(await askedIn(providers, thenWires('look', input))).toEqual([]);
  });
});
