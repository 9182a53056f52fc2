import { Agent, request } from 'node:http';
import type { Tally } from './gauges.js';
import { Random } from './random.js';

const CALLERS = 32;
/** How long a caller waits for an answer before it leaves, in milliseconds. */
const PATIENCE = 800;
const CONVERSATIONS = 60;

/** 500 to 503: the model or the database has failed, or a conversation is busy, which an application has to expect. */
const EXPECTED = new Set([200, 201, 500, 502, 503]);
/** The call is decided already, or another caller decides about it now. */
const DECIDED = new Set([404, 409]);

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Callers who ask, stream, approve, refuse, approve twice, and leave. */
export class Callers {
  readonly #outcomes: Record<string, number> = {};
  readonly #surprises = new Set<string>();
  #agent = new Agent({ keepAlive: true });
  #done = 0;

  constructor(
    private readonly port: number,
    private readonly random: Random,
  ) {}

  get tally(): Tally {
    return { done: this.#done, outcomes: this.#outcomes, surprises: [...this.#surprises] };
  }

  /** Lets all of them ask until the time is over, and waits for what they have asked. */
  async askFor(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds;
    const caller = async (): Promise<void> => {
      while (Date.now() < end) await this.#askSomething();
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
  }

  async #askSomething(): Promise<void> {
    const { random } = this;
    const conversation = random.next() < 0.5 ? { conversation: `${random.below(CONVERSATIONS)}` } : {};
    const patience = random.next() < 0.1 ? random.below(30) : PATIENCE;
    const kind = random.pick({ call: 60, stream: 30, shared: 10 });
    if (kind === 'stream') {
      const query = new URLSearchParams(conversation).toString();
      await this.#send('GET', `/stream?${query}`, undefined, patience);
      return;
    }
    const isRememberedInside = random.next() < 0.5;
    const followsSharedSignal = kind === 'shared';
    const question = followsSharedSignal ? { followsSharedSignal } : { ...conversation, isRememberedInside };
    const answer = await this.#send('POST', '/ask', question, patience);
    if (answer?.status === 201) await this.#decide(answer.body);
  }

  async #decide(body: string): Promise<void> {
    const { turnId, pending } = JSON.parse(body) as { turnId?: string; pending?: string[] };
    if (!turnId || !pending) return;
    const decision = this.random.pick({ approves: 5, refuses: 2, approvesTwice: 2, forgets: 1 });
    this.#count(decision);
    if (decision === 'forgets') return;
    const approvals = pending.map((toolCallId) => ({ toolCallId, approved: decision !== 'refuses' }));
    const send = (): Promise<Answer | undefined> => this.#send('POST', '/approvals', { turnId, approvals }, PATIENCE);
    await Promise.all(decision === 'approvesTwice' ? [send(), send()] : [send()]);
  }

  /** Undefined when the caller has left. */
  #send(method: string, path: string, body: object | undefined, patience: number): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const headers = body ? { 'content-type': 'application/json' } : {};
      const sent = request({ host: '127.0.0.1', port: this.port, method, path, headers, agent: this.#agent });
      let hasLeft = false;
      const leave = setTimeout(() => {
        hasLeft = true;
        sent.destroy();
      }, patience);
      const end = (outcome: string, answer?: Answer): void => {
        clearTimeout(leave);
        this.#done++;
        this.#count(outcome);
        resolve(answer);
      };
      const fail = (error: Error): void => {
        if (!hasLeft) this.#surprises.add(`${method} ${path.split('?')[0]} has failed: ${error.message}`);
        end(hasLeft ? 'left' : 'failed');
      };
      sent.once('error', fail);
      sent.once('response', (response) => {
        sent.off('error', fail);
        sent.on('error', () => undefined);
        const status = response.statusCode ?? 0;
        const isExpected = EXPECTED.has(status) || (path.startsWith('/approvals') && DECIDED.has(status));
        if (!isExpected) this.#surprises.add(`${method} ${path.split('?')[0]} has answered ${status}`);
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('end', () => end(`${status}`, { status, body: text }));
        response.once('error', fail);
      });
      sent.end(body && JSON.stringify(body));
    });
  }

  #count(outcome: string): void {
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }
}
