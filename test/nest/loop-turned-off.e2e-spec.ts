import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  AdvisorParams,
  AiModule,
  type ChatClient,
  type ChatOptions,
  getChatClientToken,
  RegisterAdvisor,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { startApplication } from './application.js';

@Injectable()
class Tools {
  ran = 0;
  @Tool() work() {
    return `worked ${++this.ran}`;
  }
}

/** Where a loop comes from. The last two are given explicitly. */
const LOOPS = ['the default', 'provided', 'registered', 'tool search', 'of the client', 'of the request'] as const;
type Loop = (typeof LOOPS)[number];

/** A way to turn the loop off, and the loops that it does not reach. */
interface Way {
  readonly name: string;
  readonly spares: readonly Loop[];
  readonly properties?: object;
  /** Its properties of each named client. */
  readonly ofEachClient?: object;
  readonly modelOptions?: ChatOptions;
  readonly client?: { readonly options?: ChatOptions; readonly autoRegister?: boolean };
  readonly request?: { readonly options?: ChatOptions; readonly autoRegister?: boolean };
}

const OFF = { toolCalling: { enabled: false } };
const OWN = { internalToolExecutionEnabled: false };
const GIVEN: readonly Loop[] = ['of the client', 'of the request'];

const WAYS: readonly Way[] = [
  { name: 'ai.chat.client.tool-calling.enabled', spares: GIVEN, properties: { chat: { client: OFF } } },
  { name: 'ai.clients.<name>.tool-calling.enabled', spares: GIVEN, ofEachClient: OFF },
  { name: 'toolCallingAdvisorAutoRegister(false) of the client', spares: GIVEN, client: { autoRegister: false } },
  { name: 'toolCallingAdvisorAutoRegister(false) of the request', spares: GIVEN, request: { autoRegister: false } },
  { name: 'internalToolExecutionEnabled of the model', spares: [], modelOptions: OWN },
  { name: 'internalToolExecutionEnabled of the client', spares: [], client: { options: OWN } },
  { name: 'internalToolExecutionEnabled of the request', spares: [], request: { options: OWN } },
];

const ON_AGAIN: readonly Way[] = [
  {
    name: 'the application has none, and the client has its own',
    spares: LOOPS,
    properties: { chat: { client: OFF } },
    ofEachClient: { toolCalling: { enabled: true } },
  },
  {
    name: 'the application has none, and the request asks for it',
    spares: LOOPS,
    properties: { chat: { client: OFF } },
    request: { autoRegister: true },
  },
];

/** Each loop of an application or a client has a client of its own. */
const CLIENTS = ['usual', 'registered', 'searching', 'given'] as const;

function clientOf(loop: Loop): (typeof CLIENTS)[number] {
  if (loop === 'registered') return 'registered';
  if (loop === 'tool search') return 'searching';
  return loop === 'of the client' ? 'given' : 'usual';
}

@RegisterAdvisor({ clients: ['registered'] })
@Injectable()
class Registered extends ToolCallingAdvisor {}

async function start({ properties = {}, ofEachClient = {}, modelOptions = {}, client }: Way, isProvided: boolean) {
  const model = new ScriptedChatModel(
    ({ messages }) => (messages.at(-1)!.role === 'tool' ? 'done' : { toolCalls: [toolCall('work')] }),
    modelOptions,
  );
  const clients = Object.fromEntries(
    CLIENTS.map((name) => [name, { ...ofEachClient, toolSearchAdvisor: { enabled: name === 'searching' } }]),
  );
  const { app } = await startApplication(
    {
      imports: [
        ToolSearchModule.forRoot(),
        AiModule.forFeature(
          CLIENTS.map((name) => ({
            name,
            tools: [Tools],
            advisors: name === 'given' ? [new ToolCallingAdvisor()] : [],
            options: client?.options ?? {},
          })),
        ),
      ],
      providers: [Tools, Registered],
    },
    [],
    {
      chatModel: model,
      properties: { ...properties, clients },
      providers: isProvided ? [{ provide: ToolCallingAdvisor, useClass: class extends ToolCallingAdvisor {} }] : [],
    },
  );
  return app;
}

const applications = new Map<string, ReturnType<typeof start>>();

/** Cells that differ in the client or in the request only are asked of the same application. */
function applicationOf(way: Way, isProvided: boolean) {
  const { properties, ofEachClient, modelOptions, client } = way;
  const key = JSON.stringify({ properties, ofEachClient, modelOptions, options: client?.options, isProvided });
  if (!applications.has(key)) applications.set(key, start(way, isProvided));
  return applications.get(key)!;
}

/** How often the tool runs when the model asks for it once. */
async function runsOf(way: Way, loop: Loop, face: 'call' | 'stream'): Promise<number> {
  const { client: ofClient = {}, request: ofRequest = {} } = way;
  const app = await applicationOf(way, loop === 'provided');
  const tools = app.get(Tools);
  tools.ran = 0;
  let client = app.get<ChatClient>(getChatClientToken(clientOf(loop)) as never);
  if (ofClient.autoRegister !== undefined) {
    client = client
      .mutate()
      .defaultAdvisors(AdvisorParams.toolCallingAdvisorAutoRegister(ofClient.autoRegister))
      .build();
  }
  const request = client.prompt('Go').options(ofRequest.options ?? {});
  if (ofRequest.autoRegister !== undefined) {
    request.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(ofRequest.autoRegister));
  }
  if (loop === 'of the request') request.advisors(new ToolCallingAdvisor());
  if (face === 'call') await request.call().content();
  else for await (const _text of request.stream().content());
  return tools.ran;
}

const cells = (ways: readonly Way[]) =>
  ways.flatMap((way) =>
    LOOPS.flatMap((loop) =>
      (['call', 'stream'] as const).map((face) => ({
        face,
        way,
        name: way.name,
        loop,
        runs: way.spares.includes(loop) ? 'runs' : 'is off',
      })),
    ),
  );

describe('the loop is turned off', () => {
  it.each(cells(WAYS))('by $name: $loop $runs ($face)', async ({ way, loop, runs, face }) => {
    expect(await runsOf(way, loop, face)).toBe(runs === 'runs' ? 1 : 0);
  });
});

describe('the nearer to the request, the stronger', () => {
  it.each(cells(ON_AGAIN))('$name: $loop $runs ($face)', async ({ way, loop, face }) => {
    expect(await runsOf(way, loop, face)).toBe(1);
  });
});
