import type { ChatMemory } from '../memory/chat-memory.js';
import { warnOfOpen } from '../memory/conversation-owner.exception.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { TurnControl } from '../model/turn-control.js';
import type { TurnOutcome } from '../model/turn-ending.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { addToMemory, answersOf, joined, lockOf, newMessages, reserve, SPEAKER, withMemory } from './conversation.js';
import type { ConversationLock } from './conversation-lock.js';

/** The memory of one turn, for a memory advisor inside the tool loop that sees each round. */
export class TurnMemory {
  readonly #lock: ConversationLock;
  /** The messages before the turn. */
  #known: Promise<readonly Message[]> | undefined;

  constructor(
    private readonly memory: ChatMemory,
    private readonly conversationId: string,
    private readonly turn: TurnControl,
    lockTimeout?: number,
  ) {
    this.#lock = lockOf(memory, conversationId, lockTimeout, turn.scope, (error) => turn.abort(error), turn);
  }

  /** The request of a round with all earlier messages. */
  async remember(request: ChatClientRequest): Promise<ChatClientRequest> {
    const known = await this.enter();
    const { messages, options } = request.prompt;
    // If the loop leaves the history to a memory, a round only contains the last responses.
    const before = this.turn.history.slice(0, -1).filter(({ role }) => role !== 'system');
    const whole = messages.at(-1)?.role === 'tool' ? joined(before, messages) : messages;
    return { ...request, prompt: Prompt.of(withMemory(whole, known), options) };
  }

  /** Runs a function as part of the turn. */
  within<T>(run: () => T): T {
    return this.#lock.within(run);
  }

  /** Locks the conversation until the turn has ended, and returns the earlier messages. */
  enter(): Promise<readonly Message[]> {
    return (this.#known ??= this.#enter());
  }

  async #enter(): Promise<readonly Message[]> {
    const { conversationId, memory, turn } = this;
    const entered = this.#lock.enter(turn);
    turn.onEnd(async (outcome) => {
      try {
        await this.#keep(outcome);
      } finally {
        entered.then(
          (leave) => leave(),
          () => undefined,
        );
      }
    });
    turn.within = (run) => this.within(run);
    await entered;
    const { by } = this.#lock;
    if (by) turn.scope.set(SPEAKER, by);
    const known = await turn.untilEnded(memory.get(conversationId, by));
    warnOfOpen(turn.scope, by);
    return known;
  }

  async #keep(outcome: TurnOutcome): Promise<void> {
    const { conversationId, memory, turn } = this;
    const { by } = this.#lock;
    if (outcome.status === 'suspended' && !turn.isResumed) await reserve(memory, conversationId, by);
    if (outcome.status !== 'completed') return;
    const asked = newMessages(outcome.messages);
    const answers = answersOf(outcome.response, turn.scope, asked);
    if (answers.length === 0) return;
    this.#lock.throwIfLost();
    const said = [...asked, ...answers];
    // A turn that was stopped early is stored as well, so its stop must not abort the write.
    if (turn.stopReason) await addToMemory(memory, conversationId, said, turn, undefined, by);
    else
      await turn.untilEnded(
        addToMemory(memory, conversationId, said, turn, turn.isAbortable ? turn.signal : undefined, by),
      );
  }
}
