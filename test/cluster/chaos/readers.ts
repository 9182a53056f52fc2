import { setTimeout as sleep } from 'node:timers/promises';
import type { RoundRobin } from './driver.js';

/** The longest time that a reader keeps a connection, in milliseconds. */
const PATIENCE = 2000;

/** The pauses between connections, in milliseconds. */
const MIN_PAUSE = 200;
const MAX_PAUSE = 5000;

interface Reader {
  readonly id: string;
  readonly question: string;
  /** The numbers of the events, in the order in which they came. */
  readonly numbers: number[];
  /** The parts of the text, with the numbers of their events. */
  texts: { readonly number: number; readonly text: string }[];
  isDone: boolean;
}

interface Block {
  readonly number: number;
  readonly type: string;
  readonly data: { readonly text?: string; readonly after?: number; readonly pendingApprovals?: readonly object[] };
}

/** Follows turns as browsers do: connections break, and the next one goes to another replica. */
export class Readers {
  readonly #readers: Reader[] = [];
  connections = 0;

  constructor(private readonly cluster: RoundRobin) {}

  get count(): number {
    return this.#readers.length;
  }

  follow(id: string, question: string): void {
    const reader: Reader = { id, question, numbers: [], texts: [], isDone: false };
    this.#readers.push(reader);
    void this.#follow(reader);
  }

  /** What readers have seen that they should not, after all turns have ended. */
  async check(patience: number): Promise<readonly string[]> {
    const until = Date.now() + patience;
    while (Date.now() < until && this.#readers.some(({ isDone }) => !isDone)) await sleep(200);
    return this.#readers.flatMap(({ id, question, numbers, texts, isDone }) => {
      const text = texts.map((part) => part.text).join('');
      return [
        ...(isDone ? [] : [`The stream of the turn ${id} has not ended.`]),
        ...(numbers.every((number, at) => number === at + 1) ? [] : [`The events of ${id} came as ${numbers.join()}.`]),
        ...(text === `The request "${question}" is done.` ? [] : [`The text of ${id} is: ${text}`]),
      ];
    });
  }

  async #follow(reader: Reader): Promise<void> {
    let pause = MIN_PAUSE;
    while (!reader.isDone) {
      const known = reader.numbers.length;
      try {
        await this.#connect(reader);
      } catch (error) {
        if (error instanceof RangeError || error instanceof SyntaxError) throw error;
        // The replica has died, or the connection was given up.
      }
      // A turn that waits for a decision has no news for a long time.
      pause = reader.numbers.length > known ? MIN_PAUSE : Math.min(2 * pause, MAX_PAUSE);
      await sleep(pause);
    }
  }

  async #connect(reader: Reader): Promise<void> {
    this.connections++;
    const after = reader.numbers.at(-1);
    const response = await fetch(`${this.cluster.next()}/streams/${reader.id}/events`, {
      headers: after === undefined ? {} : { 'last-event-id': String(after) },
      signal: AbortSignal.timeout(Math.ceil(Math.random() * PATIENCE)),
    });
    if (response.status !== 200) return;
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) if (block.startsWith('id: ')) read(reader, parse(block));
    }
  }
}

function read(reader: Reader, { number, type, data }: Block): void {
  reader.numbers.push(number);
  if (type === 'text') reader.texts.push({ number, text: data.text! });
  if (type === 'restart') reader.texts = reader.texts.filter((part) => part.number <= data.after!);
  if (type === 'finish' && !data.pendingApprovals) reader.isDone = true;
}

function parse(block: string): Block {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)![1]!;
  return { number: Number(field('id')), type: field('event'), data: JSON.parse(field('data')) as Block['data'] };
}
