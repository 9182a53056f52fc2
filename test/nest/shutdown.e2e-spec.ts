import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ConsoleLogger, Controller, Get, Global, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type Advisor,
  type AdvisorSpec,
  AiModule,
  AiShutdownException,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatMemory,
  ChatModel,
  ChatResponse,
  FunctionToolCallback,
  mergeChatOptions,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Prompt,
  repairHistory,
  Tool,
  ToolCallbackProvider,
  ToolCallingAdvisor,
  ToolContext,
  untilAborted,
} from '@nestor-ai/core';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { firstValueFrom, lastValueFrom, NEVER, type Observable, Subject, switchMap, take } from 'rxjs';
import { callOf } from './application.js';

const events: string[] = [];

@Injectable()
class Database implements OnModuleDestroy {
  onModuleDestroy() {
    events.push('database closed');
  }
}
@Global()
@Module({ providers: [Database], exports: [Database] })
class DatabaseModule {}

const begun = new Subject<string>();
const told = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

@Injectable()
class Tools {
  constructor(readonly database: Database) {}
  @Tool() async polite({ signal }: ToolContext) {
    begun.next('polite');
    await told(signal);
    events.push('polite tool ended');
  }
  @Tool() async slow({ signal }: ToolContext) {
    begun.next('slow');
    await told(signal);
    await setTimeout(30);
    events.push('slow tool ended');
  }
  @Tool() quick() {
    events.push('quick tool ended');
  }
  @Tool({ retry: 1 }) async retried({ signal }: ToolContext) {
    begun.next('retried');
    await told(signal);
    await setTimeout(30);
    events.push('retried tool ended');
  }
  @Tool({ timeout: 5 }) overdue() {
    return new Promise(() => undefined);
  }
  @Tool() hanging() {
    begun.next('hanging');
    return new Promise(() => undefined);
  }
}

class Recorder extends ConsoleLogger {
  protected override printMessages(messages: unknown[], _context = '', level = 'log') {
    if (level === 'warn') events.push(String(messages[0]));
  }
}

/** Turns are aborted at once, unless a test says otherwise. */
const AT_ONCE = { shutdown: { drainTimeout: 0 } };

async function start(model: ChatModel, given: object = {}) {
  const properties = { ...AT_ONCE, ...given };
  events.length = 0;
  const root = {
    module: class AppModule {},
    imports: [DatabaseModule, AiModule.forRoot({ chatModel: model, properties })],
    providers: [Tools],
  };
  return NestFactory.createApplicationContext(root, { logger: new Recorder() });
}
const next = () => new Promise((resolve) => begun.subscribe(resolve));
const outcome = (promise: Promise<unknown>) =>
  promise.then(String, (error: Error) => `${error.name}: ${error.message}`);

describe('when the application ends', () => {
  it.each(['polite', 'slow', 'retried'])(
    'a tool that runs is told, and waited for, before what it needs is closed: %s',
    async (tool) => {
      const app = await start(new ScriptedChatModel(callOf(tool)));
      const running = next();
      const asked = outcome(app.get(ChatClient).prompt('Go').call().content());
      await running;
      await app.close();
      expect(events).toEqual([`${tool} tool ended`, 'database closed']);
      expect(await asked).toBe('AbortError: The application is shutting down.');
    },
  );

  it('a streamed turn ends as well, and its tool is waited for', async () => {
    const app = await start(new ScriptedChatModel(callOf('slow')));
    const running = next();
    const asked = new Promise((resolve) => {
      app
        .get(ChatClient)
        .prompt('Go')
        .stream()
        .content()
        .subscribe({ error: (error: Error) => resolve(error.message) });
    });
    await running;
    await app.close();
    expect(events).toEqual(['slow tool ended', 'database closed']);
    expect(await asked).toBe('The application is shutting down.');
  });

  it('a tool that hangs is waited for no longer than the limit, and the log says so', async () => {
    const app = await start(new ScriptedChatModel(callOf('hanging')), { tools: { shutdownTimeout: '20ms' } });
    const running = next();
    void outcome(app.get(ChatClient).prompt('Go').call().content());
    await running;
    await app.close();
    expect(events).toEqual([
      expect.stringMatching(/^1 tool call still ran 20 ms after the turns were aborted/),
      'database closed',
    ]);
  });

  it('a tool is waited for also when its caller has left', async () => {
    const app = await start(new ScriptedChatModel(callOf('retried')));
    const caller = new AbortController();
    const running = next();
    const { signal } = caller;
    const asked = outcome(app.get(ChatClient).prompt('Go').options({ signal }).call().content());
    await running;
    caller.abort();
    await asked;
    await app.close();
    expect(events).toEqual(['retried tool ended', 'database closed']);
  });

  it('a turn that has its answer comes to its end', async () => {
    class Finishing extends ToolCallingAdvisor {
      protected override async doFinalizeLoop(response: ChatClientResponse) {
        begun.next('finishing');
        await setTimeout(20);
        return response;
      }
    }
    const app = await start(new ScriptedChatModel(['answer']));
    const running = next();
    const asked = outcome(app.get(ChatClient).prompt('Go').advisors(new Finishing()).call().content());
    await running;
    await app.close();
    expect(await asked).toBe('answer');
  });

  it('a tool that was given up before is not waited for', async () => {
    const app = await start(new ScriptedChatModel(callOf('overdue')));
    expect(await app.get(ChatClient).prompt('Go').call().content()).toBe('done');
    await app.close();
    expect(events).toEqual(["The tool 'overdue' took too long", 'database closed']);
  });

  it.each(['call', 'tool'])(
    'an HTTP request is answered, and the server ends, although a %s does not listen',
    async (what) => {
      class Deaf extends ChatModel {
        call(): Promise<ChatResponse> {
          begun.next('model');
          return new Promise(() => undefined);
        }
        stream(): Observable<ChatResponse> {
          return NEVER;
        }
      }
      @Controller()
      class Asking {
        constructor(private readonly client: ChatClient) {}
        @Get() ask() {
          return this.client.prompt('Go').call().content();
        }
      }
      const chatModel = what === 'call' ? new Deaf() : new ScriptedChatModel(callOf('hanging'));
      const root = {
        module: class AppModule {},
        imports: [
          DatabaseModule,
          AiModule.forRoot({ chatModel, properties: { ...AT_ONCE, tools: { shutdownTimeout: '20ms' } } as never }),
        ],
        providers: [Tools],
        controllers: [Asking],
      };
      const app = await NestFactory.create(root, { logger: false });
      await app.listen(0, '127.0.0.1');
      const running = next();
      const asked = fetch(await app.getUrl()).then(({ status }) => status);
      await running;
      await app.close();
      expect(await asked).toBe(503);
    },
  );

  it('a turn that begins too late is aborted', async () => {
    class Late extends ToolCallbackProvider {
      async getToolCallbacks() {
        begun.next('late');
        await setTimeout(20);
        return [new FunctionToolCallback({ name: 'late', toolFunction: () => void events.push('late tool ran') })];
      }
    }
    const root = {
      module: class AppModule {},
      imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel(callOf('late')) })],
      providers: [Late],
    };
    events.length = 0;
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    const running = next();
    const asked = outcome(app.get(ChatClient).prompt('Go').call().content());
    await running;
    await app.close();
    expect(await asked).toBe('AbortError: The application is shutting down.');
    expect(events).toEqual([]);
  });

  describe('the model is told, too', () => {
    class Hanging extends ChatModel {
      call({ options }: Prompt): Promise<ChatResponse> {
        begun.next('model');
        return new Promise((_resolve, reject) => {
          options!.signal!.addEventListener('abort', () => reject(options!.signal!.reason as Error));
        });
      }
      stream(): Observable<ChatResponse> {
        return NEVER;
      }
    }
    class Wrapper extends Hanging {
      override call({ messages, options }: Prompt) {
        return super.call(new Prompt(messages, { ...options, temperature: 0 }));
      }
    }
    class AskingAnother extends BaseAdvisor {
      override readonly name = 'asking another';
      override readonly order = 2_000_000_000;
      override async adviseCall({ prompt, context }: ChatClientRequest): Promise<ChatClientResponse> {
        const another = ChatClient.create(new Hanging());
        const chatResponse = await another.prompt('Go').options(prompt.options!).call().chatResponse();
        return { ...(chatResponse && { chatResponse }), context };
      }
    }
    class Colder extends BaseAdvisor {
      override readonly name = 'colder';
      override readonly order = 2_000_000_000;
      override before({ prompt, context }: ChatClientRequest) {
        return { prompt: prompt.with({ options: { ...prompt.options, temperature: 0 } }), context };
      }
    }

    class Merging extends Hanging {
      override call({ messages, options }: Prompt) {
        return super.call({ messages, options: mergeChatOptions({ temperature: 0 }, options) } as Prompt);
      }
    }

    it.each<[string, ChatModel, Advisor[]]>([
      ['the model itself', new Hanging(), []],
      ['one that lays the options over its own', new Merging(), []],
      ['one behind another that copies the options', new Wrapper(), []],
      ['one of a client that an advisor asks with them', new Hanging(), [new AskingAnother()]],
      ['one behind an advisor that copies them', new Hanging(), [new Colder()]],
    ])('%s', async (_what, model, advisors) => {
      const app = await start(model);
      const running = next();
      const asked = outcome(app.get(ChatClient).prompt('Go').advisors(advisors).call().content());
      await running;
      await app.close();
      expect(await asked).toBe('AbortError: The application is shutting down.');
    });
  });

  it('a call whose response cache hangs is not waited for', async () => {
    const app = await start(new ScriptedChatModel([]), { tools: { shutdownTimeout: 60_000 } });
    const hanging = () => {
      begun.next('cache');
      return new Promise(() => undefined);
    };
    const advisor = new ResponseCacheAdvisor({
      cache: { get: hanging, set: hanging },
      timeout: Number.POSITIVE_INFINITY,
    });
    const running = next();
    const asked = outcome(app.get(ChatClient).prompt('Go').advisors(advisor).call().content());
    await running;
    await app.close();
    expect(await asked).toBe('AbortError: The application is shutting down.');
  });

  describe('turns that run', () => {
    /** A model whose answer is held back until it is told to go on. */
    class Held extends ScriptedChatModel {
      readonly #release = new Subject<void>();
      readonly isAsked = firstValueFrom(begun);
      override async call(prompt: Prompt) {
        begun.next('model');
        const released = firstValueFrom(this.#release);
        await untilAborted(prompt.options!.signal!, released);
        return super.call(prompt);
      }
      override stream(prompt: Prompt) {
        begun.next('model');
        return this.#release.pipe(
          take(1),
          switchMap(() => super.stream(prompt)),
        );
      }
      release() {
        this.#release.next();
      }
    }

    const ways = {
      call: (client: ChatClient) => client.prompt('Go').call().content(),
      stream: async (client: ChatClient) => {
        const texts: string[] = [];
        for await (const text of client.prompt('Go').stream().content()) texts.push(text);
        return texts.join('');
      },
    };

    it.each(['call', 'stream'] as const)('may end by themselves: %s', async (way) => {
      const model = new Held(['answer']);
      const app = await start(model, { shutdown: {} });
      const asked = ways[way](app.get(ChatClient));
      await model.isAsked;
      const closed = app.close();
      model.release();
      expect(await asked).toBe('answer');
      await closed;
      expect(events).toEqual(['database closed']);
    });

    it('are counted once in the log, also behind a memory', async () => {
      const model = new Held(['answer']);
      const app = await start(model, { chat: { memory: { enabled: true } }, shutdown: { drainTimeout: '20ms' } });
      const asked = outcome(app.get(ChatClient).prompt('Go').conversation('c').call().content());
      await model.isAsked;
      await app.close();
      expect(await asked).toMatch(/is shutting down/);
      expect(events).toEqual([expect.stringMatching(/^A turn still ran 20 ms/), 'database closed']);
    });

    it.each(['call', 'stream'] as const)('are told, and the log says so, when they take too long: %s', async (way) => {
      const model = new Held(['answer']);
      const app = await start(model, { shutdown: { drainTimeout: '20ms' } });
      const asked = ways[way](app.get(ChatClient)).catch((error: unknown) => error);
      await model.isAsked;
      await app.close();
      expect(await asked).toBeInstanceOf(AiShutdownException);
      expect(events).toEqual([
        'A turn still ran 20 ms after the application began to shut down, and is aborted. To give turns more time, raise ai.shutdown.drain-timeout.',
        'database closed',
      ]);
    });

    it.each(['call', 'stream'] as const)('let no other begin meanwhile: %s', async (way) => {
      const model = new Held(['answer']);
      const app = await start(model, { shutdown: {} });
      const client = app.get(ChatClient);
      const asked = ways.call(client);
      await model.isAsked;
      const closed = app.close();
      // Nest calls the hooks of other modules first.
      await setTimeout(20);
      await expect(ways[way](client)).rejects.toBeInstanceOf(AiShutdownException);
      model.release();
      expect(await asked).toBe('answer');
      await closed;
      expect(model.prompts).toHaveLength(1);
    });

    it('may be of a request that had begun before, and looked for its tools until then', async () => {
      const tools = new Subject<void>();
      class Late extends ToolCallbackProvider {
        async getToolCallbacks() {
          begun.next('late');
          await firstValueFrom(tools);
          return [];
        }
      }
      const model = new Held(['first', 'second']);
      const app = await start(model, { shutdown: {} });
      const client = app.get(ChatClient);
      const first = ways.call(client);
      await model.isAsked;
      const looking = firstValueFrom(begun);
      const second = client.prompt('Go').tools(new Late()).call().content();
      await looking;
      const closed = app.close();
      await setTimeout(20);
      const asked = firstValueFrom(begun);
      tools.next();
      await asked;
      model.release();
      expect(new Set([await first, await second])).toEqual(new Set(['first', 'second']));
      await closed;
    });

    it.each(['call', 'stream'] as const)('leave a conversation behind that goes on: %s', async (way) => {
      const memory = new MessageWindowChatMemory();
      const advisors = [new MessageChatMemoryAdvisor({ chatMemory: memory })];
      const conversation = (spec: AdvisorSpec) => spec.param(ChatMemory.CONVERSATION_ID, 'c');
      const app = await start(new ScriptedChatModel(callOf('polite')));
      const running = next();
      const request = app.get(ChatClient).prompt('Go').advisors(advisors, conversation);
      const asked =
        way === 'call' ? request.call().content() : lastValueFrom(request.stream().content(), { defaultValue: '' });
      const failed = asked.catch((error: unknown) => error);
      await running;
      await app.close();
      expect(await failed).toBeInstanceOf(AiShutdownException);

      const model = new ScriptedChatModel(['Here I am.']);
      const later = ChatClient.builder(model).defaultAdvisors(advisors, conversation).build();
      expect(await later.prompt('And now?').call().content()).toBe('Here I am.');
      const { messages } = model.lastPrompt!;
      expect(repairHistory(messages)).toEqual(messages);
    });
  });

  it('nothing new begins, and what had ended before costs no time', async () => {
    const app = await start(new ScriptedChatModel(callOf('quick')));
    const client = app.get(ChatClient);
    expect(await client.prompt('Go').call().content()).toBe('done');
    await app.close();
    expect(events).toEqual(['quick tool ended', 'database closed']);
    expect(await outcome(client.prompt('Go').call().content())).toBe('AbortError: The application is shutting down.');
  });
});
