import type { ChatMemory } from '../memory/chat-memory.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { TurnContext, TurnOutcome } from '../model/turn-context.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { answersOf, enterConversation, joined, newMessages, within, withMemory } from './conversation.js';

/** The memory of one turn, for an advisor that stands inside the tool loop and sees each of its rounds. */
export class TurnMemory {
  /** What was said before the turn. */
  #known: Promise<readonly Message[]> | undefined;

  constructor(
    private readonly memory: ChatMemory,
    private readonly conversationId: string,
    private readonly turn: TurnContext,
  ) {}

  /** The request of a round, with everything that was said before. */
  async remember(request: ChatClientRequest): Promise<ChatClientRequest> {
    const known = await (this.#known ??= this.#enter());
    const { messages, options } = request.prompt;
    // A round is sent the last responses only, where the loop leaves the history to a memory.
    const before = this.turn.history.slice(0, -1).filter(({ role }) => role !== 'system');
    const whole = messages.at(-1)?.role === 'tool' ? joined(before, messages) : messages;
    return { ...request, prompt: Prompt.of(withMemory(whole, known), options) };
  }

  /** The turn holds its conversation until it has ended. */
  async #enter(): Promise<readonly Message[]> {
    const { conversationId, memory, turn } = this;
    const entered = enterConversation(memory, conversationId, turn.signal);
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
    turn.surround((run) => within(conversationId, run));
    await entered;
    return memory.get(conversationId);
  }

  async #keep(outcome: TurnOutcome): Promise<void> {
    if (outcome.status !== 'completed') return;
    await this.memory.add(this.conversationId, [...newMessages(outcome.messages), ...answersOf(outcome.response)]);
  }
}
