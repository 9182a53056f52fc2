/*
 * The way of a guarded tool call through our sources, counted by V8 on the second request of an
 * application: `npm run bench:way`. `-- --list` prints each file with its functions and how often
 * they were called. Fails above a limit, and if the request enters a file that ARCHITECTURE.md does not
 * list.
 */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { type CanActivate, Injectable, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, AssistantMessage, ChatClient, ChatModel, ChatResponse, type Prompt, Tool } from '@nestor-ai/core';
import { from, type Observable } from 'rxjs';

/** The most that a call may enter. They only go down. */
const LIMITS = { files: 92, functions: 273, calls: 417 };

class Open implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class Weather {
  @UseGuards(Open)
  @Tool({ description: 'Tells the weather of a city.' })
  weather(city: string): string {
    return `${city}: sunny`;
  }
}

/** Asks for the tool, and then answers. */
class Model extends ChatModel {
  override call({ messages }: Prompt): Promise<ChatResponse> {
    const isAnswered = messages.at(-1)!.role === 'tool';
    const toolCalls = [{ id: 'c1', name: 'weather', arguments: '{"city":"Ulm"}' }];
    const output = new AssistantMessage(isAnswered ? { text: 'Sunny.' } : { toolCalls });
    return Promise.resolve(new ChatResponse({ results: [{ output }] }));
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    return from(this.call(prompt));
  }
}

@Module({ imports: [AiModule.forRoot({ chatModel: new Model() })], providers: [Weather] })
class WeatherModule {}

interface Entered {
  readonly name: string;
  readonly calls: number;
}

/** The functions of our sources that a run enters, by file. */
async function enteredBy(run: () => Promise<unknown>): Promise<Map<string, Entered[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = new Map<string, Entered[]>();
  for (const { url, functions } of result) {
    const [, file] = /\/libs\/([\w-]+\/src\/.+)$/.exec(url) ?? [];
    // What begins at 0 is the module itself.
    const entered = functions.filter(({ ranges: [range] }) => range!.count > 0 && range!.startOffset > 0);
    if (file === undefined || entered.length === 0) continue;
    const named = entered.map(({ functionName: name, ranges }) => ({
      name: name || '(arrow)',
      calls: ranges[0]!.count,
    }));
    files.set(file, named);
  }
  return files;
}

const app = await NestFactory.createApplicationContext(WeatherModule, { logger: false });
const client = app.get(ChatClient);
const ask = (): Promise<string | undefined> => client.prompt('How is Ulm?').call().content();
await ask();
const files = await enteredBy(ask);
await app.close();

const functions = [...files.values()].flat();
const way = {
  files: files.size,
  functions: functions.length,
  calls: functions.reduce((sum, { calls }) => sum + calls, 0),
};
if (process.argv.includes('--list'))
  for (const [file, entered] of [...files].sort(([one], [other]) => one.localeCompare(other)))
    console.log(`${file}: ${entered.map(({ name, calls }) => (calls > 1 ? `${name} ×${calls}` : name)).join(', ')}`);
console.log(`A guarded call enters ${way.files} files, ${way.functions} functions, ${way.calls} calls.`);

const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
const unlisted = [...files.keys()].filter((file) => !page.includes(`\`${file.replace('core/src/', '')}\``));
for (const file of unlisted) console.error(`ARCHITECTURE.md does not list ${file}.`);
const above = Object.entries(LIMITS).filter(([what, limit]) => way[what as keyof typeof way] > limit);
for (const [what, limit] of above) console.error(`The limit is ${limit} ${what}.`);
if (above.length > 0 || unlisted.length > 0) process.exitCode = 1;
