import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  FunctionToolCallback,
  Tool,
  ToolCallback,
  ToolCallbackProvider,
  type ToolContext,
  ToolParam,
  toolProvider,
} from '@nestor-ai/core';
import { overrideTool, ScriptedChatModel } from '@nestor-ai/testing';
import { callOf } from './application.js';

class Deny {
  canActivate() {
    return false;
  }
}
@Injectable()
class Tools {
  @Tool({ description: 'Get the weather' }) getWeather(city: string, @ToolParam({ required: false }) days?: number) {
    return `real weather in ${city} for ${days}`;
  }
  @UseGuards(Deny) @Tool() guarded() {
    return 'real';
  }
  @Tool({ needsApproval: true, returnDirect: true }) pay() {
    return 'real';
  }
  @Tool() static fixed() {
    return 'real';
  }
}
@Injectable({ scope: Scope.REQUEST })
class Scoped {
  @Tool() scoped() {
    return 'real';
  }
}
class Own extends ToolCallback {
  override readonly toolDefinition = { name: 'own', description: 'own', inputSchema: { type: 'object' } };
  override async call() {
    return 'real';
  }
}
@Injectable()
class Giving extends ToolCallbackProvider {
  getToolCallbacks() {
    return [new FunctionToolCallback({ name: 'given', toolFunction: () => 'real' })];
  }
}
const providers = [
  Tools,
  Scoped,
  Giving,
  { provide: 'own', useValue: new Own() },
  toolProvider('made', { useFactory: () => () => 'real' }),
];

async function ask(substitutes: Record<string, unknown>, tool: string, input: object = {}) {
  const model = new ScriptedChatModel(callOf(tool, input));
  const builder = Test.createTestingModule({ imports: [AiModule.forRoot({ chatModel: model })], providers });
  for (const [name, substitute] of Object.entries(substitutes))
    overrideTool(builder, name).useValue(substitute as object);
  const module = await builder.compile();
  await module.init();
  const response = await module.get(ChatClient).prompt('Go').call().chatResponse();
  return { model, answer: model.toolResponses[0], response };
}

describe('overrideTool()', () => {
  it('runs a function with the checked arguments, by their names', async () => {
    const seen: unknown[] = [];
    const getWeather = (input: { city: string }, context: ToolContext) => {
      seen.push(input, context.toolCall.name);
      return `sunny in ${input.city}`;
    };
    const { answer, model } = await ask({ getWeather }, 'getWeather', { city: 'Oslo' });
    expect(answer).toBe('sunny in Oslo');
    expect(seen).toEqual([{ city: 'Oslo' }, 'getWeather']);
    const [offered] = model.lastPrompt!.options!.toolCallbacks!;
    expect(offered!.toolDefinition).toMatchObject({
      description: 'Get the weather',
      inputSchema: { required: ['city'] },
    });
    expect((await ask({ getWeather }, 'getWeather', {})).answer).toMatch(/'city' is required/);
  });

  it('may be given the result itself, and may be repeated', async () => {
    const all = { getWeather: { celsius: 21 }, scoped: 'mine' };
    expect((await ask(all, 'getWeather', { city: 'Oslo' })).answer).toBe('{"celsius":21}');
    expect((await ask(all, 'scoped')).answer).toBe('mine');
  });

  it.each(['scoped', 'fixed', 'own', 'given', 'made'])('works for every kind of tool: %s', async (name) => {
    expect((await ask({}, name)).answer).toBe('real');
    expect((await ask({ [name]: () => 'fake' }, name)).answer).toBe('fake');
  });

  it('keeps guards, policies and what becomes of the result', async () => {
    expect((await ask({ guarded: 'fake' }, 'guarded')).answer).toBe('Forbidden resource');
    const { response } = await ask({ pay: 'fake' }, 'pay');
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
  });

  it('lets a test see what becomes of a tool that fails', async () => {
    const fail = () => {
      throw new Error('no connection');
    };
    expect((await ask({ getWeather: fail }, 'getWeather', { city: 'Oslo' })).answer).toBe('no connection');
  });

  it('stops the bootstrap when there is no such tool', async () => {
    const builder = Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })],
      providers: [Tools],
    });
    overrideTool(builder, 'getWether').useValue('x');
    const module = await builder.compile();
    await expect(module.init()).rejects.toThrow(
      /overrideTool\(\).*Unknown tool 'getWether'\. Did you mean 'getWeather'\?/,
    );
  });
});
