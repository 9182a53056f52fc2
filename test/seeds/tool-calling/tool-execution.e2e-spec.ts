// Page "Tool Calling", section "Tool Execution"
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  type ChatOptions,
  type ChatResponse,
  DefaultToolCallingManager,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolCallingManager,
  type ToolDefinition,
  type ToolExecutionResult,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';

@Injectable()
class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime() {
    return '2015-10-20T10:15:30+02:00';
  }
}

const script = () => [{ toolCalls: [toolCall('getCurrentDateTime')] }, 'Tomorrow is 2015-10-21.'];

describe('a tool calling manager', () => {
  it('resolves what the model is told, and runs what the model asks for', async () => {
    const toolCallingManager: ToolCallingManager = DefaultToolCallingManager.builder().build();
    const chatOptions = { toolCallbacks: ToolCallbacks.from(new DateTimeTools()) };
    const prompt = new Prompt('What day is tomorrow?', chatOptions);
    const chatResponse = await new ScriptedChatModel(script()).call(prompt);

    expect(toolCallingManager.resolveToolDefinitions(chatOptions)).toMatchObject([
      { name: 'getCurrentDateTime', description: "Get the current date and time in the user's timezone" },
    ]);
    const result = await toolCallingManager.executeToolCalls(prompt, chatResponse);
    expect(result.returnDirect).toBe(false);
    expect(result.conversationHistory).toMatchObject([
      { role: 'user', text: 'What day is tomorrow?' },
      { role: 'assistant', toolCalls: [{ name: 'getCurrentDateTime' }] },
      { role: 'tool', responses: [{ name: 'getCurrentDateTime', responseData: '2015-10-20T10:15:30+02:00' }] },
    ]);
  });

  it('may be configured by the application', async () => {
    const twice = [{ toolCalls: [toolCall('getCurrentDateTime'), toolCall('getCurrentDateTime')] }, 'Done.'];
    const { client, model } = await startApplication({ providers: [DateTimeTools] }, twice, {
      providers: [
        {
          provide: ToolCallingManager,
          useFactory: () =>
            DefaultToolCallingManager.builder()
              .limits({ maxTotalToolCalls: 1, onLimitExceeded: 'RETURN_ERROR_RESPONSE' })
              .build(),
        },
      ],
    });

    await client.prompt('What day is tomorrow?').call().content();

    expect(model.toolResponses).toEqual(['2015-10-20T10:15:30+02:00', expect.stringMatching(/limit/i)]);
  });

  it('may be written by the application', async () => {
    class Diary extends ToolCallingManager {
      readonly entries: string[] = [];
      readonly #manager = new DefaultToolCallingManager();

      resolveToolDefinitions(chatOptions: ChatOptions): ToolDefinition[] {
        return this.#manager.resolveToolDefinitions(chatOptions);
      }

      executeToolCalls(prompt: Prompt, chatResponse: ChatResponse): Promise<ToolExecutionResult> {
        this.entries.push(...chatResponse.result!.output.toolCalls.map(({ name }) => name));
        return this.#manager.executeToolCalls(prompt, chatResponse);
      }
    }
    const { app, client } = await startApplication({ providers: [DateTimeTools] }, script(), {
      providers: [{ provide: ToolCallingManager, useClass: Diary }],
    });

    expect(await client.prompt('What day is tomorrow?').call().content()).toBe('Tomorrow is 2015-10-21.');
    expect(app.get<Diary>(ToolCallingManager).entries).toEqual(['getCurrentDateTime']);
  });
});
