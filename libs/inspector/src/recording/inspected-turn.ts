import {
  AssistantMessage,
  type AskedModel,
  type ChatResponse,
  type Message,
  type ToolCall,
  type ToolCallEnd,
  type ToolCallRun,
  type Turn,
  type TurnOutcome,
} from '@nestor-ai/core';
import { RecordedTurn } from '@nestor-ai/testing';
import type { Observer, Subject } from 'rxjs';

/** What an object of a turn takes beside its texts, in bytes. */
const OBJECT_SIZE = 300;

/** The tool call that a turn has begun inside of. */
export interface SurroundingCall {
  readonly turnId: string;
  /** The index of the call in its turn. */
  readonly toolCall: number;
  readonly toolName: string;
  /** When the timeline of its turn begins: milliseconds since 1970, later by the time that it was suspended. */
  readonly begunAt: number;
}

/** A turn on the page. */
export class InspectedTurn extends RecordedTurn {
  /** What the ring counts for it, in bytes. 0 while it runs for the first time. */
  countedSize = 0;
  isRemoved = false;
  /** It waited, and was cancelled meanwhile. */
  isCancelled = false;
  /** The turn that this one tries again. */
  retryOf: string | undefined;
  /** The tool call that it is part of, such as of a tool that asks another client. */
  within: SurroundingCall | undefined;
  #turn: Turn | undefined;
  #zero = this.begunAt;

  /**
   * @param onEnd called when the turn has ended, or is suspended
   * @param changed told about each step
   * @param surround runs a tool, so that turns that begin meanwhile find its call
   */
  constructor(
    turn: Turn,
    client: string,
    private readonly onEnd: (turn: InspectedTurn) => void,
    private readonly changed: Subject<void>,
    private readonly surround: (call: SurroundingCall, enter: () => void) => void,
  ) {
    super(turn, client);
    this.#turn = turn;
  }

  /** The turn while it runs, to stop it. */
  get running(): Turn | undefined {
    return this.#turn;
  }

  override get pending(): readonly ToolCall[] {
    return this.isCancelled ? [] : super.pending;
  }

  /** What a next question goes on with: the messages with the answer, without instructions. */
  get conversation(): readonly Message[] {
    const said = this.messages.filter(({ role }) => role !== 'system');
    return this.answer === '' ? said : [...said, new AssistantMessage(this.answer)];
  }

  /** Whether a test can run all of it again: other processes may have run a part. */
  get isSavable(): boolean {
    const last = this.modelCalls.length - 1;
    if (this.status === 'running' || last < 0) return false;
    return this.toolCalls.every(({ modelCall, response }) => modelCall === last || (modelCall >= 0 && response));
  }

  override modelAsked(asked: AskedModel): Observer<ChatResponse> {
    this.changed.next();
    return super.modelAsked(asked);
  }

  around({ toolCall: { id, name } }: ToolCallRun, enter: () => void): void {
    const toolCall = this.toolCalls.findLastIndex(({ asked, response }) => asked.id === id && !response);
    this.surround({ turnId: this.id, toolCall, toolName: name, begunAt: this.#zero }, enter);
  }

  override toolAnswered(run: ToolCallRun, answer: ToolCallEnd): void {
    super.toolAnswered(run, answer);
    this.changed.next();
  }

  override turnEnded(outcome: TurnOutcome): void {
    super.turnEnded(outcome);
    this.#turn = undefined;
    this.onEnd(this);
    this.changed.next();
  }

  /** Another request continues the turn. */
  continueAs(turn: Turn): void {
    this.#turn = turn;
    this.#zero = Date.now() - (this.duration ?? 0);
    this.resume();
    this.changed.next();
  }

  /** How much memory the record takes, in bytes, roughly. */
  get size(): number {
    const last = this.modelCalls.at(-1);
    // The last prompt has the messages of those before.
    let size = OBJECT_SIZE * (2 + this.modelCalls.length + this.toolCalls.length) + sizeOfAll(this.messages);
    if (last && last.messages !== this.messages) size += sizeOfAll(last.messages);
    for (const { output } of this.response?.results ?? []) size += sizeOf(output);
    return size;
  }
}

function sizeOfAll(messages: readonly Message[]): number {
  let size = 0;
  for (const message of messages) size += sizeOf(message);
  return size;
}

function sizeOf(message: Message): number {
  if (message.role === 'tool')
    return message.responses.reduce((sum, { responseData }) => sum + OBJECT_SIZE + 2 * responseData.length, 0);
  let size = OBJECT_SIZE + 2 * message.text.length;
  if (message.role === 'assistant') {
    size += 2 * (message.reasoning?.length ?? 0);
    for (const call of message.toolCalls ?? []) size += OBJECT_SIZE + 2 * call.arguments.length;
  }
  for (const { data } of ('media' in message && message.media) || []) {
    size += typeof data === 'string' ? data.length : data instanceof Uint8Array ? data.byteLength : OBJECT_SIZE;
  }
  return size;
}
