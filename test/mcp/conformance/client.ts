/*
 * The client of the conformance tests: a Nest application whose model calls the tools of the
 * server that the suite names in the last argument. The suite chooses the scenario with
 * environment variables.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AiModule,
  ChatClient,
  type ChatResponse,
  type Prompt,
  type ToolApproval,
  type ToolCall,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { McpClientModule, type McpCredential, McpCredentials, McpSessions, McpSignIn } from '@nestor-ai/mcp';
import { BrowserSignIn } from './browser-sign-in.js';
import { fetchWithLocalDiscover } from './local-discover.js';
import { CONTEXT, plannedCalls, SCENARIO } from './planned-calls.js';

const SERVER = 'suite';
const url = process.argv.at(-1)!;
/** Servers that do not answer `server/discover`. */
const NEEDS_LOCAL_DISCOVER = /^(http-(standard|custom|invalid-tool)-headers|sep-2322-client-request-state)$/;
/** In this scenario, a tool of 2025 must not run twice, as it does when a turn waits for its user. */
const ANSWERED_AT_ONCE = 'elicitation-sep1034-client-defaults';
/** An application gives up when a server refuses the user again and again. */
const MAX_SIGN_INS = 2;

const user = {};
const { client_id, client_secret } = CONTEXT;
const browser = new BrowserSignIn(
  client_id === undefined ? undefined : { client_id, ...(client_secret && { client_secret }) },
);

class UserCredentials extends McpCredentials {
  override credentialOf(): McpCredential {
    return { key: 'user', authProvider: browser };
  }
}

/** Makes the calls of the scenario, one after the other. */
function answer({ messages, options }: Prompt): string | { toolCalls: ToolCall[] } {
  const offered = options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name) ?? [];
  const made = messages.filter(({ role }) => role === 'tool').length;
  const next = plannedCalls(offered)[made];
  return next ? { toolCalls: [toolCall(next.name, next.arguments)] } : 'done';
}

@Module({
  imports: [
    AiModule.forRoot({ chatModel: new ScriptedChatModel(answer) }),
    McpClientModule.forRoot({
      servers: [{ name: SERVER, url, ...(NEEDS_LOCAL_DISCOVER.test(SCENARIO) && { fetch: fetchWithLocalDiscover }) }],
      ...(SCENARIO.startsWith('auth/') && { providers: [{ provide: McpCredentials, useClass: UserCredentials }] }),
    }),
  ],
})
class ClientModule {}

const app = await NestFactory.createApplicationContext(ClientModule, { logger: ['error', 'warn'] });
const chatClient = app.get(ChatClient);

for (let signIns = 0; ; signIns++) {
  await (SCENARIO === ANSWERED_AT_ONCE ? callWithUser() : useTools());
  const callback = browser.takeCallback();
  if (!callback || signIns === MAX_SIGN_INS) break;
  await app.get(McpSignIn).finish(SERVER, user, callback);
}
if (SCENARIO === 'http-standard-headers') await readEverything();
await app.close();

/** Asks the model, and answers the questions of the tools. */
async function useTools(): Promise<void> {
  let response = await chatClient.prompt('Use the tools.').request(user).call().chatResponse();
  while (response?.pendingApprovals.length) {
    const { turnId } = response;
    response = await chatClient
      .prompt()
      .request(user)
      .toolApprovals(answersTo(response), { turnId })
      .call()
      .chatResponse();
  }
}

function answersTo({ pendingApprovals }: ChatResponse): ToolApproval[] {
  return pendingApprovals.map(({ id, inputRequest }) => {
    return {
      toolCallId: id,
      approved: true,
      ...(inputRequest && { input: filledIn(inputRequest.schema?.['properties']) }),
    };
  });
}

/** A user who leaves the defaults of a form as they are, and ticks all boxes. */
function filledIn(properties: unknown): Record<string, unknown> {
  const fields = Object.entries((properties ?? {}) as Record<string, { type?: string; default?: unknown }>);
  return Object.fromEntries(
    fields.flatMap(([name, { type, default: value = type === 'boolean' ? true : undefined }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Calls the tools of the server for a user who answers while a call runs. */
async function callWithUser(): Promise<void> {
  const session = await app.get(McpSessions).session(SERVER, user);
  const names = (await session.tools()).map(({ name }) => name);
  for (const { name, arguments: input } of plannedCalls(names)) {
    await session.withElicitation(
      async (question) => {
        const form = 'requestedSchema' in question ? question.requestedSchema.properties : {};
        return { action: 'accept', content: filledIn(form) as Record<string, string> };
      },
      () => session.client.callTool({ name, arguments: { ...input } }),
    );
  }
}

/** Reads a resource and gets a prompt of the server. */
async function readEverything(): Promise<void> {
  const { client } = await app.get(McpSessions).session(SERVER, user);
  const { resources } = await client.listResources();
  for (const { uri } of resources.slice(0, 1)) await client.readResource({ uri });
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts.slice(0, 1)) await client.getPrompt({ name, arguments: {} });
}
