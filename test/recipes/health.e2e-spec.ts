import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, type ModuleMetadata } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import {
  ChatModel,
  type ChatResponse,
  FunctionToolCallback,
  Prompt,
  Tool,
  ToolCallbackProvider,
  ToolProviderStatus,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { serve, signalled } from './http-application.js';

@Injectable()
class AiHealthIndicator {
  constructor(
    private readonly health: HealthIndicatorService,
    private readonly registry: ToolRegistry,
    private readonly providers: ToolProviderStatus,
    private readonly model: ChatModel,
  ) {}

  tools() {
    return this.health.check('tools').attempt(async () => {
      const tools = (await this.registry.currentCallbacks()).map(
        ({ toolDefinition }) => toolDefinition.name,
      );
      const [problem] = this.providers.problems;
      if (problem) throw new Error(`${problem.provider} is ${problem.fault}: ${problem.errorType}`);
      if (tools.length === 0) throw new Error('There are no tools');
      return { tools };
    });
  }

  answers() {
    const check = this.health.check('model').attempt(async ({ signal }) => {
      await this.model.call(new Prompt('Answer with OK', { maxTokens: 16, signal }));
    });
    return check.withTimeout(500).cacheFor(60_000);
  }
}

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly ai: AiHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.ai.tools(), () => this.ai.answers()]);
  }
}

@Injectable()
class WeatherTools {
  @Tool() weather() {
    return 'sunny';
  }
}

async function health(model: ChatModel, providers: ModuleMetadata['providers'] = [WeatherTools]) {
  const { url } = await serve(model, {
    imports: [TerminusModule.forRoot({ logger: false })],
    controllers: [HealthController],
    providers: [AiHealthIndicator, ...providers],
  });
  return async () => {
    const response = await fetch(`${url}/health`);
    const { details } = (await response.json()) as { details: Record<string, object> };
    return { code: response.status, ...details };
  };
}

describe('the health of an application with tools', () => {
  it('is up when there are tools and the model answers, which is asked once in a while', async () => {
    const model = new ScriptedChatModel(['OK']);
    const check = await health(model);
    expect(await check()).toMatchObject({
      code: 200,
      tools: { status: 'up', tools: ['weather'] },
      model: { status: 'up' },
    });
    expect(await check()).toMatchObject({
      code: 200,
      model: { status: 'up', cachedResponse: true },
    });
    expect(model.prompts).toHaveLength(1);
    expect(model.lastPrompt?.options?.toolCallbacks ?? []).toEqual([]);
  });

  it('is down when no tool is registered', async () => {
    const check = await health(new ScriptedChatModel(['OK']), []);
    expect(await check()).toMatchObject({
      code: 503,
      tools: { status: 'down', message: 'There are no tools' },
      model: { status: 'up' },
    });
  });

  it('is down when the model fails', async () => {
    const check = await health(
      new ScriptedChatModel([{ error: new Error('The key is not valid') }]),
    );
    expect(await check()).toMatchObject({
      code: 503,
      tools: { status: 'up' },
      model: { status: 'down', message: 'The key is not valid' },
    });
  });

  it('is down when the model takes too long, and the call is aborted', async () => {
    const aborted = signalled<unknown>();
    class HangingModel extends ScriptedChatModel {
      override call({ options }: Prompt): Promise<ChatResponse> {
        return new Promise((_resolve, reject) => {
          options!.signal!.addEventListener('abort', () => {
            aborted.give(options!.signal!.reason);
            reject(options!.signal!.reason as Error);
          });
        });
      }
    }
    const check = await health(new HangingModel([]));
    expect(await check()).toMatchObject({
      code: 503,
      model: { status: 'down', message: 'timeout of 500ms exceeded' },
    });
    expect(await aborted.seen).toMatchObject({ name: 'TimeoutError' });
  });

  it('counts tools that a provider gives at this moment, and is down when the provider fails', async () => {
    let connected = true;
    @Injectable()
    class RemoteTools extends ToolCallbackProvider {
      getToolCallbacks() {
        if (!connected) throw new RangeError('The server is gone');
        return [new FunctionToolCallback({ name: 'remote', toolFunction: () => 1 })];
      }
    }
    const check = await health(new ScriptedChatModel(['OK']), [WeatherTools, RemoteTools]);
    expect(await check()).toMatchObject({
      code: 200,
      tools: { status: 'up', tools: ['weather', 'remote'] },
    });
    connected = false;
    expect(await check()).toMatchObject({
      code: 503,
      tools: {
        status: 'down',
        message: 'RemoteTools in RootTestModule is unavailable: RangeError',
      },
    });
  });
});
