import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { AdvisorParams } from '../advisor/advisor-params.js';
import { BaseAdvisor } from '../advisor/base-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { Ordered } from '../advisor/ordered.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { StaticToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { AssistantMessage, SystemMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { type ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import { providerTool } from '../model/provider-tool.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Tool } from '../tool/declaration/tool.decorator.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import { ChatClient, ChatClientBuilder } from './chat-client.js';
import type { ToolSource } from './chat-client-settings.js';

const tool = (name: string): ToolCallback => new FunctionToolCallback({ name, toolFunction: () => `${name} done` });
const offered = (model: ScriptedChatModel, prompt = 0): string[] | undefined =>
  model.prompts[prompt]?.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);

class Provider extends ToolCallbackProvider {
  asked = 0;
  getToolCallbacks() {
    this.asked++;
    return Promise.resolve([tool('provided')]);
  }
}

describe('the messages of a request', () => {
  it('are the system text, the messages, and the user text, in this order', async () => {
    const model = new ScriptedChatModel(['Hi']);
    await ChatClient.create(model)
      .prompt('first')
      .user('last')
      .system('rules')
      .messages(new AssistantMessage('second'), [{ role: 'user', text: 'third' }])
      .call()
      .content();
    expect(model.lastPrompt?.messages.map((message) => ('text' in message ? message.text : ''))).toEqual([
      'rules',
      'first',
      'second',
      'third',
      'last',
    ]);
  });

  it('can come from a prompt, together with its options', async () => {
    const model = new ScriptedChatModel(['Hi'], { topK: 3, temperature: 1 });
    const prompt = new Prompt([new SystemMessage('S'), new UserMessage('U')], { temperature: 0 });
    await ChatClient.create(model).prompt(prompt).call().content();
    expect(model.lastPrompt?.messages).toEqual(prompt.messages);
    expect(model.lastPrompt?.options).toMatchObject({ topK: 3, temperature: 0 });
  });

  it('are templates only if there are parameters', async () => {
    const model = new ScriptedChatModel(['Hi', 'Hi']);
    const client = ChatClient.builder(model)
      .defaultSystem((spec) => spec.text('You are {who} of {place}').param('who', 'a pilot').param('place', 'Rome'))
      .build();
    await client
      .prompt()
      .system((spec) => spec.param('place', 'Oslo'))
      .user('{"json": true}')
      .call()
      .content();
    expect(model.lastPrompt?.messages).toEqual([
      new SystemMessage('You are a pilot of Oslo'),
      new UserMessage('{"json": true}'),
    ]);
    const missing = client
      .prompt()
      .user((spec) => spec.text('{a} {b}').param('a', 1))
      .call();
    await expect(missing.content()).rejects.toThrow('needs a value for {b}');
  });

  it('carry media and metadata, even without a user text', async () => {
    const model = new ScriptedChatModel(['Hi']);
    const image = { mimeType: 'image/png', data: 'AA==' };
    await ChatClient.create(model)
      .prompt()
      .user((spec) => spec.media(image).metadata('id', 7))
      .call()
      .content();
    expect(model.lastPrompt?.messages).toEqual([new UserMessage({ text: '', media: [image], metadata: { id: 7 } })]);
  });

  it('carry the options for one provider of client and request, also if an advisor changes their text', async () => {
    const model = new ScriptedChatModel(['Hi']);
    class Louder extends BaseAdvisor {
      override readonly name = 'louder';
      override readonly order = 0;
      override before(request: ChatClientRequest): ChatClientRequest {
        return { ...request, prompt: request.prompt.augmentSystemMessage('LOUD').augmentUserMessage('HEY') };
      }
    }
    const client = ChatClient.builder(model)
      .defaultSystem((s) => s.text('S').providerOptions({ a: { kept: 1, changed: 1 }, b: { kept: 2 } }))
      .defaultAdvisors(new Louder())
      .build();
    await client
      .prompt()
      .system((s) => s.providerOptions({ a: { changed: 3 } }))
      .user((s) => s.text('U').providerOptions({ a: { said: true } }))
      .call()
      .content();
    expect(model.lastPrompt?.messages).toEqual([
      new SystemMessage({ text: 'LOUD', providerOptions: { a: { kept: 1, changed: 3 }, b: { kept: 2 } } }),
      new UserMessage({ text: 'HEY', providerOptions: { a: { said: true } } }),
    ]);
  });

  it.each([
    ['an empty prompt', (client: ChatClient) => client.prompt('  '), 'The text of prompt() is empty.'],
    ['an empty text', (client: ChatClient) => client.prompt().user(''), 'text cannot be null or empty'],
    [
      'an empty parameter',
      (client: ChatClient) => client.prompt().user((s) => s.param('a', null)),
      "value of 'a' cannot be null",
    ],
    ['no message', (client: ChatClient) => client.prompt().messages(undefined as never), 'role of a message must be'],
    ['an empty tool context', (client: ChatClient) => client.prompt().toolContext({ a: null }), "'a' is null"],
  ])('cannot be %s', (_name, request, message) => {
    expect(() => request(ChatClient.create(new ScriptedChatModel([])))).toThrow(message);
  });
});

describe('the tools of a request', () => {
  const objects = () => {
    class Tools {
      @Tool() fromObject(context: ToolContext) {
        return context.get('tenant');
      }
    }
    return new Tools();
  };

  it('may be tool objects, callbacks, providers, names, and lists of these', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('fromObject')] }, 'Done']);
    const client = ChatClientBuilder.in(
      { toolCallbackResolver: new StaticToolCallbackResolver([tool('named')]) },
      model,
    ).build();
    await client
      .prompt('Hi')
      .tools(objects(), [tool('a'), [tool('b')]], new Provider(), 'named', new Set([tool('c')]))
      .toolContext({ tenant: 'acme' })
      .call()
      .content();
    expect(offered(model)).toEqual(['fromObject', 'a', 'b', 'provided', 'named', 'c']);
    expect(model.toolResponses).toEqual(['acme']);
  });

  it('may be tools of the provider in lists and sets, whose changes the next request sees', async () => {
    const model = new ScriptedChatModel(['', '']);
    const sets = new Set([new Set([providerTool('p.b')])]) as unknown as Set<ToolSource>;
    const client = ChatClient.builder(model)
      .defaultTools([providerTool('p.a')], sets, tool('c'))
      .build();
    await client.prompt('Hi').call().content();
    sets.add(providerTool('p.d'));
    await client.prompt('Hi').call().content();
    const names = model.prompts.map(({ options }) => options?.providerTools?.map(({ name }) => name));
    expect(names).toEqual([
      ['a', 'b'],
      ['a', 'b', 'd'],
    ]);
    expect(offered(model)).toEqual(['c']);
  });

  it('may be tools of the provider in the options, whose changes the next request sees', async () => {
    const model = new ScriptedChatModel(['', '']);
    const providerTools = [providerTool('p.a')];
    const client = ChatClient.create(model);
    await client.prompt('Hi').options({ providerTools }).call().content();
    providerTools.push(providerTool('p.b'));
    await client.prompt('Hi').options({ providerTools }).call().content();
    const names = model.prompts.map(({ options }) => options?.providerTools?.map(({ name }) => name));
    expect(names).toEqual([['a'], ['a', 'b']]);
  });

  it('replace those of the client, which replace those of the model, and are never mixed', async () => {
    const model = new ScriptedChatModel(['', '', '', '', ''], { toolCallbacks: [tool('model')] });
    const plain = ChatClient.create(model);
    const client = ChatClient.builder(model).defaultTools(tool('client')).build();
    await plain.prompt('Hi').call().content();
    await client.prompt('Hi').call().content();
    await client
      .prompt('Hi')
      .options({ toolCallbacks: [tool('options')] })
      .call()
      .content();
    await client
      .prompt('Hi')
      .options({ toolCallbacks: [tool('options')] })
      .tools(tool('request'))
      .call()
      .content();
    await client.prompt('Hi').tools().call().content();
    expect([0, 1, 2, 3, 4].map((index) => offered(model, index))).toEqual([
      ['model'],
      ['client'],
      ['options'],
      ['request'],
      [],
    ]);
  });

  it('are requested from a provider for each request', async () => {
    const provider = new Provider();
    const request = ChatClient.create(new ScriptedChatModel(['', '']))
      .prompt('Hi')
      .tools(provider)
      .call();
    expect(provider.asked).toBe(0);
    await request.content();
    await request.content();
    expect(provider.asked).toBe(2);
  });

  it('receive the values that are closest to the request', async () => {
    const seen: unknown[] = [];
    const spy = new FunctionToolCallback({ name: 'spy', toolFunction: (_input, { context }) => seen.push(context.at) });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('spy')] }, ''], { toolContext: { at: 'model' } });
    const builder = ChatClient.builder(model)
      .defaultTools(spy)
      .defaultOptions({ toolContext: { at: 'client options' } });
    const client = builder.defaultToolContext({ at: 'client' }).build();
    await client
      .prompt('Hi')
      .options({ toolContext: { at: 'request options' } })
      .call()
      .content();
    expect(seen).toEqual(['request options']);
  });

  it('are refused when the client is built if two have the same name, with the places of both', () => {
    const builder = ChatClient.builder(new ScriptedChatModel([])).defaultTools(tool('a'), [tool('a')]);
    expect(() => builder.build()).toThrow(/'a' is FunctionToolCallback and FunctionToolCallback/);
  });

  it('have their schemas and names read once, even if an object is passed several times', async () => {
    const model = new ScriptedChatModel(['', '']);
    const client = ChatClient.create(model);
    const given = objects();
    await client.prompt('Hi').tools(given).call().content();
    await client.prompt('Hi').tools(given).call().content();
    expect(model.prompts[1]?.options?.toolCallbacks?.[0]).toBe(model.prompts[0]?.options?.toolCallbacks?.[0]);
  });

  it.each([
    ['two of one name', [tool('a'), tool('a')], /Multiple tools with the same name \(a\)/],
    ['an unknown name', ['nope'], /Unknown tool 'nope'/],
    ['something else', [5], /tools cannot contain 5/],
    ['nothing', [null], /tools cannot contain null/],
    ['an object without tools', [{}], /No @Tool\(\) methods found/],
    [
      'a tool with an invalid schema',
      [tool('fine'), new FunctionToolCallback({ name: 'bad', inputSchema: { type: 'x' }, toolFunction: () => 1 })],
      /The tool 'bad' cannot be offered to a model/,
    ],
  ])('cannot be %s', async (_name, tools, message) => {
    const request = async () =>
      ChatClient.create(new ScriptedChatModel(['']))
        .prompt('Hi')
        .tools(...(tools as never[]))
        .call()
        .content();
    await expect(request()).rejects.toThrow(message);
  });

  it('receive the merged contexts of client and request, which the model never sees', async () => {
    const seen: unknown[] = [];
    const spy = new FunctionToolCallback({
      name: 'spy',
      toolFunction: (_input, { context }) => seen.push(context),
    });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('spy')] }, 'Done']);
    const client = ChatClient.builder(model).defaultTools(spy).defaultToolContext({ a: 1, b: 1 }).build();
    await client
      .prompt('Hi')
      .toolContext({ b: 2 })
      .options({ toolContext: { c: 3 } })
      .call()
      .content();
    expect(seen).toEqual([{ a: 1, b: 2, c: 3 }]);
    model.assertDone();
    expect(JSON.stringify(model.prompts.map(({ messages }) => messages))).not.toContain('"c":3');
  });
});

class Passes extends BaseAdvisor {
  readonly name = 'passes';
  override readonly order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
  count = 0;
  override before(request: ChatClientRequest) {
    this.count++;
    return request;
  }
}

describe('the tool-calling advisor of a request', () => {
  const script = () => [{ toolCalls: [toolCall('a')] }, 'Done'];

  it.each([
    [
      'call',
      (client: ChatClient, passes: Passes) => client.prompt('Hi').tools(tool('a')).advisors(passes).call().content(),
    ],
    [
      'stream',
      async (client: ChatClient, passes: Passes) =>
        (
          await lastValueFrom(client.prompt('Hi').tools(tool('a')).advisors(passes).stream().content().pipe(toArray()))
        ).join(''),
    ],
  ])('is added by default (%s)', async (_name, run) => {
    const passes = new Passes();
    expect(await run(ChatClient.create(new ScriptedChatModel(script())), passes)).toBe('Done');
    expect(passes.count).toBe(2);
  });

  it('is not added when turned off: the model sees the tools, and the caller runs the loop', async () => {
    const model = new ScriptedChatModel(script());
    const client = ChatClient.builder(model)
      .defaultTools(tool('a'))
      .defaultAdvisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .build();
    const response = (await client.prompt('Hi').call().chatResponse())!;
    expect(response.hasToolCalls()).toBe(true);
    const { conversationHistory } = await new DefaultToolCallingManager().executeToolCalls(model.lastPrompt!, response);
    expect(await client.prompt().messages(conversationHistory).call().content()).toBe('Done');
    expect(model.toolResponses).toEqual(['a done']);
  });

  it('can be turned off and on for one request', async () => {
    const passes = new Passes();
    const client = ChatClient.create(new ScriptedChatModel([...script(), ...script()]));
    const request = () => client.prompt('Hi').tools(tool('a'));
    await request()
      .advisors((spec) => {
        AdvisorParams.toolCallingAdvisorAutoRegister(false)(spec);
        spec.advisors(passes);
      })
      .call()
      .content();
    expect(passes.count).toBe(1);
  });

  it('can be replaced; the request takes precedence over the client', async () => {
    class Named extends ToolCallingAdvisor {
      constructor(
        override readonly name: string,
        private readonly log: string[],
      ) {
        super();
      }
      protected override doInitializeLoop(request: ChatClientRequest) {
        this.log.push(this.name);
        return request;
      }
    }
    const log: string[] = [];
    const client = ChatClient.builder(new ScriptedChatModel(['', '']))
      .defaultAdvisors(new Named('client', log))
      .build();
    await client.prompt('Hi').call().content();
    await client.prompt('Hi').advisors(new Named('request', log)).call().content();
    expect(log).toEqual(['client', 'request']);
  });

  it('can occur only once', () => {
    const client = ChatClient.create(new ScriptedChatModel([]));
    expect(() => client.prompt('Hi').advisors(new ToolCallingAdvisor(), new ToolCallingAdvisor()).call()).toThrow(
      /At most one ToolAdvisor is allowed/,
    );
  });

  it('is also added without tools, since advisors may add some', async () => {
    class Bringer extends BaseAdvisor {
      readonly name = 'bringer';
      override readonly order = Ordered.HIGHEST_PRECEDENCE + 1;
      override before({ prompt, context }: ChatClientRequest) {
        return { context, prompt: prompt.with({ options: { ...prompt.options, toolCallbacks: [tool('a')] } }) };
      }
    }
    const client = ChatClient.create(new ScriptedChatModel(script()));
    expect(await client.prompt('Hi').advisors(new Bringer()).call().content()).toBe('Done');
  });
});

describe('the answer', () => {
  it('is available as text, with its metadata, and with the context of the advisors', async () => {
    class Marking extends BaseAdvisor {
      readonly name = 'marking';
      override after(response: ChatClientResponse) {
        return { ...response, context: { ...response.context, marked: true } };
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel(['a', 'a', 'a']))
      .defaultAdvisors(new Marking())
      .build();
    const call = client
      .prompt('Hi')
      .advisors((spec) => spec.param('key', 1))
      .call();
    expect(await call.content()).toBe('a');
    expect((await call.chatResponse())?.result?.metadata?.finishReason).toBe('stop');
    expect((await call.chatClientResponse()).context).toEqual({ key: 1, marked: true });
  });

  it('arrives in chunks when streamed, without empty ones', async () => {
    const client = ChatClient.create(new ScriptedChatModel([{ chunks: ['a', '', 'b'] }, { chunks: ['c'] }]));
    const stream = client.prompt('Hi').stream();
    expect(await lastValueFrom(stream.content().pipe(toArray()))).toEqual(['a', 'b']);
    expect((await lastValueFrom(stream.chatResponse().pipe(toArray()))).map(({ text }) => text)).toEqual(['c', '']);
  });

  it('is not requested before it is needed', () => {
    const model = new ScriptedChatModel([]);
    const request = ChatClient.create(model).prompt('Hi');
    request.call();
    request.stream().content();
    expect(model.prompts).toEqual([]);
  });

  it('is empty if an advisor answers without a model', async () => {
    class Silent extends BaseAdvisor {
      readonly name = 'silent';
      override adviseCall = async ({ context }: ChatClientRequest) => ({ context });
    }
    const call = ChatClient.create(new ScriptedChatModel([])).prompt('Hi').advisors(new Silent()).call();
    expect(await call.content()).toBe('');
    expect(await call.chatResponse()).toBeUndefined();
  });

  it('can be requested again with the same request', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('a')] }, '1', { toolCalls: [toolCall('a')] }, '2']);
    const request = ChatClient.create(model).prompt('Hi').tools(tool('a'));
    expect(await request.call().content()).toBe('1');
    expect(await request.call().content()).toBe('2');
  });
});

describe('a client', () => {
  it('is not changed by its requests or by a builder from mutate()', async () => {
    const model = new ScriptedChatModel(['', '']);
    const client = ChatClient.builder(model).defaultSystem('one').build();
    client.prompt('Hi').system('two').tools(tool('a'));
    const other = client.mutate().defaultSystem('three').build();
    await client.prompt('Hi').call().content();
    await other.prompt('Hi').call().content();
    const systems = model.prompts.map(({ messages }) => (messages[0] as SystemMessage).text);
    expect(systems).toEqual(['one', 'three']);
  });

  it('keeps advisor values through mutate(), also without advisors', async () => {
    const client = ChatClient.builder(new ScriptedChatModel([{ toolCalls: [toolCall('a')] }]))
      .defaultAdvisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .build();
    const response = await client.mutate().build().prompt('Hi').tools(tool('a')).call().chatResponse();
    expect(response?.hasToolCalls()).toBe(true);
  });

  it('can have a default user text', async () => {
    const model = new ScriptedChatModel(['']);
    await ChatClient.builder(model).defaultUser('What is new?').build().prompt().call().content();
    expect(model.lastPrompt?.messages).toEqual([new UserMessage('What is new?')]);
  });

  it('needs a model', () => {
    expect(() => ChatClient.create(undefined as never)).toThrow('chatModel cannot be null');
  });

  it('passes the signal of the caller to the model', async () => {
    const caller = new AbortController();
    const client = ChatClient.create(new ScriptedChatModel([{ text: 'late', delay: 10_000 }]));
    const answer = client.prompt('Hi').options({ signal: caller.signal }).call().content();
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('mutate() of a request', () => {
  const named = (name: string) => new FunctionToolCallback({ name, toolFunction: () => name });

  it('creates a client with the texts, options and advisors of the request as defaults', async () => {
    const model = new ScriptedChatModel(['1', '2']);
    const request = ChatClient.create(model)
      .prompt('first')
      .system((s) => s.text('{a}').param('a', 'b'))
      .options({ topK: 1 });
    const client = request.mutate().defaultOptions({ topP: 1 }).build();
    await client.prompt('second').call().content();
    expect(model.lastPrompt?.messages.map((message) => ('text' in message ? message.text : ''))).toEqual([
      'b',
      'first',
      'second',
    ]);
    expect(model.lastPrompt?.options).toMatchObject({ topK: 1, topP: 1 });
    await request.call().content();
    expect(model.lastPrompt?.options?.topP).toBeUndefined();
  });

  it.each([
    [(request: Request) => request.tools(named('b')), ['b']],
    [(request: Request) => request.tools(), []],
    [(request: Request) => request, ['a']],
  ])('offers the tools of the request and no others', async (change, expected) => {
    type Names = string[];
    const model = new ScriptedChatModel(['1']);
    const client = ChatClient.builder(model)
      .defaultOptions({ toolCallbacks: [named('a')] })
      .build();
    await change(client.prompt('x')).mutate().build().prompt('x').call().content();
    expect(offered(model)).toEqual(expected as Names);
  });

  it('keeps the tool context and the loop of the request', async () => {
    const model = new ScriptedChatModel(['1']);
    const client = ChatClient.builder(model)
      .defaultToolContext({ tenant: 'default' })
      .defaultAdvisors(new ToolCallingAdvisor())
      .build();
    const request = client
      .prompt('x')
      .options({ toolContext: { tenant: 'acme' } })
      .advisors(new ToolCallingAdvisor({ maxRounds: 3 }));
    await request.mutate().build().prompt('x').call().content();
    expect(model.lastPrompt?.options?.toolContext).toEqual({ tenant: 'acme' });
  });
});

type Request = ReturnType<ChatClient['prompt']>;

describe('a request', () => {
  it('can be changed between calls, but not through its options object', async () => {
    const model = new ScriptedChatModel(['1', '2']);
    const options = { temperature: 0 };
    const request = ChatClient.create(model).prompt('x').options(options);
    const call = request.call();
    options.temperature = 9;
    request.system('later');
    await call.content();
    expect(model.lastPrompt?.options?.temperature).toBe(0);
    expect(model.lastPrompt?.messages).toHaveLength(1);
    await request.call().content();
    expect(model.lastPrompt?.messages).toHaveLength(2);
  });

  it('fills its texts with its renderer', async () => {
    const model = new ScriptedChatModel(['1', '2', '3']);
    const client = ChatClient.builder(model)
      .defaultTemplateRenderer((text, params) => text.replace(/<(\w+)>/g, (_match, key: string) => String(params[key])))
      .build();
    await client
      .prompt()
      .user((user) => user.text('Hi <name> {x}').param('name', 'Ann'))
      .call()
      .content();
    expect(model.lastPrompt?.messages[0]).toMatchObject({ text: 'Hi Ann {x}' });
    const request = ChatClient.create(model)
      .prompt()
      .user((user) => user.text('{user-name}: {größe}').params({ 'user-name': 'Ann', größe: { cm: 170 } }));
    await request.call().content();
    expect(model.lastPrompt?.messages[0]).toMatchObject({ text: 'Ann: {"cm":170}' });
    await request
      .templateRenderer((text) => text.toUpperCase())
      .call()
      .content();
    expect(model.lastPrompt?.messages[0]).toMatchObject({ text: '{USER-NAME}: {GRÖSSE}' });
  });

  it('can pass a tool together with its name', async () => {
    const model = new ScriptedChatModel(['1']);
    const one = tool('one');
    const client = ChatClientBuilder.in({ toolCallbackResolver: new StaticToolCallbackResolver([one]) }, model).build();
    await client.prompt('x').tools(one, 'one').call().content();
    expect(offered(model)).toEqual(['one']);
  });

  it('fails for a tool that the resolver of the container does not find', async () => {
    const environment = { toolCallbackResolver: new StaticToolCallbackResolver([]), defaultTools: () => [tool('one')] };
    const client = ChatClientBuilder.in(environment, new ScriptedChatModel(['1'])).build();
    await expect(client.prompt('x').tools('one').call().content()).rejects.toThrow(/Unknown tool 'one'/);
  });
});
