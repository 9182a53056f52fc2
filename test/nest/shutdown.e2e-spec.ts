import { describe, expect, it } from '@jest/globals';
import { ConsoleLogger, Global, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, ChatModel, ChatResponse, type Prompt, Tool, ToolContext } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/core/testing';
import { NEVER, type Observable, Subject } from 'rxjs';
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

@Injectable()
class Tools {
  constructor(readonly database: Database) {}
  @Tool() async polite({ signal }: ToolContext) {
    begun.next('polite');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    events.push('polite tool ended');
  }
  @Tool() async slow() {
    begun.next('slow');
    await new Promise((resolve) => setTimeout(resolve, 30));
    events.push('slow tool ended');
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

async function start(model: ChatModel, properties = {}) {
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
  it.each(['polite', 'slow'])(
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
      expect.stringMatching(/^1 tool call still ran when the application ended, after 20 ms/),
      'database closed',
    ]);
  });

  it('the model is told, too', async () => {
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
    const app = await start(new Hanging());
    const running = next();
    const asked = outcome(app.get(ChatClient).prompt('Go').call().content());
    await running;
    await app.close();
    expect(await asked).toBe('AbortError: The application is shutting down.');
  });

  it('nothing new begins, and what had ended before costs no time', async () => {
    const app = await start(new ScriptedChatModel(callOf('slow')));
    const client = app.get(ChatClient);
    expect(await client.prompt('Go').call().content()).toBe('done');
    await app.close();
    expect(events).toEqual(['slow tool ended', 'database closed']);
    expect(await outcome(client.prompt('Go').call().content())).toBe('AbortError: The application is shutting down.');
  });
});
