import { describe, expect, it } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  AdvisorParams,
  AiModule,
  ChatClient,
  ChatClientBuilder,
  type ChatClientResponse,
  getChatClientToken,
  RegisterAdvisor,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { type Scene, startApplication } from './application.js';

@Injectable()
class Tools {
  @Tool() work() {
    return 'worked';
  }
}

/** A loop that leaves its name behind. */
class Named extends ToolCallingAdvisor {
  protected override doFinalizeLoop(response: ChatClientResponse): ChatClientResponse {
    return { ...response, context: { ...response.context, loop: this.constructor.name } };
  }
}
class OfRequest extends Named {}
class OfClient extends Named {}
@Injectable()
class Provided extends Named {}
@RegisterAdvisor({ clients: ['default', 'named', 'named-own'] })
@Injectable()
class Registered extends Named {}

type Off = 'no' | 'by option' | 'by configuration' | 'by environment' | 'by request';
interface Row {
  /** `ai.chat.client.tool-calling.enabled=false`, and how. */
  off: Off;
  provided: boolean;
  registered: boolean;
  client: boolean;
  request: boolean;
}

/** Who has the say, from the nearest to the request. */
function expected({ off, provided, registered, client, request }: Row): string {
  if (request) return 'OfRequest';
  if (client) return 'OfClient';
  if (off !== 'no') return 'none';
  if (registered) return 'Registered';
  return provided ? 'Provided' : 'the default';
}

const OFF: readonly Off[] = ['no', 'by option', 'by configuration', 'by environment', 'by request'];
const BOTH = [false, true];
const rows = OFF.flatMap((off) =>
  BOTH.flatMap((provided) =>
    BOTH.flatMap((registered) =>
      BOTH.flatMap((client) => BOTH.map((request): Row => ({ off, provided, registered, client, request }))),
    ),
  ),
);

type App = Pick<Row, 'off' | 'provided' | 'registered'>;

/** The named clients. The second one has a loop of its own. */
const CLIENTS = { usual: 'named', own: 'named-own' } as const;

async function start({ off, provided, registered }: App): Promise<Scene> {
  const properties = { chat: { client: { toolCalling: { enabled: false } } } };
  const load = off === 'by configuration' ? { ai: properties } : {};
  if (off === 'by environment') process.env.AI_CHAT_CLIENT_TOOL_CALLING_ENABLED = 'false';
  try {
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => load] });
    const clients = AiModule.forFeature([
      { name: CLIENTS.usual, tools: [Tools] },
      { name: CLIENTS.own, tools: [Tools], advisors: [new OfClient()] },
    ]);
    const providers: Provider[] = [Tools, ...(registered ? [Registered] : [])];
    const model = new ScriptedChatModel(({ messages }) =>
      messages.at(-1)!.role === 'tool' ? 'done' : { toolCalls: [toolCall('work')] },
    );
    const scene = await startApplication({ imports: [config, clients], providers }, [], {
      chatModel: model,
      properties: off === 'by option' ? properties : {},
      providers: provided ? [{ provide: ToolCallingAdvisor, useClass: Provided }] : [],
    });
    return { ...scene, model };
  } finally {
    delete process.env.AI_CHAT_CLIENT_TOOL_CALLING_ENABLED;
  }
}

const scenes = new Map<string, Promise<Scene>>();

/** Rows that differ in the client or in the request only are asked of the same application. */
function sceneOf({ off, provided, registered }: Row): Promise<Scene> {
  const app: App = { off: off === 'by request' ? 'no' : off, provided, registered };
  const key = JSON.stringify(app);
  if (!scenes.has(key)) scenes.set(key, start(app));
  return scenes.get(key)!;
}

async function loopOf(row: Row, name: 'default' | 'named'): Promise<string> {
  const { app, model } = await sceneOf(row);
  model.prompts.length = 0;
  const builder = await app.resolve(ChatClientBuilder);
  const usual = row.client ? builder.defaultAdvisors(new OfClient()).build() : app.get(ChatClient);
  const named = getChatClientToken(row.client ? CLIENTS.own : CLIENTS.usual);
  const client = name === 'named' ? app.get<ChatClient>(named as never) : usual;
  const request = client.prompt('Go');
  if (row.off === 'by request') request.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false));
  if (row.request) request.advisors(new OfRequest());
  const { context } = await request.call().chatClientResponse();
  const ran = model.prompts.length === 2 ? 'the default' : 'none';
  // The tools are declared to the model in any case.
  expect(model.prompts[0]!.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name)).toEqual(['work']);
  return (context.loop as string | undefined) ?? ran;
}

describe('which loop runs the tools', () => {
  it.each(rows)(
    'turned off: $off; ToolCallingAdvisor replaced: $provided; @RegisterAdvisor: $registered; of the client: $client; of the request: $request',
    async (row) => {
      expect(await loopOf(row, 'default')).toBe(expected(row));
      expect(await loopOf(row, 'named')).toBe(expected(row));
    },
  );
});
