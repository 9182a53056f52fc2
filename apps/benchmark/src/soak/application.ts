import {
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  type MessageEvent,
  Module,
  Post,
  Query,
  Res,
  Sse,
} from '@nestjs/common';
import {
  AiModule,
  ChatClient,
  ChatMemory,
  ChatMemoryRepository,
  InMemoryChatMemoryRepository,
  InMemorySuspendedTurnRepository,
  type Message,
  MessageChatMemoryAdvisor,
  SuspendedTurnRepository,
  Tool,
  ToolCallingAdvisor,
  type ToolApproval,
  ToolContext,
  ToolParam,
} from '@nestor-ai/core';
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { map, type Observable } from 'rxjs';
import { BRIEF, ChaosChatModel, pause } from './chaos-chat-model.js';
import { Random } from './random.js';

/** How long a tool may take, in milliseconds. */
const TOOL_TIMEOUT = 100;
/** So few that all bounds are reached early: what still grows then is a leak. */
const MAX_KEPT = 30;

const random = new Random(Number(process.env['SOAK_SEED'] ?? 1));

/** What happens in the application, for those who watch it. */
export class Observations {
  /** Shared by requests of many callers, as that of a maintenance mode would be. */
  readonly sharedSignal: AbortSignal = new AbortController().signal;
  readonly #collected = new FinalizationRegistry<undefined>(() => this.keptRequests--);
  /** Requests whose response something still holds. */
  keptRequests = 0;

  /** How often each approved call has run. */
  readonly transfers = new Map<string, number>();
  /** Calls that were approved once and have run twice. */
  doubleTransfers = 0;

  constructor() {
    // Node.js warns of more than ten.
    setMaxListeners(0, this.sharedSignal);
  }

  answering(response: ServerResponse): void {
    this.keptRequests++;
    this.#collected.register(response, undefined);
  }

  transferred(callId: string): void {
    const times = (this.transfers.get(callId) ?? 0) + 1;
    if (times === 2) this.doubleTransfers++;
    this.transfers.set(callId, times);
    if (this.transfers.size > 1000) this.transfers.delete(this.transfers.keys().next().value!);
  }
}

@Injectable()
class ChaosTools {
  constructor(private readonly observations: Observations) {}

  @Tool() async lookUp(@ToolParam() id: string, { signal }: ToolContext) {
    await pause(random.below(5), signal);
    return { id, found: true };
  }
  @Tool() throws(@ToolParam({ name: 'id' }) _id: string): never {
    throw new Error('The database is down.');
  }
  @Tool({ timeout: TOOL_TIMEOUT }) hangs(@ToolParam({ name: 'id' }) _id: string) {
    return new Promise(() => undefined);
  }
  @Tool() async ignoresItsSignal(@ToolParam({ name: 'id' }) _id: string) {
    await pause(50, undefined);
    return 'late';
  }
  @Tool() isHuge(@ToolParam({ name: 'id' }) _id: string) {
    return 'x'.repeat(200_000);
  }
  @Tool({ needsApproval: true }) transfer(@ToolParam({ name: 'id' }) _id: string, { toolCall }: ToolContext) {
    this.observations.transferred(toolCall.id);
    return 'transferred';
  }
}

/** A database with bad moments. */
@Injectable()
class FlakyRepository extends ChatMemoryRepository {
  readonly #stored = new InMemoryChatMemoryRepository({ maxConversations: MAX_KEPT });

  findConversationIds() {
    return this.#stored.findConversationIds();
  }
  async findByConversationId(id: string) {
    await this.#reach();
    return this.#stored.findByConversationId(id);
  }
  async saveAll(id: string, messages: readonly Message[]) {
    await this.#reach();
    this.#stored.saveAll(id, messages);
  }
  deleteByConversationId(id: string) {
    this.#stored.deleteByConversationId(id);
  }

  async #reach(): Promise<void> {
    const what = random.pick({ works: 95, isSlow: 3, fails: 1.5, hangs: 0.5 });
    if (what === 'isSlow') await pause(10, undefined);
    if (what === 'fails') throw new Error('The database has closed the connection.');
    if (what === 'hangs') await new Promise(() => undefined);
  }
}

interface Question {
  readonly conversation?: string;
  readonly isRememberedInside?: boolean;
  readonly followsSharedSignal?: boolean;
}

@Controller()
class ChatController {
  readonly #before: MessageChatMemoryAdvisor;
  readonly #inside: MessageChatMemoryAdvisor;

  constructor(
    private readonly chatClient: ChatClient,
    private readonly observations: Observations,
    @Inject(ChatMemory) chatMemory: ChatMemory,
  ) {
    this.#before = new MessageChatMemoryAdvisor({ chatMemory });
    this.#inside = new MessageChatMemoryAdvisor({ chatMemory, order: ToolCallingAdvisor.DEFAULT_ORDER + 100 });
  }

  @Post('ask')
  async ask(@Body() question: Question, @Res({ passthrough: true }) response: ServerResponse) {
    const request = this.#request(question, this.#signalOf(question, response));
    const answer = await request.call().chatResponse();
    const pending = answer?.result?.metadata?.['pendingApprovals'] as { id: string }[] | undefined;
    return { turnId: answer?.metadata['turnId'], pending: pending?.map(({ id }) => id), text: answer?.text };
  }

  @Post('approvals')
  async approve(
    @Body() { turnId, approvals }: { turnId: string; approvals: ToolApproval[] },
    @Res({ passthrough: true }) response: ServerResponse,
  ) {
    const signal = this.#signalOf({}, response);
    const request = this.chatClient.prompt().options({ signal }).toolApprovals(approvals, { turnId });
    return { text: await request.call().content() };
  }

  @Get('stream')
  @Sse()
  stream(@Query('conversation') conversation: string, @Res() response: ServerResponse): Observable<MessageEvent> {
    this.observations.answering(response);
    const texts = this.#request({ conversation }, undefined).stream().content();
    return texts.pipe(map((data) => ({ data })));
  }

  /** Aborted when the caller leaves. */
  #signalOf({ followsSharedSignal }: Question, response: ServerResponse): AbortSignal {
    this.observations.answering(response);
    if (followsSharedSignal) return this.observations.sharedSignal;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return gone.signal;
  }

  #request({ conversation, isRememberedInside }: Question, signal: AbortSignal | undefined) {
    const text = signal === this.observations.sharedSignal ? BRIEF : 'Do something.';
    const request = this.chatClient.prompt(text).options(signal ? { signal } : {});
    if (conversation === undefined) return request;
    return request
      .advisors(isRememberedInside ? this.#inside : this.#before)
      .advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, conversation));
  }
}

@Module({
  imports: [
    AiModule.forRoot({
      chatModel: new ChaosChatModel(random),
      properties: {
        chat: { memory: { lockTimeout: 500 } },
        tools: { timeout: TOOL_TIMEOUT, maxResultLength: 10_000 },
      },
      providers: [
        { provide: ChatMemoryRepository, useClass: FlakyRepository },
        {
          provide: SuspendedTurnRepository,
          useFactory: () => new InMemorySuspendedTurnRepository({ maxTurns: MAX_KEPT }),
        },
      ],
    }),
  ],
  controllers: [ChatController],
  providers: [ChaosTools, Observations],
})
export class SoakModule {}
