/*
 * Features that must work the same with Nest 11 and Nest 12. `nest-11.mjs` runs this file on the
 * packed packages, outside of this repository.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import {
  Body,
  type CanActivate,
  ConsoleLogger,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  Module,
  Post,
  Req,
  Scope,
  Sse,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_PIPE, NestFactory, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  AiToolExecutionContext,
  ChatClient,
  InjectChatClient,
  Tool,
  ToolContext,
  ToolParam,
  ToolRegistry,
} from '@nestor-ai/core';
import { toUIMessageStream, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { overrideTool, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { IsString } from 'class-validator';

class Booking {
  @IsString() city!: string;
}

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return AiToolExecutionContext.of(context).getRequest<{ user: string }>()?.user === 'admin';
  }
}

class Shout {
  transform(value: unknown) {
    return typeof value === 'string' ? value.toUpperCase() : value;
  }
}

@Injectable()
class Tools {
  @Tool({ description: 'Book a hotel' }) book(booking: Booking, context: ToolContext) {
    return `${booking instanceof Booking} ${booking.city} ${String(context.get('tenant'))}`;
  }
  @UseGuards(AdminGuard) @Tool() remove(@ToolParam({ description: 'Who' }) name: string) {
    return `${name} is gone`;
  }
  @UsePipes(Shout) @Tool() greet(name: string, times = 1) {
    return `${name} ${times}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Me {
  constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
  @Tool() whoAmI() {
    return this.request.user;
  }
}

@Controller()
class ChatController {
  constructor(
    private readonly chatClient: ChatClient,
    @InjectChatClient('greeter') private readonly greeter: ChatClient,
  ) {}

  @Post() async ask(@Body() body: { tool: string; input: object; user: string }, @Req() request: { user?: string }) {
    request.user = body.user;
    await this.chatClient.prompt('Go').toolContext({ tenant: 'red' }).request(request).call().content();
    await this.greeter.prompt('Hi').call().content();
    return {};
  }
}

let script: ConstructorParameters<typeof ScriptedChatModel>[0] = [];
const greeter = new ScriptedChatModel(['Hi', 'Hi', 'Hi', 'Hi', 'Hi', 'Hi']);
let model = new ScriptedChatModel([]);

async function start() {
  model = new ScriptedChatModel(script);
  const config = ConfigModule.forRoot({
    isGlobal: true,
    ignoreEnvFile: true,
    load: [() => ({ ai: { tools: { overrides: { greet: { description: 'Greet somebody' } } } } })],
  });
  @Module({
    imports: [
      await config,
      AiModule.forRoot({ chatModel: model }),
      AiModule.forFeature([{ name: 'greeter', chatModel: greeter, tools: ['greet'] }]),
    ],
    controllers: [ChatController],
    providers: [Tools, Me, { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true }) }],
  })
  class AppModule {}
  return AppModule;
}

const call = (name: string, input: object) => [{ toolCalls: [toolCall(name, input)] }, 'done'];

async function ask(name: string, input: object, user = 'guest'): Promise<string | undefined> {
  script = call(name, input);
  const app = await NestFactory.create(await start(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const response = await fetch(await app.getUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  });
  assert.equal(response.status, 201);
  await app.close();
  return model.toolResponses[0];
}

const scenarios: Record<string, () => Promise<void>> = {
  'a tool with a class of its own is called, with the context': async () => {
    assert.equal(await ask('book', { city: 'Oslo' }), 'true Oslo red');
    assert.match((await ask('book', { city: 7 }))!, /city/);
  },
  'a guard lets a call pass or refuses it': async () => {
    assert.equal(await ask('remove', { name: 'bob' }), 'Forbidden resource');
    assert.equal(await ask('remove', { name: 'bob' }, 'admin'), 'bob is gone');
  },
  'a pipe changes an argument': async () => {
    assert.equal(await ask('greet', { name: 'ada', times: 2 }), 'ADA 2');
  },
  'a request-scoped tool host has the request': async () => {
    assert.equal(await ask('whoAmI', {}, 'ann'), 'ann');
  },
  'a named client has its own tools, as they are configured': async () => {
    const [offered, ...others] = greeter.lastPrompt!.options!.toolCallbacks!;
    assert.deepEqual([offered!.toolDefinition.description, others.length], ['Greet somebody', 0]);
  },
  'a stream tells of tool calls': async () => {
    script = call('greet', { name: 'ada' });
    const app = await NestFactory.createApplicationContext(await start(), { logger: ['error'] });
    const types = new Set<string>();
    for await (const event of app.get(ChatClient).prompt('Go').stream().events()) types.add(event.type);
    assert.ok(['tool-call', 'tool-result', 'text', 'finish'].every((type) => types.has(type)));
    assert.equal(app.get(ToolRegistry).list().length, 4);
    await app.close();
  },
  'a front end of the AI SDK reads the stream': async () => {
    script = call('greet', { name: 'ada' });
    @Controller()
    class UIController {
      constructor(@Inject(ChatClient) private readonly client: ChatClient) {}

      @Post('ui')
      @Sse()
      ui(@Body('messages') messages: UIMessageInput[]) {
        return toUIMessageStream(withUIMessages(this.client.prompt(), messages).stream().events());
      }
    }
    @Module({ imports: [await start()], controllers: [UIController] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: ['error'] });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/ui`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }] }),
    });
    const text = await response.text();
    for (const part of ['"tool-output-available"', '"text-delta"', '"finish"', '[DONE]'])
      assert.ok(text.includes(part), part);
    await app.close();
  },
  'a test replaces a tool': async () => {
    script = call('greet', { name: 'ada' });
    const builder = Test.createTestingModule({ imports: [await start()] });
    const module = await overrideTool(builder, 'greet').useValue('fake').compile();
    await module.get(ChatClient).prompt('Go').call().content();
    assert.deepEqual(model.toolResponses, ['fake']);
  },
  'a model searches for its tools': async () => {
    script = [{ toolCalls: [toolCall('toolSearchTool', { query: 'greet' })] }, 'done'];
    const search = ToolSearchModule.forRoot({ properties: { enabled: true } });
    @Module({ imports: [await start(), search] })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
    await app.get(ChatClient).prompt('Go').call().content();
    assert.match(model.toolResponses[0]!, /"greet"/);
    await app.close();
  },
  'a provider that refuses is a failure of the application, and its words go nowhere': async () => {
    const said = 'Incorrect API key provided: sk-proj-1';
    const provider = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: said, type: 'invalid_request_error' } }));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    @Controller()
    class AskController {
      constructor(@Inject(ChatClient) private readonly client: ChatClient) {}

      @Get() ask() {
        return this.client.prompt('MY PRIVATE QUESTION').call().content();
      }
    }
    const chatModel = new AiSdkChatModel(createOpenAI({ apiKey: 'sk-proj-1', baseURL }).chat('gpt-test'));
    @Module({ imports: [AiModule.forRoot({ chatModel })], controllers: [AskController] })
    class AppModule {}
    const printed: unknown[] = [];
    class Recorder extends ConsoleLogger {
      protected override formatMessage(...args: Parameters<ConsoleLogger['formatMessage']>) {
        printed.push(super.formatMessage(...args));
        return '';
      }
    }
    const app = await NestFactory.create(AppModule, { logger: new Recorder() });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(await app.getUrl());
    assert.deepEqual(
      [response.status, await response.json()],
      [502, { message: 'The model could not answer.', error: 'Bad Gateway', statusCode: 502 }],
    );
    const log = printed.join('');
    assert.match(log, /The call to the model 'gpt-test' of openai at .* failed/);
    assert.doesNotMatch(log, /sk-proj|PRIVATE|requestBodyValues/);
    await app.close();
    provider.closeAllConnections();
    provider.close();
  },
  'a tool that injects REQUEST does not run without one, if one is required': async () => {
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('whatever')] }, 'done']);
    @Injectable({ scope: Scope.REQUEST })
    class Anybody {
      constructor(@Inject(REQUEST) private readonly request: object | undefined) {}
      @Tool() whatever() {
        return `ran with ${typeof this.request}`;
      }
    }
    const properties = { tools: { requireRequest: true } };
    @Module({ imports: [AiModule.forRoot({ chatModel, properties })], providers: [Anybody] })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
    await app.get(ChatClient).prompt('Go').call().content();
    assert.deepEqual(chatModel.toolResponses, ['The tool cannot be called now.']);
    await app.close();
  },
  'mistakes are told together, as a rejected promise': async () => {
    @Injectable()
    class Broken {
      @Tool() find(_names: string[]) {
        return 1;
      }
      @Tool() take(_what: object) {
        return 1;
      }
    }
    @Module({ imports: [AiModule.forRoot({ chatModel: model })], providers: [Broken] })
    class AppModule {}
    const started = NestFactory.createApplicationContext(AppModule, { logger: false });
    await assert.rejects(started, /^AiBootstrapException: 2 problems/);
  },
};

for (const [name, run] of Object.entries(scenarios)) {
  await run();
  console.log(`  ${name}`);
}
