import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AssistantMessage,
  ChatClient,
  ChatMemory,
  ChatMemoryRepository,
  ChatModel,
  ChatResponse,
  fromMessageJson,
  type Message,
  MessageChatMemoryAdvisor,
  type MessageJson,
  MessageWindowChatMemory,
  type Prompt,
  type SuspendedTurn,
  SuspendedTurnRepository,
  Tool,
  ToolCallingAdvisor,
  toMessageJson,
  type TurnChange,
  type TurnData,
} from '@nestor-ai/core';
import { from, type Observable } from 'rxjs';

/** How long a claim holds, in milliseconds: longer than a process that compiles its modules is busy. */
export const LEASE = 1000;

/** Called before and after everything that happens: a process may die in it. */
type Step = (name: string) => void;

/** A shop whose turns, memory and deeds are files, as a database and a bank outlive a process. */
export class Shop {
  readonly client: ChatClient;

  constructor(
    private readonly directory: string,
    step: Step,
    isMemoryInside: boolean,
  ) {
    const chatMemory = new MessageWindowChatMemory({ log: new Conversations(directory, step) });
    this.client = ChatClient.builder(new Seller(step))
      .defaultTools(new Deeds(directory, step))
      .defaultAdvisors(
        new ToolCallingAdvisor({ suspendedTurnRepository: new Turns(directory, step), turnLease: LEASE }),
        new MessageChatMemoryAdvisor({
          chatMemory,
          ...(isMemoryInside && { order: ToolCallingAdvisor.DEFAULT_ORDER + 100 }),
        }),
        (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
      )
      .build();
  }

  /** What was done in the world. */
  get deeds(): readonly string[] {
    const path = join(this.directory, 'deeds');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  }

  get conversation(): readonly Message[] {
    return new Conversations(this.directory, () => undefined).findByConversationId('c');
  }

  get waitingTurns(): readonly string[] {
    return readdirSync(this.directory).filter((name) => name.endsWith('.turn'));
  }
}

class Deeds {
  constructor(
    private readonly directory: string,
    private readonly step: Step,
  ) {}

  @Tool({ needsApproval: true })
  async pay(): Promise<string> {
    return this.#do('pay');
  }

  @Tool()
  async ship(): Promise<string> {
    return this.#do('ship');
  }

  async #do(deed: string): Promise<string> {
    this.step(`before ${deed}`);
    await Promise.resolve();
    appendFileSync(join(this.directory, 'deeds'), `${deed}\n`);
    this.step(`after ${deed}`);
    return `${deed} done`;
  }
}

/** Pays, ships, and says that it is done. */
class Seller extends ChatModel {
  constructor(private readonly step: Step) {
    super();
  }

  async call({ messages }: Prompt): Promise<ChatResponse> {
    this.step('the model is asked');
    const asked = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    const name = (['pay', 'ship'] as const)[asked.length];
    const output = new AssistantMessage(
      name ? { toolCalls: [{ id: `call_${name}`, name, arguments: '{}' }] } : 'It is on its way.',
    );
    return new ChatResponse({ results: [{ output }] });
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return from(this.call(prompt));
  }
}

/** A file is there as a whole or not at all. */
function write(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(value));
  renameSync(`${path}.new`, path);
}

function read<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

function isHeldByAnother(turn: SuspendedTurn | undefined, owner: string): boolean {
  const { claim } = turn ?? {};
  return claim !== undefined && claim.owner !== owner && claim.until > new Date().toISOString();
}

function claimOf(owner: string, lease: number) {
  return { owner, until: new Date(Date.now() + lease).toISOString() };
}

class Turns extends SuspendedTurnRepository {
  constructor(
    private readonly directory: string,
    private readonly step: Step,
  ) {
    super();
  }

  save(turn: TurnData, { revision, status, owner, lease, entries }: TurnChange): number | undefined {
    const what = status === 'ended' ? 'remove' : entries[0]?.kind === 'claimed' ? 'claim' : 'save';
    this.step(`before ${what}`);
    const stored = this.findById(turn.id);
    if ((stored?.revision ?? 0) !== revision || isHeldByAnother(stored, owner)) return undefined;
    const next = revision + 1;
    if (status === 'ended') rmSync(this.#path(turn.id), { force: true });
    else write(this.#path(turn.id), { ...turn, revision: next, ...(lease && { claim: claimOf(owner, lease) }) });
    this.step(`after ${what}`);
    return next;
  }

  findById(turnId: string): SuspendedTurn | undefined {
    return read(this.#path(turnId));
  }

  findByToolCallId(toolCallId: string): readonly SuspendedTurn[] {
    return this.findWaiting().filter(({ pending }) => pending.some(({ id }) => id === toolCallId));
  }

  findWaiting(): readonly SuspendedTurn[] {
    return readdirSync(this.directory)
      .filter((name) => name.endsWith('.turn'))
      .flatMap((name) => read<SuspendedTurn>(join(this.directory, name)) ?? []);
  }

  claim(turnId: string, revision: number, owner: string, lease: number): boolean {
    this.step('before claim');
    const turn = this.findById(turnId);
    if (turn?.revision !== revision) return false;
    if (isHeldByAnother(turn, owner)) return false;
    write(this.#path(turnId), { ...turn, claim: claimOf(owner, lease) });
    this.step('after claim');
    return true;
  }

  #path(turnId: string): string {
    return join(this.directory, `${turnId}.turn`);
  }
}

class Conversations extends ChatMemoryRepository {
  readonly #path: string;

  constructor(
    directory: string,
    private readonly step: Step,
  ) {
    super();
    this.#path = join(directory, 'conversation');
  }

  findConversationIds(): readonly string[] {
    return ['c'];
  }

  findByConversationId(_id: string): readonly Message[] {
    return (read<MessageJson[]>(this.#path) ?? []).map(fromMessageJson);
  }

  saveAll(_id: string, messages: readonly Message[]): void {
    this.step('before the memory is written');
    write(this.#path, messages.map(toMessageJson));
    this.step('after the memory is written');
  }

  deleteByConversationId(): void {
    rmSync(this.#path, { force: true });
  }
}
