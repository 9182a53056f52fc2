/* What AiModule adds to the bootstrap of an application, and what guards add to a tool call. */
import 'reflect-metadata';
import { type CanActivate, Injectable, type NestInterceptor, UseGuards, UseInterceptors } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import {
  AiModule,
  AssistantMessage,
  ChatClient,
  ChatModel,
  ChatResponse,
  FunctionToolCallback,
  Tool,
  ToolCallbacks,
  ToolParam,
  ToolRegistry,
} from '@nestor-ai/core';
import { NEVER } from 'rxjs';

const ROUNDS = 11;
const PROVIDERS = 2000;
const METHODS = 5000;
const CALLS = 100_000;
const FOREIGN_TOOLS = 1000;

type Provider = new () => object;

class Model extends ChatModel {
  override call() {
    return Promise.resolve(new ChatResponse({ results: [{ output: new AssistantMessage('Done.') }] }));
  }
  stream() {
    return NEVER;
  }
}

let counter = 0;

/** A class whose five methods are tools with names of their own; each call makes another one. */
function toolProvider(): Provider {
  const at = counter++;
  @Injectable()
  class Tools {
    @Tool({ name: `weather${at}`, description: 'Get the weather of a city' })
    weather(@ToolParam({ description: 'The city' }) city: string, days: number) {
      return `${city} ${days}`;
    }
    @Tool({ name: `alarm${at}`, description: 'Set an alarm' })
    alarm(time: string, volume = 5, loud = false) {
      return `${time} ${volume} ${loud}`;
    }
    @Tool({ name: `time${at}`, description: 'Get the time' })
    time() {
      return 0;
    }
    @Tool({ name: `send${at}`, description: 'Send a message' })
    async send(to: string, @ToolParam({ description: 'What to say', required: false }) text?: string) {
      return `${to} ${text}`;
    }
    @Tool({ name: `convert${at}`, description: 'Convert an amount' })
    convert(amount: number, from: string, to: string) {
      return `${amount} ${from} ${to}`;
    }
  }
  return Tools;
}

function plainProvider(): Provider {
  @Injectable()
  class Service {
    find(id: string) {
      return id;
    }
    save(id: string) {
      return id;
    }
  }
  return Service;
}

/** How long an application takes to start, in microseconds. */
async function bootstrap(providers: readonly Provider[], withAi: boolean): Promise<number> {
  class AppModule {}
  const imports = withAi ? [AiModule.forRoot({ chatModel: new Model() })] : [];
  globalThis.gc?.();
  const start = performance.now();
  const app = await NestFactory.createApplicationContext(
    { module: AppModule, imports, providers: [...providers] },
    { logger: false },
  );
  const took = (performance.now() - start) * 1000;
  await app.close();
  return took;
}

/**
 * What AiModule adds for so many providers, of which some have five tools each, in microseconds: the difference of the fastest
 * starts, since whatever else the machine does can only make one slower.
 */
async function added(plain: number, withTools: number): Promise<number> {
  const fastest = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    // Classes that Nest has not seen, as when an application starts, in changing order.
    for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const providers = [
        ...Array.from({ length: withTools }, toolProvider),
        ...Array.from({ length: plain }, plainProvider),
      ];
      fastest[kind] = Math.min(fastest[kind], await bootstrap(providers, kind === 'with'));
    }
  }
  return fastest.with - fastest.without;
}

/** A tool with a schema of its own, as an MCP server lists it. */
function foreignTool(at: number): FunctionToolCallback {
  return new FunctionToolCallback({
    name: `tool${counter++}`,
    description: 'Finds records',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: `The id ${at}`, minLength: 1 },
        count: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' } },
        mode: { enum: ['any', 'all', 'none'] },
        time: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } }, required: ['from'] },
      },
      required: ['id'],
      additionalProperties: false,
    },
    toolFunction: () => 'found',
  });
}

/** How long the first request with tools that nobody has seen takes, in milliseconds. */
async function firstRequest(): Promise<number> {
  class AppModule {}
  const app = await NestFactory.createApplicationContext(
    { module: AppModule, imports: [AiModule.forRoot({ chatModel: new Model() })] },
    { logger: false },
  );
  const client = app.get(ChatClient);
  await client.prompt('Go').call().content();
  const tools = Array.from({ length: FOREIGN_TOOLS }, (_, at) => foreignTool(at));
  const start = performance.now();
  await client
    .prompt('Go')
    .tools(...tools)
    .call()
    .content();
  const took = performance.now() - start;
  await app.close();
  return took;
}

class Pass implements CanActivate, NestInterceptor {
  canActivate() {
    return true;
  }
  intercept(...[, next]: Parameters<NestInterceptor['intercept']>) {
    return next.handle();
  }
}

@Injectable()
class Called {
  @Tool() plain(city: string) {
    return city;
  }
  @UseGuards(Pass) @Tool() guarded(city: string) {
    return city;
  }
  @UseGuards(Pass) @UseInterceptors(Pass) @Tool() intercepted(city: string) {
    return city;
  }
}

/** How long a call of each tool takes, in microseconds. */
async function calls(): Promise<Record<string, number>> {
  class AppModule {}
  const app = await NestFactory.createApplicationContext(
    { module: AppModule, imports: [AiModule.forRoot({ chatModel: new Model() })], providers: [Called] },
    { logger: false },
  );
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, callback } of app.get(ToolRegistry).list()) {
      const start = performance.now();
      for (let call = 0; call < CALLS; call++) await callback.call('{"city":"Oslo"}');
      (times[name] ??= []).push(((performance.now() - start) * 1000) / CALLS);
    }
  }
  // What Nest itself takes to run the same enhancers before a method that does nothing.
  const instance = app.get<Record<string, () => unknown>>(Called);
  const creator = app.get(ExternalContextCreator, { strict: false });
  for (const name of ['guarded', 'intercepted']) {
    const run = creator.create(
      instance,
      instance[name]!,
      name,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'x',
    );
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      for (let call = 0; call < CALLS; call++) await run('Oslo');
      (times[`${name} by Nest`] ??= []).push(((performance.now() - start) * 1000) / CALLS);
    }
  }
  await app.close();
  return Object.fromEntries(Object.entries(times).map(([name, taken]) => [name, median(taken)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

let failed = false;
function line(what: string, value: number, limit: number, unit: string): void {
  const isOver = value > limit;
  failed ||= isOver;
  console.log(`  ${what}: ${value.toFixed(2)} ${unit} (at most ${limit}: ${isOver ? 'NOT MET' : 'met'})`);
}

/** What it costs to make the tools themselves, without a container, in microseconds a method: the fastest of the rounds. */
function making(methods: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const objects = Array.from({ length: methods / 5 }, () => new (toolProvider())());
    globalThis.gc?.();
    const start = performance.now();
    for (const object of objects) ToolCallbacks.from(object);
    fastest = Math.min(fastest, ((performance.now() - start) * 1000) / methods);
  }
  return fastest;
}

// Before all others: nothing of it is compiled yet, as in an application that has just started.
const first = await firstRequest();
console.log(`The first request with tools that nobody has seen, Node ${process.version}`);
line(`${FOREIGN_TOOLS} tools with schemas`, first, 60, 'ms');

await added(200, 200);
console.log(`What AiModule adds to the bootstrap, the fastest of ${ROUNDS} starts, Node ${process.version}`);
const empty = await added(0, 0);
const scanned = (await added(PROVIDERS, 0)) - empty;
line(`a provider scanned, of ${PROVIDERS}`, scanned / PROVIDERS, 2, 'µs');
const perProvider = scanned / PROVIDERS;
const ofMethods = async (methods: number): Promise<number> => {
  const withTools = methods / 5;
  const share = PROVIDERS * (methods / METHODS);
  return ((await added(share - withTools, withTools)) - empty - share * perProvider) / methods;
};
console.log(`  to make a tool of a method, without a container: ${making(METHODS).toFixed(2)} µs`);
const half = await ofMethods(METHODS / 2);
const whole = await ofMethods(METHODS);
line(`a tool method, of ${METHODS} on ${PROVIDERS} providers`, whole, 20, 'µs');
line(`the same as a ratio to half as many`, whole / half, 1.3, '×');

console.log(`A tool call, medians of ${ROUNDS} rounds of ${CALLS} calls`);
const { plain, guarded, intercepted, ...byNest } = await calls();
console.log(`  without enhancers: ${plain!.toFixed(2)} µs`);
line('behind a guard', guarded! / plain!, 3, '×');
console.log(`    of which Nest alone takes ${byNest['guarded by Nest']!.toFixed(2)} of ${guarded!.toFixed(2)} µs`);
line('behind a guard and an interceptor', intercepted! / plain!, 3, '×');
console.log(
  `    of which Nest alone takes ${byNest['intercepted by Nest']!.toFixed(2)} of ${intercepted!.toFixed(2)} µs`,
);
if (failed) process.exitCode = 1;
