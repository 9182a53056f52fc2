// Page "Tool Calling", section "Tool Resolution"
import { describe, expect, it } from '@jest/globals';
import {
  AdvisorParams,
  ChatClient,
  DefaultToolCallingManager,
  FunctionToolCallback,
  Prompt,
  StaticToolCallbackResolver,
  ToolCallback,
  ToolCallbackResolver,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { offeredTools, startApplication } from '../../nest/application.js';

const weatherOf = (source: string): ToolCallback =>
  new FunctionToolCallback({
    name: 'currentWeather',
    description: 'Get the weather in location',
    toolFunction: () => `30 degrees, says the ${source}`,
  });
const currentTime = new FunctionToolCallback({ name: 'currentTime', toolFunction: () => 'noon' });

const QUESTION = "What's the weather like in Copenhagen?";
const script = () => [{ toolCalls: [toolCall('currentWeather')] }, 'It is hot.'];

class OwnToolCallbackResolver extends ToolCallbackResolver {
  readonly asked: string[] = [];

  resolve(toolName: string): ToolCallback | undefined {
    this.asked.push(toolName);
    return toolName === 'currentWeather' ? weatherOf('resolver') : undefined;
  }
}

const providers = [
  { provide: 'weather', useFactory: () => weatherOf('provider') },
  { provide: 'time', useValue: currentTime },
];

describe('a tool that a request names', () => {
  it('is found among the callbacks that the application provides', async () => {
    const { client, model } = await startApplication({ providers }, script());

    expect(await client.prompt(QUESTION).tools('currentWeather').call().content()).toBe('It is hot.');
    expect(offeredTools(model)).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual(['30 degrees, says the provider']);
  });

  it('is found in the list of a resolver that the application makes', async () => {
    const { client, model } = await startApplication({}, script(), {
      providers: [
        // A list is no tool of the application: only the resolver knows what is in it.
        { provide: 'toolCallbacks', useFactory: () => [weatherOf('list'), currentTime] },
        {
          provide: ToolCallbackResolver,
          inject: ['toolCallbacks'],
          useFactory: (toolCallbacks: ToolCallback[]) => new StaticToolCallbackResolver(toolCallbacks),
        },
      ],
    });

    await client.prompt(QUESTION).tools('currentWeather').call().content();

    expect(offeredTools(model)).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual(['30 degrees, says the list']);
  });

  it('is found by a resolver of one’s own', async () => {
    const resolver = new OwnToolCallbackResolver();
    const { client, model } = await startApplication({}, script(), {
      providers: [{ provide: ToolCallbackResolver, useValue: resolver }],
    });

    await client
      .prompt(QUESTION)
      .options({ toolNames: ['currentWeather'] })
      .call()
      .content();

    expect(resolver.asked).toEqual(['currentWeather']);
    expect(model.toolResponses).toEqual(['30 degrees, says the resolver']);
  });

  it('has to exist', async () => {
    const { client, model } = await startApplication({}, script(), {
      providers: [{ provide: ToolCallbackResolver, useClass: OwnToolCallbackResolver }],
    });

    await expect(client.prompt(QUESTION).tools('currentWether').call().content()).rejects.toThrow(/currentWether/);
    expect(model.prompts).toEqual([]);
  });
});

describe('a tool that only the model names', () => {
  const manager = (resolutionFallbackEnabled: boolean) =>
    new DefaultToolCallingManager({ toolCallbackResolver: new OwnToolCallbackResolver(), resolutionFallbackEnabled });

  it('is looked up by the loop where that is allowed, else it is unknown', async () => {
    const ask = async (allowed: boolean): Promise<string[]> => {
      const chatModel = new ScriptedChatModel(script());
      const toolCallingAdvisor = ToolCallingAdvisor.builder().toolCallingManager(manager(allowed)).build();
      const chatClient = ChatClient.builder(chatModel).defaultAdvisors(toolCallingAdvisor).build();
      await chatClient.prompt(QUESTION).tools(currentTime).call().content();
      return chatModel.toolResponses;
    };

    expect(await ask(true)).toEqual(['30 degrees, says the resolver']);
    expect(await ask(false)).toEqual([expect.stringMatching(/Unknown tool 'currentWeather'.*currentTime/s)]);
  });

  it('is looked up as well for a loop of one’s own', async () => {
    const chatModel = new ScriptedChatModel(script());
    const prompt = new Prompt(QUESTION);
    const response = await ChatClient.create(chatModel)
      .prompt(prompt)
      .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
      .call()
      .chatResponse();

    const { conversationHistory } = await manager(true).executeToolCalls(prompt, response!);

    expect(conversationHistory.at(-1)).toMatchObject({
      responses: [{ responseData: '30 degrees, says the resolver' }],
    });
  });
});
