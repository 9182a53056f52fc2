import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversationHold, ConversationLocks, ConversationWait } from '@nestor-ai/core';
import type { ContractCase } from './chat-model-contract.js';
import { assertEqual, newId, type StoreCases, testsOf } from './store-checks.js';

/** Connects the contract with the locks under test. */
export interface ConversationLocksHarness {
  /**
   * Opens the locks as one more process would: all that it returns have the same conversations.
   * The contract closes none of them.
   */
  open(): ConversationLocks | Promise<ConversationLocks>;
}

/** Long enough for a wait to begin, in milliseconds: it may open a connection. */
const A_MOMENT = 400;

const HOSTILE = ['', "'; DROP TABLE x; --", '\0', '\ud800', '\udc00', '{a}', '}{', 'x'.repeat(1_000_000)];

function waitWith(signal = new AbortController().signal): ConversationWait {
  return {
    signal,
    onLost: (error) => {
      throw error;
    },
  };
}

const CHECKS: StoreCases<ConversationLocksHarness> = {
  'one process after the other has a conversation, in the order in which they asked': async ({ open }) => {
    const id = newId();
    const hold = await (await open()).acquire(id, waitWith());
    const order: number[] = [];
    const waiting: Promise<void>[] = [];
    for (const at of [1, 2, 3, 4]) {
      const locks = await open();
      // Locks may connect when they are first used.
      await (await locks.acquire(newId(), waitWith())).release();
      waiting.push(
        locks.acquire(id, waitWith()).then(async (own) => {
          order.push(at);
          await sleep(10);
          order.push(at);
          await own.release();
        }),
      );
      await sleep(A_MOMENT);
    }
    assertEqual(order, [], 'the processes that got a conversation that is held');
    await hold.release();
    await Promise.all(waiting);
    assertEqual(order, [1, 1, 2, 2, 3, 3, 4, 4], 'the order in which processes had the conversation');
  },
  'other conversations do not wait, whatever their ids': async ({ open }) => {
    const [locks, prefix] = [await open(), newId()];
    const holds: ConversationHold[] = [];
    for (const id of HOSTILE) holds.push(await locks.acquire(id + prefix, waitWith()));
    for (const hold of holds) await hold.release();
  },
  'many conversations can be held and waited for': async ({ open }) => {
    const [locks, others] = [await open(), await open()];
    const ids = Array.from({ length: 30 }, newId);
    const holds = await Promise.all(ids.map(async (id) => locks.acquire(id, waitWith())));
    const waiting = Promise.all(ids.map(async (id) => others.acquire(id, waitWith())));
    for (const hold of holds) await hold.release();
    for (const hold of await waiting) await hold.release();
  },
  'a second release does nothing': async ({ open }) => {
    const [locks, others, id] = [await open(), await open(), newId()];
    const first = await locks.acquire(id, waitWith());
    await first.release();
    const second = await others.acquire(id, waitWith());
    await first.release();
    const abort = new AbortController();
    const third = outcomeOf(locks.acquire(id, waitWith(abort.signal)));
    await sleep(A_MOMENT);
    abort.abort('still held');
    assertEqual(await third, 'still held', 'the end of a wait for a conversation that is held');
    await second.release();
  },
  'a wait that is aborted ends with the reason, and leaves the line': async ({ open }) => {
    const [locks, others, next, id] = [await open(), await open(), await open(), newId()];
    const hold = await locks.acquire(id, waitWith());
    const abort = new AbortController();
    const aborted = outcomeOf(others.acquire(id, waitWith(abort.signal)));
    await sleep(A_MOMENT);
    const waiting = next.acquire(id, waitWith());
    await sleep(A_MOMENT);
    abort.abort('left');
    assertEqual(await aborted, 'left', 'the end of the aborted wait');
    await hold.release();
    await (await waiting).release();
    await (await others.acquire(id, waitWith())).release();
  },
  'a wait whose signal is aborted already does not begin': async ({ open }) => {
    const [locks, id] = [await open(), newId()];
    assertEqual(
      await outcomeOf(locks.acquire(id, waitWith(AbortSignal.abort('early')))),
      'early',
      'the end of the wait',
    );
    await (await (await open()).acquire(id, waitWith())).release();
  },
};

/** The reason of a rejection. */
async function outcomeOf(acquiring: Promise<ConversationHold>): Promise<unknown> {
  return acquiring.then(
    () => 'a hold',
    (reason: unknown) => reason,
  );
}

/**
 * What every `ConversationLocks` must do, as tests for any test runner. What happens after a crash
 * depends on the store: test it yourself.
 *
 * @example
 * describe('AcmeConversationLocks', () => {
 *   for (const { name, run } of conversationLocksContract({ open: () => new AcmeConversationLocks() })) it(name, run);
 * });
 */
export function conversationLocksContract(harness: ConversationLocksHarness): readonly ContractCase[] {
  return testsOf(CHECKS, harness);
}
