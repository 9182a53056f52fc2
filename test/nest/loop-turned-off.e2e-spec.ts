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
import { ScriptedChatModel } from '@nestor-ai/core/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { callOf, startApplication } from './application.js';

@Injectable()
class Tools {
  ran = 0;
  @Tool() work() {
    return `worked ${++this.ran}`;
  }
}

@RegisterAdvisor({ clients: ['default', 'named'] })
@Injectable()
class Registered extends ToolCallingAdvisor {}

/** Where a loop comes from. The last two are given explicitly. */
const LOOPS = ['the default', 'provided', 'registered', 'tool search', 'of the client', 'of the request'] as const;
type Loop = (typeof LOOPS)[number];

/** A way to turn the loop off, and the loops that it does not reach. */
interface Way {
  readonly name: string;
  readonly spares: readonly Loop[];
  readonly properties?: object;
  readonly modelOptions?: ChatOptions;
  readonly client?: { readonly options?: ChatOptions; readonly autoRegister?: boolean };
  readonly request?: { readonly options?: ChatOptions; readonly autoRegister?: boolean };
}

const OFF = { toolCalling: { enabled: false } };
const OWN = { internalToolExecutionEnabled: false };
const GIVEN: readonly Loop[] = ['of the client', 'of the request'];

const WAYS: readonly Way[] = [
  { name: 'ai.chat.client.tool-calling.enabled', spares: GIVEN, properties: { chat: { client: OFF } } },
  { name: 'ai.clients.<name>.tool-calling.enabled', spares: GIVEN, properties: { clients: { named: OFF } } },
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
    properties: { chat: { client: OFF }, clients: { named: { toolCalling: { enabled: true } } } },
  },
  {
    name: 'the application has none, and the request asks for it',
    spares: LOOPS,
    properties: { chat: { client: OFF } },
    request: { autoRegister: true },
  },
];

class DefaultedModel extends ScriptedChatModel {
  constructor(
    script: ConstructorParameters<typeof ScriptedChatModel>[0],
    override readonly defaultOptions: ChatOptions,
  ) {
    super(script);
  }
}

/** How often the tool runs when the model asks for it once. */
async function runsOf(way: Way, loop: Loop, face: 'call' | 'stream'): Promise<number> {
  const { properties = {}, modelOptions = {}, client: ofClient = {}, request: ofRequest = {} } = way;
  const search = { clients: { named: { toolSearchAdvisor: { enabled: loop === 'tool search' } } } };
  const advisors = loop === 'of the client' ? [new ToolCallingAdvisor()] : [];
  const { app } = await startApplication(
    {
      imports: [
        ToolSearchModule.forRoot(),
        AiModule.forFeature([{ name: 'named', tools: [Tools], advisors, options: ofClient.options ?? {} }]),
      ],
      providers: [Tools, ...(loop === 'registered' ? [Registered] : [])],
    },
    [],
    {
      chatModel: new DefaultedModel(callOf('work'), modelOptions),
      properties: merged(properties, search),
      providers:
        loop === 'provided' ? [{ provide: ToolCallingAdvisor, useClass: class extends ToolCallingAdvisor {} }] : [],
    },
  );
  let client = app.get<ChatClient>(getChatClientToken('named') as never);
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
  return app.get(Tools).ran;
}

/** `ai.clients.named` of both. */
function merged(one: object, other: { clients: { named: object } }): object {
  const { clients } = one as { clients?: { named?: object } };
  return { ...one, clients: { named: { ...clients?.named, ...other.clients.named } } };
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
