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
import { callOf, startApplication } from './application.js';

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
@RegisterAdvisor({ clients: ['default', 'named'] })
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

async function loopOf(row: Row, name: 'default' | 'named'): Promise<string> {
  const off = { chat: { client: { toolCalling: { enabled: false } } } };
  const load = row.off === 'by configuration' ? { ai: off } : {};
  if (row.off === 'by environment') process.env.AI_CHAT_CLIENT_TOOL_CALLING_ENABLED = 'false';
  try {
    const config = await ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => load] });
    const advisors = row.client && name === 'named' ? [new OfClient()] : [];
    const providers: Provider[] = [Tools, ...(row.registered ? [Registered] : [])];
    const { app, model } = await startApplication(
      { imports: [config, AiModule.forFeature([{ name: 'named', tools: [Tools], advisors }])], providers },
      callOf('work'),
      {
        properties: row.off === 'by option' ? off : {},
        providers: row.provided ? [{ provide: ToolCallingAdvisor, useClass: Provided }] : [],
      },
    );
    const builder = await app.resolve(ChatClientBuilder);
    const usual = row.client ? builder.defaultAdvisors(new OfClient()).build() : app.get(ChatClient);
    const client = name === 'named' ? app.get<ChatClient>(getChatClientToken('named') as never) : usual;
    const request = client.prompt('Go');
    if (row.off === 'by request') request.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false));
    if (row.request) request.advisors(new OfRequest());
    const { context } = await request.call().chatClientResponse();
    const ran = model.prompts.length === 2 ? 'the default' : 'none';
    // The tools are declared to the model in any case.
    expect(model.prompts[0]!.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name)).toEqual([
      'work',
    ]);
    return (context.loop as string | undefined) ?? ran;
  } finally {
    delete process.env.AI_CHAT_CLIENT_TOOL_CALLING_ENABLED;
  }
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
