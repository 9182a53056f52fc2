// Page "ToolCallingAdvisor", section "Single-ToolAdvisor Invariant"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  type CallAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  RegisterAdvisor,
  Tool,
  ToolAdvisor,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { bootstrapError, startApplication } from '../../nest/application.js';

@Injectable()
class WeatherTools {
  calls = 0;
  @Tool({ description: 'Get the weather of a city' })
  getWeather(city: string) {
    this.calls++;
    return `sunny in ${city}`;
  }
}

@RegisterAdvisor()
@Injectable()
class MyToolAdvisor extends ToolCallingAdvisor {
  override readonly name: string = 'mine';
  protected override doFinalizeLoop(response: ChatClientResponse): ChatClientResponse {
    return { ...response, context: { ...response.context, by: this.name } };
  }
}

@RegisterAdvisor()
@Injectable()
class OtherToolAdvisor extends MyToolAdvisor {
  override readonly name = 'other';
}

/** No subclass: only the mark says that it is a tool advisor. */
class Marked implements CallAdvisor, ToolAdvisor {
  readonly [ToolAdvisor] = true;
  readonly name = 'marked';
  readonly order = ToolCallingAdvisor.DEFAULT_ORDER;
  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain) {
    return chain.nextCall(request);
  }
}

const script = () => [{ toolCalls: [toolCall('getWeather', { city: 'Paris' })] }, 'Sunny.'];

describe('a client', () => {
  it('runs each tool call once, with its one default tool advisor', async () => {
    const tools = new WeatherTools();
    const chatClient = ChatClient.create(new ScriptedChatModel(script()));
    expect(await chatClient.prompt('Weather?').tools(tools).call().content()).toBe('Sunny.');
    expect(tools.calls).toBe(1);
  });

  it('uses a custom subclass in the place of the default', async () => {
    const tools = new WeatherTools();
    const chatClient = ChatClient.builder(new ScriptedChatModel(script())).defaultAdvisors(new MyToolAdvisor()).build();
    const { chatResponse, context } = await chatClient.prompt('Weather?').tools(tools).call().chatClientResponse();
    expect(chatResponse?.text).toBe('Sunny.');
    expect(context.by).toBe('mine');
    expect(tools.calls).toBe(1);
  });

  it('uses whatever bears the mark in the place of the default', async () => {
    const tools = new WeatherTools();
    const chatClient = ChatClient.builder(new ScriptedChatModel(script())).defaultAdvisors(new Marked()).build();
    const response = await chatClient.prompt('Weather?').tools(tools).call().chatResponse();
    expect(response?.hasToolCalls()).toBe(true);
    expect(tools.calls).toBe(0);
  });

  it('uses that of the request in the place of its own', async () => {
    const chatClient = ChatClient.builder(new ScriptedChatModel(script())).defaultAdvisors(new MyToolAdvisor()).build();
    const request = chatClient.prompt('Weather?').tools(new WeatherTools()).advisors(new OtherToolAdvisor());
    expect((await request.call().chatClientResponse()).context.by).toBe('other');
  });

  it('refuses two at once, and names them', () => {
    const model = new ScriptedChatModel([]);
    const chatClient = ChatClient.builder(model).defaultAdvisors(new MyToolAdvisor(), new OtherToolAdvisor()).build();
    expect(() => chatClient.prompt('Weather?').call()).toThrow(
      /At most one ToolAdvisor is allowed.*found 2.*mine.*MyToolAdvisor.*other.*OtherToolAdvisor/,
    );
    expect(model.prompts).toEqual([]);
  });
});

describe('an application', () => {
  it('replaces the default with the subclass it registers', async () => {
    const { app, client } = await startApplication({ providers: [WeatherTools, MyToolAdvisor] }, script());
    const { chatResponse, context } = await client.prompt('Weather?').call().chatClientResponse();
    expect(chatResponse?.text).toBe('Sunny.');
    expect(context.by).toBe('mine');
    expect(app.get(WeatherTools).calls).toBe(1);
  });

  it('does not start when it registers two', async () => {
    const { message } = await bootstrapError({ providers: [WeatherTools, MyToolAdvisor, OtherToolAdvisor] });
    expect(message).toMatch(/MyToolAdvisor[\s\S]*OtherToolAdvisor/);
  });
});
