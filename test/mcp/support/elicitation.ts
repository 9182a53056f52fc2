import {
  type ChatResponse,
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  type ToolApproval,
  type TurnChange,
  type TurnData,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { McpClientModule, McpCredentials, type McpServerConnection } from '@nestor-ai/mcp';
import { type Scene, startApplication } from '../../nest/application.js';

/** The rows of a table that applications share. */
export class Turns extends InMemorySuspendedTurnRepository {
  readonly rows: string[] = [];

  override save(turn: TurnData, change: TurnChange): number | undefined {
    this.rows.push(JSON.stringify(turn));
    return super.save(JSON.parse(this.rows.at(-1)!) as TurnData, change);
  }
}

/** The token of a user is their name. */
class Names extends McpCredentials {
  credentialOf(_server: string, request: unknown) {
    const { user } = (request ?? {}) as { user?: { id: string } };
    return user && { key: user.id, authProvider: { token: () => Promise.resolve(user.id) } };
  }
}

export const ann = { user: { id: 'ann' } };
export const bob = { user: { id: 'bob' } };
/** What is started besides the server. */
interface Options {
  readonly turns?: Turns;
  readonly tool?: string;
  readonly input?: object;
  readonly script?: readonly ScriptEntry[];
}

/** An application with a server `air`, whose model calls a tool of it. */
export function start(
  server: Partial<McpServerConnection>,
  {
    turns = new Turns(),
    tool = 'book',
    input,
    script = [{ toolCalls: [toolCall(tool, input ?? {}, 'c1')] }, 'done', 'done', 'done'],
  }: Options = {},
) {
  const servers = [{ name: 'air', ...server }];
  const providers = [{ provide: McpCredentials, useClass: Names }];
  return startApplication({ imports: [McpClientModule.forRoot({ servers, providers })] }, script, {
    providers: [{ provide: SuspendedTurnRepository, useValue: turns }],
  });
}

/** Makes the turn that calls the tool. */
export const ask = ({ client }: Scene, request: object = ann) =>
  client.prompt('Go').request(request).call().chatResponse();

/** Answers the question of the tool. */
export function decide(
  { client }: Scene,
  asked: ChatResponse | undefined,
  decision: Partial<ToolApproval>,
  request = ann,
) {
  const approvals = [{ toolCallId: 'c1', approved: true, ...decision }];
  return client.prompt().toolApprovals(approvals, { turnId: asked?.turnId }).request(request).call().chatResponse();
}

/** What the user is asked. */
export const questionOf = (response: ChatResponse | undefined) => response?.pendingApprovals[0]?.inputRequest;
