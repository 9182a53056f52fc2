import type { Message, Turn, TurnOutcome } from '@nestor-ai/core';
import { RecordedTurn } from '@nestor-ai/testing';

/** What an object of a turn takes beside its texts, in bytes. */
const OBJECT_SIZE = 300;

/** A turn on the page. */
export class InspectedTurn extends RecordedTurn {
  /** What the ring counts for it, in bytes. 0 while it runs for the first time. */
  countedSize = 0;
  isRemoved = false;
  #turn: Turn | undefined;

  /** @param onEnd called when the turn has ended, or is suspended */
  constructor(
    turn: Turn,
    client: string,
    private readonly onEnd: (turn: InspectedTurn) => void,
  ) {
    super(turn, client);
    this.#turn = turn;
  }

  /** The turn while it runs, to stop it. */
  get running(): Turn | undefined {
    return this.#turn;
  }

  override turnEnded(outcome: TurnOutcome): void {
    super.turnEnded(outcome);
    this.#turn = undefined;
    this.onEnd(this);
  }

  /** Another request continues the turn. */
  continueAs(turn: Turn): void {
    this.#turn = turn;
    this.resume();
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
