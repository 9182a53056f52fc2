import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  AugmentedToolCallback,
  type ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  ToolCallback,
  ToolCallbacks,
  ToolDefinitions,
  toolProvider,
} from '@nestor-ai/core';
import { overrideTool, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { bootstrapError, startApplication } from '../nest/application.js';
import { askedAbout, Bank, fetching, Web } from './bank.js';

class Why {
  @IsString() why!: string;
}

/** As somebody makes a tool of a method who thinks of nothing but its name. */
const renamed = (toolObject: object, toolMethod: string, toolMetadata = { returnDirect: false }) =>
  new MethodToolCallback({
    toolDefinition: { ...ToolDefinitions.from(toolObject.constructor as never, toolMethod), name: 'renamed' },
    toolMetadata,
    toolMethod,
    toolObject,
  });
const augmented = (toolObject: object, name: string) =>
  new AugmentedToolCallback({
    delegate: ToolCallbacks.from(toolObject).find(({ toolDefinition }) => toolDefinition.name === name)!,
    argumentType: Why,
  });

const page = { url: 'shop.example' };
const payment = { amount: 900, to: 'Mallory' };
const calling = (name: string, input: object): ScriptEntry => ({ toolCalls: [toolCall(name, input)] });
const ask = async (client: ChatClient, ...tools: ToolCallback[]) =>
  askedAbout(
    await client
      .prompt('Go')
      .tools(...tools)
      .call()
      .chatResponse(),
  );

describe('a tool that is derived from another one', () => {
  const lenient = { returnDirect: false, effect: 'read', untrusted: false } as const;

  it.each<[string, string, (bank: Bank) => ToolCallback, object]>([
    ['under another name', 'renamed', (bank) => renamed(bank, 'wire'), payment],
    ['with labels that are less cautious', 'renamed', (bank) => renamed(bank, 'wire', lenient), payment],
    ['with further arguments', 'wire', (bank) => augmented(bank, 'wire'), { ...payment, why: 'x' }],
    ['with a call() of its own', 'wire', (bank) => withOwnCall(ToolCallbacks.from(bank)[0]!), payment],
    ['with metadata of its own', 'wire', (bank) => withOwnMetadata(ToolCallbacks.from(bank)[0]!), payment],
  ])('still cannot be undone: %s', async (_how, name, derive, input) => {
    const { app, client } = await startApplication({ providers: [Web, Bank] }, [
      { toolCalls: [fetching()] },
      calling(name, input),
      'Done.',
    ]);
    const [fetchPage] = ToolCallbacks.from(app.get(Web));
    expect(await ask(client, fetchPage!, derive(app.get(Bank)))).toEqual([name]);
    expect(app.get(Bank).wired).toEqual([]);
  });

  it.each<[string, string, (web: Web) => ToolCallback, object]>([
    ['under another name', 'renamed', (web) => renamed(web, 'fetchPage'), page],
    ['with labels that are less cautious', 'renamed', (web) => renamed(web, 'fetchPage', lenient), page],
    ['with further arguments', 'fetchPage', (web) => augmented(web, 'fetchPage'), { ...page, why: 'x' }],
    ['with a call() of its own', 'fetchPage', (web) => withOwnCall(ToolCallbacks.from(web)[0]!), page],
    ['with metadata of its own', 'fetchPage', (web) => withOwnMetadata(ToolCallbacks.from(web)[0]!), page],
  ])('still answers what strangers wrote: %s', async (_how, name, derive, input) => {
    const script = [calling(name, input), calling('wire', payment), 'Done.'];
    const { app, client } = await startApplication({ providers: [Web, Bank] }, script);
    const wire = ToolCallbacks.from(app.get(Bank))[0]!;
    expect(await ask(client, derive(app.get(Web)), wire)).toEqual(['wire']);
  });
});

describe('tools that a test overrides', () => {
  it('keep their labels', async () => {
    const script = [{ toolCalls: [fetching()] }, calling('wire', payment)];
    const { client } = await startApplication({ providers: [Web, Bank] }, script, {}, (builder) => {
      overrideTool(builder, 'wire').useValue('nothing');
      return overrideTool(builder, 'fetchPage').useValue('a page');
    });
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['wire']);
  });
});

describe('functions and callbacks', () => {
  it.each([
    ['toolProvider()', toolProvider('pay', { effect: 'irreversible', useFactory: () => () => 'paid' })],
    [
      'a callback',
      {
        provide: 'pay',
        useValue: new FunctionToolCallback({
          name: 'pay',
          toolFunction: () => 'paid',
          toolMetadata: { returnDirect: false, effect: 'irreversible' },
        }),
      },
    ],
  ])('have labels as well: %s', async (_what, provider) => {
    const script = [{ toolCalls: [fetching()] }, calling('pay', {}), 'Done.'];
    const { client } = await startApplication({ providers: [Web, provider] }, script);
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['pay']);
  });
});

describe('a label that there is not', () => {
  @Injectable()
  class Typo {
    @Tool({ effect: 'irreversable' as never }) pay() {}
  }
  @Injectable()
  class Own extends ToolCallback {
    override readonly toolDefinition = { name: 'own', description: 'Own', inputSchema: { type: 'object' } };
    override readonly toolMetadata = { returnDirect: false, untrusted: 'yes' as never };
    override call() {
      return Promise.resolve('done');
    }
  }

  it('stops the bootstrap: in a decorator', async () => {
    const { message } = await bootstrapError({ providers: [Typo] });
    expect(message).toMatch(/Typo\.pay.*effect must be read or write or irreversible, but is irreversable/s);
  });

  it('stops the bootstrap: in a callback', async () => {
    const { message } = await bootstrapError({ providers: [Own] });
    expect(message).toMatch(/'own' cannot be offered to a model: untrusted must be true or false, but is yes/);
  });

  it('stops the bootstrap: in the configuration', async () => {
    const properties = { tools: { overrides: { wire: { effect: 'final' as never } } } };
    const { message } = await bootstrapError({ providers: [Bank] }, { properties });
    expect(message).toMatch(/ai\.tools\.overrides\.wire\.effect .*final.* read or write or irreversible/);
  });
});

function withOwnCall(callback: ToolCallback): ToolCallback {
  return Object.assign(callback, { call: () => Promise.resolve('done') });
}

function withOwnMetadata(callback: ToolCallback): ToolCallback {
  return Object.assign(callback, { toolMetadata: { returnDirect: false } });
}
