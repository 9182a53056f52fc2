import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Injectable,
  Module,
  Post,
  type Provider,
  Req,
  RequestMethod,
  Sse,
  UseGuards,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, ToolContext, SuspendedTurnRepository } from '@nestor-ai/core';
import {
  AiTurnsModule,
  InMemoryTurnEventLog,
  InMemoryTurnJournal,
  TurnEventLog,
  TurnJournal,
  TurnQueue,
  TurnRunner,
  TurnStreams,
} from '@nestor-ai/turns';
import { AiUiModule, fromUIMessages, UI_MESSAGE_FORMAT, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

/** Where a request has its user. */
@Injectable()
export class UserHeader {
  readonly name = 'x-user';
}

@Module({ providers: [UserHeader], exports: [UserHeader] })
class UsersModule {}

/** The user of a request is in a header. */
@Injectable()
export class HeaderGuard implements CanActivate {
  constructor(private readonly header: UserHeader) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: { id: string } }>();
    const id = request.headers[this.header.name];
    if (id !== undefined) request.user = { id };
    return true;
  }
}

/** A tool that waits until a test lets it go on. */
@Injectable()
export class Archive {
  aborted = 0;
  #open!: () => void;
  readonly #isOpen = new Promise<void>((resolve) => (this.#open = resolve));

  open(): void {
    this.#open();
  }

  @Tool({ description: 'Looks into the archive', replaySafe: true, ui: 'all' })
  async look({ signal }: ToolContext): Promise<string> {
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        this.aborted++;
        reject(signal.reason as Error);
      });
    });
    await Promise.race([this.#isOpen, gone]);
    return 'found';
  }
}

/** Runs turns in the process that queues them, or in none. */
@Injectable()
export class LocalQueue extends TurnQueue {
  runner: { readonly turns: TurnRunner; readonly streams: TurnStreams } | undefined;
  readonly added: string[] = [];
  readonly runs: Promise<void>[] = [];

  add(turnId: string): void {
    this.added.push(turnId);
    if (this.runner) this.runs.push(this.run(turnId));
  }

  async run(turnId: string): Promise<void> {
    const prepared = await this.runner!.turns.prepare(turnId);
    if (prepared.next !== 'run') return;
    const { turn, request } = prepared;
    await this.runner!.streams.record(turn, request).catch(() => undefined);
  }
}

@Controller()
@UseGuards(HeaderGuard)
class ChatController {
  constructor(
    private readonly client: ChatClient,
    private readonly streams: TurnStreams,
  ) {}

  @Sse('ui-chat', { method: RequestMethod.POST })
  async uiChat(
    @Req() request: object,
    @Body() { id, messages }: { id: string; messages: UIMessageInput[] },
  ): Promise<ReturnType<TurnStreams['messages']>> {
    const prompt = withUIMessages(this.client.prompt(), messages).conversation(id).request(request);
    const { approvals } = fromUIMessages(messages);
    return this.streams.messages(await prompt.enqueue(), UI_MESSAGE_FORMAT, { approvals });
  }

  @Post('chat')
  async chat(@Req() request: object, @Body('conversation') conversation = 'c'): Promise<{ id: string }> {
    return { id: await this.client.prompt('Look').conversation(conversation).request(request).enqueue() };
  }
}

@Module({ providers: [Archive], exports: [Archive] })
class ArchiveModule {}

export interface ReplicaOptions {
  readonly script?: readonly ScriptEntry[];
  readonly journal?: TurnJournal;
  readonly log?: TurnEventLog;
  /** The stores of another package. They replace journal and log. */
  readonly stores?: {
    readonly imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>;
    readonly providers: Provider[];
  };
  /** How long a claim of a turn is valid, in milliseconds. Default: that of AiModule. */
  readonly turnLease?: number;
  /** More providers of `AiModule`. */
  readonly providers?: Provider[];
  /** Whether the replica runs turns. Default: true. */
  readonly isWorker?: boolean;
  readonly hasRoutes?: boolean;
  /** Whether it imports `AiUiModule`. Default: true. */
  readonly hasUi?: boolean;
  /** Whether `look` waits for approval. Default: false. */
  readonly needsApproval?: boolean;
  readonly adapter?: AbstractHttpAdapter;
}

export const LOOK = { text: 'Let me look.', toolCalls: [toolCall('look', {}, 'c1')] };
const LOOKS: readonly ScriptEntry[] = [LOOK, 'It is there.'];

/** Starts an application that listens on loopback. */
export async function startReplica({
  script = LOOKS,
  journal = new InMemoryTurnJournal(),
  log = new InMemoryTurnEventLog(),
  stores,
  providers = [],
  turnLease,
  isWorker = true,
  hasRoutes = true,
  hasUi = true,
  needsApproval = false,
  adapter,
}: ReplicaOptions = {}) {
  const queue = new LocalQueue();
  const own = [
    { provide: SuspendedTurnRepository, useValue: journal },
    { provide: TurnEventLog, useValue: log },
  ];
  const module = await Test.createTestingModule({
    imports: [
      ...(stores?.imports ?? []),
      ArchiveModule,
      UsersModule,
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(script),
        memory: true,
        properties: {
          tools: { overrides: { look: { needsApproval } } },
          ...(turnLease && { chat: { client: { toolCalling: { turnLease } } } }),
        },
        providers: [
          ...AiTurnsModule.providers(),
          ...(stores?.providers ?? own),
          ...providers,
          { provide: TurnQueue, useValue: queue },
        ],
      }),
      ...(hasUi ? [AiUiModule] : []),
      ...(hasRoutes ? [AiTurnsModule.forRoot({ guards: [HeaderGuard], imports: [UsersModule] })] : []),
    ],
    controllers: [ChatController],
  }).compile();
  // The client of Node.js leaves connections open that it has not used.
  const options = { logger: false as const, forceCloseConnections: true };
  const app = adapter ? module.createNestApplication(adapter, options) : module.createNestApplication(options);
  await app.listen(0, '127.0.0.1');
  if (isWorker) queue.runner = { turns: app.get(TurnRunner), streams: app.get(TurnStreams) };
  const url = await app.getUrl();
  const send = (
    path: string,
    { user = 'ann', ...init }: Omit<RequestInit, 'headers'> & { user?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> => fetch(`${url}/${path}`, { ...init, headers: { 'x-user': user, ...init.headers } });
  return {
    app,
    url,
    queue,
    send,
    archive: app.get(Archive),
    journal: app.get<TurnJournal>(TurnJournal),
    streams: app.get(TurnStreams),
    ask: async (conversation = 'c'): Promise<string> => {
      const body = JSON.stringify({ conversation });
      const answer = await send('chat', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { id: string }).id;
    },
  };
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** A server-sent event of a turn. */
export interface TurnSse {
  readonly id: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Reads events until the server ends the stream, or until one fits. Leaving closes the connection. */
export async function readEvents(
  replica: Replica,
  turnId: string,
  { after, until = () => false }: { readonly after?: number; readonly until?: (event: TurnSse) => boolean } = {},
): Promise<readonly TurnSse[]> {
  const leaving = new AbortController();
  const headers = after === undefined ? {} : { 'last-event-id': String(after) };
  const response = await replica.send(`turns/${turnId}/events`, { headers, signal: leaving.signal });
  const events: TurnSse[] = [];
  if (!response.body) return events;
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const [, id, type, data] = /^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (id === undefined) continue;
      events.push({ id: Number(id), type: type!, data: JSON.parse(data!) as Record<string, unknown> });
      if (!until(events.at(-1)!)) continue;
      leaving.abort();
      return events;
    }
  }
  return events;
}

export const textOf = (events: readonly TurnSse[]): string =>
  events.flatMap(({ type, data }) => (type === 'text' ? [String(data['text'])] : [])).join('');
