import { afterEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { withoutWaiting } from '../../../../test/fake-timeouts.js';
import { storeTurn } from '../../../../test/store-turn.js';
import { until } from '../../../../test/until.js';
import { ChatClient } from '../client/chat-client.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import type {
  SuspendedTurn,
  SuspendedTurnRepository,
  TurnChange,
  TurnData,
} from '../memory/suspended-turn.repository.js';
import type { Message } from '../model/messages.js';
import { RunningTurns } from '../model/running-turns.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { ToolContext } from '../model/tool-context.js';
import { ToolInputRequiredException } from '../model/tool-input-request.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import type { CallAdvisor } from './advisor.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import { MessageChatMemoryAdvisor } from './message-chat-memory-advisor.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

/** In milliseconds. It does not expire during a test. */
const LEASE = 60_000;
/** In milliseconds, for claims that are extended or expire. */
const SHORT_LEASE = 150;
const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

const isClaim = ({ entries }: TurnChange): boolean => entries[0]?.kind === 'claimed';

/** A repository whose operations can fail, and which records its calls. */
class Turns extends InMemorySuspendedTurnRepository {
  readonly saved: SuspendedTurn[] = [];
  fails: (operation: string) => boolean = () => false;

  override save(turn: TurnData, change: TurnChange): number | undefined {
    const isEnd = change.status === 'ended';
    if (isClaim(change)) return this.#claim(turn, change);
    this.#step(isEnd ? 'remove' : 'save');
    // Copied, as a database would.
    const revision = super.save(JSON.parse(JSON.stringify(turn)) as TurnData, change);
    if (isEnd || revision === undefined) return revision;
    this.saved.push(this.findById(turn.id)!);
    this.#step('saved');
    return revision;
  }

  /** Called after each claim. */
  onClaim: (turn: SuspendedTurn | undefined) => void = () => undefined;

  override claim(...claim: Parameters<InMemorySuspendedTurnRepository['claim']>): boolean {
    this.#step('claim');
    const isClaimed = super.claim(...claim);
    this.onClaim(this.findById(claim[0]));
    return isClaimed;
  }

  #claim(turn: TurnData, change: TurnChange): number | undefined {
    this.#step('claim');
    const revision = super.save(turn, change);
    this.onClaim(this.findById(turn.id));
    return revision;
  }

  /** A process that dies can neither extend its claim nor save anything. */
  async afterDeath(): Promise<Turns> {
    const later = new Turns();
    const last = this.saved.at(-1);
    if (last) await storeTurn(later, last);
    return later;
  }

  /** As if the claim of the last turn had expired. */
  async expire(): Promise<void> {
    const turn = this.saved.at(-1)!;
    const claim = turn.claim ?? { owner: 'dead' };
    await storeTurn(this, { ...turn, claim: { ...claim, until: new Date(0).toISOString() } });
  }

  #step(operation: string): void {
    if (this.fails(operation)) throw new Error(`cannot ${operation}`);
  }
}

interface Given {
  readonly script?: readonly ScriptEntry[];
  readonly repository?: Turns;
  readonly run?: () => unknown;
  readonly runWith?: (context: ToolContext) => unknown;
  readonly policies?: ToolPolicies;
  readonly memory?: { readonly memory: ChatMemory; readonly isInside: boolean };
  readonly runningTurns?: RunningTurns;
  readonly lease?: number;
}

const PAY = toolCall('pay', { amount: 5 }, 'c1');

function bank({ script = [{ toolCalls: [PAY] }, 'Paid.'], repository = new Turns(), ...given }: Given = {}) {
  const done: unknown[] = [];
  const pay = new FunctionToolCallback<{ amount: number }>({
    name: 'pay',
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
    toolMetadata: { returnDirect: false, needsApproval: true, ...given.policies },
    toolFunction: ({ amount }, context) => {
      done.push(amount);
      if (given.runWith) return given.runWith(context);
      return given.run ? given.run() : `paid ${amount}`;
    },
  });
  const model = new ScriptedChatModel(script);
  const { memory, lease: turnLease = LEASE } = given;
  const client = ChatClient.builder(model)
    .defaultTools(pay)
    .defaultAdvisors(
      new ToolCallingAdvisor({ suspendedTurnRepository: repository, turnLease }),
      ...(memory
        ? [
            new MessageChatMemoryAdvisor({
              chatMemory: memory.memory,
              ...(memory.isInside && { order: ToolCallingAdvisor.DEFAULT_ORDER + 100 }),
            }),
          ]
        : []),
      (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
    )
    .build();
  const ask = async () => (await client.prompt('Pay').call().chatResponse())!.metadata['turnId'] as string;
  const goOn = (turnId: string, approvals: readonly ToolApproval[], signal?: AbortSignal) =>
    client
      .prompt()
      .options({ ...(signal && { signal }) })
      .toolApprovals(approvals, { turnId });
  return { client, model, repository, done, ask, goOn };
}

type Spec = ReturnType<ReturnType<typeof bank>['goOn']>;
const answers: [string, (spec: Spec) => Promise<string | undefined>][] = [
  ['call', (spec) => spec.call().content()],
  ['stream', async (spec) => (await lastValueFrom(spec.stream().content().pipe(toArray()))).join('')],
];

const APPROVED = [{ toolCallId: 'c1', approved: true }];

describe('a memory that fails at the end of an approved turn', () => {
  class Failing extends MessageWindowChatMemory {
    failures: string[] = [];
    override async add(id: string, messages: readonly Message[]): Promise<void> {
      if (this.failures.at(-1) === 'add') throw new Error(`cannot ${this.failures.pop()}`);
      await super.add(id, messages);
    }
    override async get(id: string): Promise<readonly Message[]> {
      if (this.failures.at(-1) === 'get') throw new Error(`cannot ${this.failures.pop()}`);
      return super.get(id);
    }
  }

  describe.each([
    ['around', false],
    ['inside of', true],
  ])('%s the loop', (_where, isInside) => {
    describe.each(answers)('%s', (_how, answer) => {
      it.each(['add', 'get'])('stores the turn with the results of its tools, and its answer: %s', async (failure) => {
        const memory = new Failing();
        // Inside the loop, the memory is read before the tools run; around it, before it is written.
        const isLate = failure === 'add' || !isInside;
        const { ask, goOn, done, repository } = bank({
          memory: { memory, isInside },
        });
        const turnId = await ask();
        memory.failures = [failure];
        await expect(answer(goOn(turnId, APPROVED))).rejects.toThrow(`cannot ${failure}`);
        expect(done).toEqual(isLate ? [5] : []);
        expect(await answer(goOn(turnId, APPROVED))).toBe('Paid.');
        expect(done).toEqual([5]);
        memory.failures = [];
        expect((await memory.get('c')).map(({ role }) => role)).toEqual(
          isInside ? ['user', 'assistant', 'tool', 'assistant'] : ['user', 'assistant'],
        );
        expect(repository.findById(turnId)).toBeUndefined();
      });
    });
  });
});

describe('a process that dies', () => {
  // In the end, its turn must not go on beside other tests.
  let dying = new AbortController();
  afterEach(() => {
    dying.abort();
    dying = new AbortController();
  });

  it('leaves a turn that must be approved again if no code has started', async () => {
    const first = bank();
    const turnId = await first.ask();
    const next = bank({ script: ['Paid.'], repository: await first.repository.afterDeath() });
    expect(await next.goOn(turnId, APPROVED).call().content()).toBe('Paid.');
  });

  it('leaves a turn that may have run, which cannot be resumed before the claim expires', async () => {
    const first = bank({ run: () => new Promise(() => undefined) });
    const turnId = await first.ask();
    void first
      .goOn(turnId, APPROVED, dying.signal)
      .call()
      .content()
      .catch(() => undefined);
    await until(() => first.done.length > 0);
    const next = bank({ script: ['Paid.', 'Told.'], repository: await first.repository.afterDeath() });
    const again = (decision: Partial<ToolApproval>) =>
      next
        .goOn(turnId, [{ toolCallId: 'c1', approved: true, ...decision }])
        .call()
        .content();
    await expect(again({ replay: true })).rejects.toMatchObject({ problem: 'conflict' });
    await next.repository.expire();
    await expect(again({})).rejects.toMatchObject({ problem: 'uncertain', uncertainCalls: [PAY] });
    expect(next.done).toEqual([]);
    expect(await again({ replay: true })).toBe('Paid.');
    expect({ first: first.done, next: next.done }).toEqual({ first: [5], next: [5] });
  });

  it('re-runs calls of replaySafe tools with the approved arguments', async () => {
    const first = bank({ run: () => new Promise(() => undefined) });
    const turnId = await first.ask();
    const changed = [{ toolCallId: 'c1', approved: true, arguments: { amount: 3 } }];
    void first
      .goOn(turnId, changed, dying.signal)
      .call()
      .content()
      .catch(() => undefined);
    await until(() => first.done.length > 0);
    const next = bank({
      script: ['Paid.'],
      repository: await first.repository.afterDeath(),
      policies: { needsApproval: true, replaySafe: true },
    });
    await next.repository.expire();
    expect(await next.goOn(turnId, []).call().content()).toBe('Paid.');
    expect(next.done).toEqual([3]);
  });

  it('leaves the results of calls in later rounds', async () => {
    const later = { toolCalls: [toolCall('look', {}, 'c2'), toolCall('hang', {}, 'c3')] };
    const done: string[] = [];
    const tools = (hangs: boolean) =>
      ['pay', 'look', 'hang'].map(
        (name) =>
          new FunctionToolCallback({
            name,
            ...(name === 'pay' && { toolMetadata: { returnDirect: false, needsApproval: true } }),
            toolFunction: () => {
              done.push(name);
              return name === 'hang' && hangs ? new Promise(() => undefined) : `${name} done`;
            },
          }),
      );
    const clientOf = (repository: Turns, script: ScriptEntry[], hangs: boolean) => {
      const model = new ScriptedChatModel(script);
      const loop = new ToolCallingAdvisor({ suspendedTurnRepository: repository, turnLease: LEASE });
      const client = ChatClient.builder(model).defaultTools(tools(hangs)).defaultAdvisors(loop).build();
      return { client, model };
    };
    const repository = new Turns();
    const { client } = clientOf(repository, [{ toolCalls: [toolCall('pay', {}, 'c1')] }, later], true);
    const turnId = (await client.prompt('Pay').call().chatResponse())!.metadata['turnId'] as string;
    void client
      .prompt()
      .options({ signal: dying.signal })
      .toolApprovals(APPROVED, { turnId })
      .call()
      .content()
      .catch(() => undefined);
    await until(() => done.includes('hang'));
    const survivor = await repository.afterDeath();
    await survivor.expire();
    const next = clientOf(survivor, ['Done.'], false);
    const denial = [{ toolCallId: 'c3', approved: false }];
    expect(await next.client.prompt().toolApprovals(denial, { turnId }).call().content()).toBe('Done.');
    expect(done).toEqual(['pay', 'look', 'hang']);
    expect(next.model.lastPrompt!.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(next.model.toolResponses).toEqual(['pay done', 'look done', expect.stringContaining('may have run')]);
  });
});

describe('a claim', () => {
  it('is extended while the turn runs', async () => {
    let end = (): void => undefined;
    const run = () => new Promise((resolve) => (end = () => resolve('slowly paid')));
    const { ask, goOn, repository } = bank({ run, lease: SHORT_LEASE });
    const turnId = await ask();
    const slow = goOn(turnId, APPROVED).call().content();
    // As soon as the claim is extended beyond the first lease, whenever that is on a busy machine.
    const begun = Date.now();
    await new Promise<void>((resolve) => {
      repository.onClaim = (turn) => {
        if (Date.parse(turn!.claim!.until) > begun + 2 * SHORT_LEASE) resolve();
      };
    });
    repository.onClaim = () => undefined;
    await expect(goOn(turnId, APPROVED).call().content()).rejects.toMatchObject({ problem: 'conflict' });
    end();
    expect(await slow).toBe('Paid.');
  });

  it('ends the turn when it is lost', async () => {
    const { ask, goOn, repository, done } = bank({ run: () => sleep(SHORT_LEASE * 2), lease: SHORT_LEASE });
    const turnId = await ask();
    const slow = goOn(turnId, APPROVED).call().content();
    await until(() => done.length > 0);
    // Another process has claimed the turn after the claim expired.
    const stored = repository.findById(turnId)!;
    const claim = { owner: 'another', until: new Date(Date.now() + 60_000).toISOString() };
    await storeTurn(repository, { ...stored, claim });
    const taken = repository.findById(turnId);
    expect(taken?.claim?.owner).toBe('another');
    await expect(slow).rejects.toMatchObject({ problem: 'conflict' });
    expect(repository.findById(turnId)).toEqual(taken);
    expect(done).toEqual([5]);
  });
});

describe('a call that does not run', () => {
  /** A repository whose first save after a claim is slow. */
  class Slow extends Turns {
    delay = 0;
    override save(turn: TurnData, change: TurnChange): number | undefined {
      if (change.lease === undefined || this.delay === 0 || isClaim(change)) return super.save(turn, change);
      const { delay } = this;
      this.delay = 0;
      return sleep(delay).then(() => super.save(turn, change)) as never;
    }
  }

  it('is reported to the model and never runs if its timeout passed while its start was recorded', async () => {
    const repository = new Slow();
    const { ask, goOn, done, model } = bank({ repository, policies: { timeout: 10 } });
    const turnId = await ask();
    repository.delay = 25;
    expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
    await sleep(30);
    expect(done).toEqual([]);
    expect(model.toolResponses).toEqual([expect.stringContaining('did not answer within 10 ms')]);
  });

  it('is left to the next request if its claim expired meanwhile', async () => {
    const repository = new Slow();
    const { ask, goOn, done } = bank({ repository, lease: SHORT_LEASE });
    const turnId = await ask();
    repository.delay = SHORT_LEASE * 3;
    await expect(goOn(turnId, APPROVED).call().content()).rejects.toThrow();
    expect(done).toEqual([]);
  });

  it('still waits and runs once if its caller aborted while it waited for its key', async () => {
    let end!: () => void;
    const { ask, goOn, client, done, model } = bank({
      script: [{ toolCalls: [PAY] }, { toolCalls: [toolCall('pay', { amount: 7 }, 'c2')] }, 'First.', 'Paid.'],
      run: () => new Promise((resolve) => (end = () => resolve('paid'))),
      policies: { concurrencyKey: 'account' },
    });
    const turnId = await ask();
    const other = (await client
      .prompt('Pay')
      .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, 'd'))
      .call()
      .chatResponse())!.metadata['turnId'] as string;
    const as = (turn: string, id: string, signal?: AbortSignal) =>
      goOn(turn, [{ toolCallId: id, approved: true }], signal)
        .advisors((a) => a.param(ChatMemory.CONVERSATION_ID, turn === other ? 'd' : 'c'))
        .call()
        .content();
    const first = as(other, 'c2');
    await until(() => done.length === 1);
    const caller = new AbortController();
    const left = as(turnId, 'c1', caller.signal);
    await sleep(5);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    end();
    expect(await first).toBe('First.');
    const again = as(turnId, 'c1');
    await until(() => done.length === 2);
    end();
    expect(await again).toBe('Paid.');
    expect(done).toEqual([7, 5]);
    expect(model.toolResponses).toEqual(['paid']);
  });
});

describe('an advisor around the loop', () => {
  const around = (handle: (next: () => Promise<ChatClientResponse>) => Promise<ChatClientResponse>): CallAdvisor => ({
    name: 'Around',
    order: ToolCallingAdvisor.DEFAULT_ORDER - 50,
    adviseCall: (request, chain) => handle(() => chain.nextCall(request)),
  });

  it('may ask twice: decisions that were carried out do not count again', async () => {
    const twice = around(async (next) => {
      await next();
      return next();
    });
    const { ask, client, done } = bank({ script: [{ toolCalls: [PAY] }, 'Badly said.', 'Paid.'] });
    await ask();
    expect(await client.prompt().advisors(twice).toolApprovals(APPROVED).call().content()).toBe('Paid.');
    expect(done).toEqual([5]);
  });

  it('leaves the turn stored if it answers before the tools have ended', async () => {
    const { ask, goOn, repository, done } = bank({ run: () => new Promise(() => undefined) });
    const impatient = around(async (next) => {
      next().catch(() => undefined);
      await until(() => done.length > 0);
      return { context: {} };
    });
    const turnId = await ask();
    await goOn(turnId, APPROVED).advisors(impatient).call().content();
    expect(repository.findById(turnId)).toMatchObject({ begun: ['c1'] });
  });
});

describe('a tool that ends after its turn was aborted', () => {
  it('is recorded', async () => {
    let pay: ((result: string) => void) | undefined;
    const { ask, goOn, model } = bank({ run: () => new Promise<string>((resolve) => (pay = resolve)) });
    const turnId = await ask();
    const caller = new AbortController();
    const left = goOn(turnId, APPROVED, caller.signal).call().content();
    await until(() => pay);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const goOnAgain = () => goOn(turnId, []).call().content();
    await expect(goOnAgain()).rejects.toMatchObject({ problem: 'uncertain' });
    pay!('paid at last');
    await until(() => goOnAgain().catch(() => undefined));
    expect(model.toolResponses).toEqual(['paid at last']);
  });

  it('is uncertain until it ends, even if it is a generator', async () => {
    const paid: string[] = [];
    let pay: (() => void) | undefined;
    const { ask, goOn, model } = bank({
      run: async function* () {
        yield 'half way';
        await new Promise<void>((resolve) => (pay = resolve));
        paid.push('paid');
        yield 'paid';
      },
    });
    const turnId = await ask();
    const caller = new AbortController();
    const left = goOn(turnId, APPROVED, caller.signal).call().content();
    await until(() => pay);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const goOnAgain = () => goOn(turnId, []).call().content();
    await expect(goOnAgain()).rejects.toMatchObject({ problem: 'uncertain' });
    pay!();
    await until(() => goOnAgain().catch(() => undefined));
    expect(paid).toEqual(['paid']);
    expect(model.toolResponses).toEqual([expect.stringContaining('not known whether this call has run')]);
  });
});

describe('a repository that fails', () => {
  it.each([
    ['claim', 1],
    ['save', 1],
    ['saved', 1],
  ])('runs nothing if it fails before the code starts: %s', async (operation, times) => {
    const { ask, goOn, repository, done } = bank();
    const turnId = await ask();
    let left = times;
    repository.fails = (step) => step === operation && left-- > 0;
    await expect(goOn(turnId, APPROVED).call().content()).rejects.toThrow(`cannot ${operation}`);
    expect(done).toEqual([]);
    expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
    expect(done).toEqual([5]);
  });

  it.each(['save', 'saved', 'claim', 'remove'])(
    'loses nothing if it fails after the code has started: %s',
    async (operation) => {
      const { ask, goOn, repository, done } = bank({
        run: () => {
          let left = 1;
          repository.fails = (step) => step === operation && left-- > 0;
          return 'paid';
        },
      });
      const turnId = await ask();
      expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
      expect(done).toEqual([5]);
    },
  );

  it('gets each entry once, if it tells of a failure although it has stored them', async () => {
    class Logged extends Turns {
      readonly kinds: string[] = [];
      override save(turn: TurnData, change: TurnChange): number | undefined {
        const before = this.saved.length;
        try {
          return super.save(turn, change);
        } finally {
          if (this.saved.length > before) this.kinds.push(...change.entries.map(({ kind }) => kind));
        }
      }
    }
    let left = 1;
    const repository = new Logged();
    const run = (): string => {
      repository.fails = (step) => step === 'saved' && left-- > 0;
      return 'paid';
    };
    const { ask, goOn } = bank({ repository, run });
    expect(
      await goOn(await ask(), APPROVED)
        .call()
        .content(),
    ).toBe('Paid.');
    expect(repository.kinds).toEqual(['begun', 'answered', 'suspended', 'call-began', 'call-ended']);
  });

  it('logs a permanent failure and does not lose the answer', async () => {
    const { ask, goOn, repository } = bank({
      run: () => {
        repository.fails = () => true;
        return 'paid';
      },
    });
    const turnId = await ask();
    expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
    // The stored record has a call that may have run.
    expect(repository.findById(turnId)).toMatchObject({ begun: ['c1'] });
  });
});

describe('a repository that hangs', () => {
  const methods = ['findById', 'claim', 'save'] as const;
  const steps = [...methods, 'remove'] as const;

  class Hanging extends Turns {
    hangsAt: (typeof steps)[number] | undefined;
    readonly hung: Promise<void>;
    #tell!: () => void;

    constructor() {
      super();
      this.hung = new Promise((resolve) => (this.#tell = resolve));
      for (const method of methods) {
        const own = this[method].bind(this) as (...given: unknown[]) => unknown;
        Object.assign(this, {
          [method]: (...given: unknown[]) => {
            const change = method === 'save' ? (given[1] as TurnChange) : undefined;
            const step = change?.status === 'ended' ? 'remove' : change && isClaim(change) ? 'claim' : method;
            return this.hangsAt === step ? this.#hang() : own(...given);
          },
        });
      }
    }

    #hang(): Promise<never> {
      this.#tell();
      return new Promise(() => undefined);
    }
  }

  it.each(steps)('does not block a caller who aborts: %s', async (step) => {
    const repository = new Hanging();
    const { ask, goOn } = bank({ repository });
    const turnId = await ask();
    repository.hangsAt = step;
    const left = withoutWaiting(async () => {
      const caller = new AbortController();
      const asked = goOn(turnId, APPROVED, caller.signal).call().content();
      await repository.hung;
      caller.abort(new Error('gone'));
      return asked;
    });
    // When the turn is removed, the answer is already known.
    if (step === 'remove') expect(await left).toBe('Paid.');
    else await expect(left).rejects.toThrow('gone');
  });

  it('does not block a caller who aborts when a turn is suspended', async () => {
    const repository = new Hanging();
    repository.hangsAt = 'save';
    const { client } = bank({ repository });
    const caller = new AbortController();
    const left = client.prompt('Pay').options({ signal: caller.signal }).call().content();
    await repository.hung;
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
  });

  it('leaves the turn to other requests once it answers a claim', async () => {
    const answers: (() => void)[] = [];
    const repository = new Turns();
    const slow: SuspendedTurnRepository = {
      recordsAll: false,
      save: (turn, change) => {
        if (!isClaim(change)) return repository.save(turn, change);
        return new Promise((resolve) => answers.push(() => resolve(repository.save(turn, change))));
      },
      findById: (turnId) => repository.findById(turnId),
      findByToolCallId: (id) => repository.findByToolCallId(id),
      findWaiting: (query) => repository.findWaiting(query),
      claim: (...claim) => repository.claim(...claim),
    };
    const { ask } = bank({ repository });
    const turnId = await ask();
    const caller = new AbortController();
    const left = bank({ repository: slow as Turns })
      .goOn(turnId, APPROVED, caller.signal)
      .call()
      .content();
    await until(() => answers.length === 1);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    answers[0]!();
    await until(() => !repository.findById(turnId)!.claim);
    const { goOn } = bank({ repository, script: ['Paid.'] });
    expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
  });
});

describe('a request with other tools than the turn’s first request', () => {
  it('is refused before it claims the turn', async () => {
    const { ask, goOn, repository, done } = bank();
    const turnId = await ask();
    const other = new FunctionToolCallback({ name: 'other', toolFunction: () => 'no' });
    await expect(goOn(turnId, APPROVED).tools(other).call().content()).rejects.toThrow(
      "needs tools that this request does not have: 'pay'. Pass the same tools as in the first request.",
    );
    expect(repository.findById(turnId)).not.toHaveProperty('claim');
    expect(await goOn(turnId, APPROVED).call().content()).toBe('Paid.');
    expect(done).toEqual([5]);
  });

  it('may deny its calls', async () => {
    const { ask, goOn } = bank();
    const turnId = await ask();
    const denial = [{ toolCallId: 'c1', approved: false }];
    expect(await goOn(turnId, denial).tools().call().content()).toBe('Paid.');
  });
});

describe('the journal of a call that asks its user for input', () => {
  const REQUEST = { message: 'Sure?', state: { step: 1 } };

  function asking(repository = new Turns(), again = 0, script?: ScriptEntry[]) {
    let asked = 0;
    return bank({
      repository,
      ...(script && { script }),
      policies: { needsApproval: false },
      runWith: ({ input }) => {
        if (!input || asked++ < again) throw new ToolInputRequiredException({ ...REQUEST, message: `Sure? ${asked}` });
        return 'paid';
      },
    });
  }

  it('has no uncertain call once the code has asked again, even before the turn is suspended', async () => {
    const { client, repository } = asking(new Turns(), 1);
    await client.prompt('Pay').call().content();
    repository.saved.length = 0;
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'c1', approved: true }])
      .call()
      .content();
    const states = repository.saved.map(({ begun, pending }) => [begun, pending[0]?.inputRequest?.message]);
    expect(states).toEqual([
      [['c1'], 'Sure? 0'],
      [undefined, 'Sure? 0'],
      [undefined, 'Sure? 1'],
    ]);
    expect(repository.saved.every(({ inputs }) => inputs!['c1']!.request.state)).toBe(true);
  });

  it('asks the old question again if the process dies between the two', async () => {
    const { client, repository } = asking(new Turns(), 1);
    await client.prompt('Pay').call().content();
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'c1', approved: true }])
      .call()
      .content();
    const [, , between] = repository.saved;
    const later = new Turns();
    const { claim: _claim, ...turn } = between!;
    await storeTurn(later, turn);
    const second = asking(later, 0, ['Paid.']);
    const answer = second.client.prompt().toolApprovals([{ toolCallId: 'c1', approved: true }]);
    expect(await answer.call().content()).toBe('Paid.');
    expect(second.done).toHaveLength(1);
  });

  it('keeps the question if the caller leaves while the code runs', async () => {
    const { client, repository } = asking();
    await client.prompt('Pay').call().content();
    const controller = new AbortController();
    controller.abort(new Error('left'));
    const answer = client
      .prompt()
      .toolApprovals([{ toolCallId: 'c1', approved: true }])
      .options({ signal: controller.signal })
      .call();
    await expect(answer.content()).rejects.toThrow('left');
    expect(repository.saved.at(-1)).toMatchObject({ pending: [{ inputRequest: { message: 'Sure? 0' } }] });
    expect(repository.saved.at(-1)?.begun).toBeUndefined();
  });
});
