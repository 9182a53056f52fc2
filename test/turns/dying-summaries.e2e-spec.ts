import { expect, it } from '@jest/globals';
import {
  AssistantMessage,
  type ConversationAppend,
  ConversationLog,
  InMemoryConversationLog,
  type Message,
  UserMessage,
} from '@nestor-ai/core';
import { SummarizingChatMemory } from '@nestor-ai/advisors';
import { ScriptedChatModel } from '@nestor-ai/testing';

/** The log of a process that dies at one of its calls, before or after it has been carried out. */
class Dying extends ConversationLog {
  #calls = 0;

  constructor(
    private readonly log: ConversationLog,
    private readonly at: number,
    private readonly isDone: boolean,
  ) {
    super();
  }

  get isDead(): boolean {
    return this.#calls >= this.at;
  }

  async #call<T>(call: () => T): Promise<Awaited<T>> {
    if (this.isDead) return new Promise<never>(() => undefined);
    this.#calls++;
    if (!this.isDead) return await call();
    if (this.isDone) await call();
    return new Promise<never>(() => undefined);
  }

  append(id: string, turn: string, messages: readonly Message[], options?: ConversationAppend) {
    return this.#call(() => this.log.append(id, turn, messages, options));
  }

  read(...given: Parameters<ConversationLog['read']>) {
    return this.#call(() => this.log.read(...given));
  }

  list(...given: Parameters<ConversationLog['list']>) {
    return this.#call(() => this.log.list(...given));
  }

  delete(id: string) {
    return this.#call(() => this.log.delete(id));
  }

  adopt(id: string, owner: string) {
    return this.#call(() => this.log.adopt(id, owner));
  }
}

const ANN = { subject: 'ann' };
const turn = (n: number): readonly Message[] => [
  new UserMessage(`Question ${n} ${'and more '.repeat(20)}`),
  new AssistantMessage({ text: `Answer ${n}`, metadata: { turnId: `turn ${n}` } }),
];
const memoryOf = (log: ConversationLog): SummarizingChatMemory =>
  new SummarizingChatMemory({
    log,
    // It keeps which questions it has read.
    model: new ScriptedChatModel(({ messages }) =>
      [...new Set(JSON.stringify(messages).match(/Question \d+/g))].join(', '),
    ),
    at: 400,
    keepTurns: 2,
  });

const TURNS = 12;

/** Says the turns one after the other, each with a summary if it is time for one, until the process dies. */
async function talk(log: Dying | ConversationLog, from = 1): Promise<void> {
  const memory = memoryOf(log);
  const died = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (log instanceof Dying && !log.isDead) return;
      if (log instanceof Dying) resolve();
      clearInterval(timer);
    }, 1);
  });
  const saying = (async () => {
    for (let n = from; n <= TURNS; n++) {
      await memory.get('c', ANN);
      await memory.add('c', turn(n), undefined, ANN);
      await memory.summarizeNow('c');
    }
  })();
  await (log instanceof Dying ? Promise.race([saying, died]) : saying);
  void memory.onModuleDestroy();
}

it.each([
  ['before', false],
  ['after', true],
])(
  'a process dies %s any call of the log: another one goes on, each turn is there once, and the view knows all',
  async (_when, isDone) => {
    let at = 1;
    for (; ; at++) {
      const log = new InMemoryConversationLog();
      const dying = new Dying(log, at, isDone);
      await talk(dying);
      if (!dying.isDead) break;
      // Whoever asked a question whose turn may be there asks it again under its id.
      const stored = log.read('c', { limit: 1000 }).turns.filter(({ pin }) => pin === undefined).length;
      await talk(log, Math.max(1, stored));
      const { turns, owner } = log.read('c', { limit: 1000 });
      const said = turns.filter(({ pin }) => pin === undefined).map(({ id }) => id);
      expect([at, owner, said]).toEqual([at, 'ann', Array.from({ length: TURNS }, (_, n) => `turn ${n + 1}`)]);
      const view = await memoryOf(log).get('c', ANN);
      expect(view.map(({ role }) => role)).toEqual(view.map((_message, n) => (n % 2 === 0 ? 'user' : 'assistant')));
      const known = new Set(JSON.stringify(view).match(/Question \d+/g));
      expect([at, known.size]).toEqual([at, TURNS]);
    }
    expect(at).toBeGreaterThan(40);
  },
);
