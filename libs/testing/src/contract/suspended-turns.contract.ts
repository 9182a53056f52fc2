import { setTimeout as pause } from 'node:timers/promises';
import type { MessageJson, SuspendedTurn, SuspendedTurnRepository, TurnChange, TurnEntry } from '@nestor-ai/core';
import type { ContractCase } from './chat-model-contract.js';
import { LONG, until } from './journal-checks.js';
import { assertEqual, newId, type StoreCases, testsOf } from './store-checks.js';

/** Connects the contract with the repository under test. */
export interface SuspendedTurnsHarness {
  /** Opens the repository as one more process would: all that it returns share one store, which may have other turns. */
  open(): SuspendedTurnRepository | Promise<SuspendedTurnRepository>;
}

const call = (id: string) => ({ id, name: 'pay', arguments: '{}' });

const HOSTILE = '\'; -- \\u0000 \u{1F469}\u200D\u{1F680} \r\n\u2028 {"id":1}';

/** A turn that waits for a decision about a call, and the entries that lead to it. */
function turnWith(id: string, callId: string, text = 'Pay', requester = 'carl') {
  const [options, context, response] = [{}, {}, { metadata: {} }];
  const facts = { response, round: 0, usageByRound: [], toolCallCounts: { pay: 1 } };
  const user: MessageJson = { role: 'user', text };
  const asked: MessageJson = { role: 'assistant', text: '', toolCalls: [call(callId)] };
  const pending = [call(callId)];
  const entries: readonly TurnEntry[] = [
    { kind: 'begun', messages: [user], options, context },
    { kind: 'answered', from: 1, messages: [asked], ...facts },
    { kind: 'suspended', from: 2, messages: [], pending, context },
  ];
  const messages = [user, asked, { role: 'tool', responses: [] } as MessageJson];
  const data = { id, requester, suspendedAt: new Date(0).toISOString(), messages, pending, options, context, ...facts };
  return { data, entries };
}

/** One process, with its own connection. */
async function processOf(
  { open }: SuspendedTurnsHarness,
  owner: string,
  id: string,
  callId = `call-${id}`,
  text = 'Pay',
  requester = 'carl',
) {
  const repository = await open();
  const { data, entries } = turnWith(id, callId, text, requester);
  const save = async (revision: number, change: Partial<TurnChange> = {}) =>
    repository.save(data, { revision, status: 'suspended', owner, lease: undefined, entries, ...change });
  const claim = async (revision: number, lease = LONG) => repository.claim(id, revision, owner, lease);
  const find = async (): Promise<SuspendedTurn | undefined> => repository.findById(id);
  return { repository, save, claim, find };
}

const again: Partial<TurnChange> = { entries: [{ kind: 'call-withdrawn', callId: 'none' }], lease: LONG };
const ENDED: Partial<TurnChange> = { entries: [{ kind: 'ended' }], status: 'ended' };

const CHECKS: StoreCases<SuspendedTurnsHarness> = {
  'finds a turn by its id and by the calls that wait, as it was saved': async (harness) => {
    const id = newId();
    const [ann, bob] = [await processOf(harness, 'ann', id, 'call', HOSTILE), await processOf(harness, 'bob', id)];
    const revision = await ann.save(0);
    const found = await bob.find();
    assertEqual(found?.revision, revision, 'that save() returns the stored revision');
    assertEqual(found?.messages[0], { role: 'user', text: HOSTILE }, 'the stored messages');
    assertEqual(found?.claim, undefined, 'that a turn without a lease has no claim');
    const ids = async (callId: string) => (await bob.repository.findByToolCallId(callId)).map((turn) => turn.id);
    assertEqual((await ids('call')).includes(id), true, 'findByToolCallId()');
    assertEqual((await ids(`none-${id}`)).length, 0, 'findByToolCallId() of an unknown call');
    assertEqual(await bob.repository.findById(`none-${id}`), undefined, 'findById() of an unknown turn');
  },
  'lists the turns that wait, those that were saved last first, of one requester or of all': async (harness) => {
    const [requester, id] = [newId(), newId()];
    const ann = await processOf(harness, 'ann', `${id}-1`, 'call', 'Pay', requester);
    const later = await processOf(harness, 'ann', `${id}-2`, 'call', 'Pay', requester);
    const other = await processOf(harness, 'ann', `${id}-3`);
    const idsOf = async (query: { requester?: string; limit: number }) =>
      (await ann.repository.findWaiting(query)).map((turn) => turn.id);
    const revision = (await ann.save(0))!;
    for (const { save } of [later, other]) {
      await pause(2);
      await save(0);
    }
    assertEqual(await idsOf({ requester, limit: 10 }), [`${id}-2`, `${id}-1`], 'the turns of a requester');
    assertEqual(await idsOf({ requester, limit: 1 }), [`${id}-2`], 'the limit');
    assertEqual((await idsOf({ limit: 1 }))[0], `${id}-3`, 'the turns of all');
    await ann.save(revision, ENDED);
    assertEqual(await idsOf({ requester, limit: 10 }), [`${id}-2`], 'that an ended turn does not wait');
  },
  'saves a turn only in place of the revision that its writer knows': async (harness) => {
    const id = newId();
    const [ann, bob] = [await processOf(harness, 'ann', id), await processOf(harness, 'bob', id)];
    assertEqual(await ann.save(1), undefined, 'that a turn which is not stored has no revision but 0');
    const first = await ann.save(0);
    assertEqual(await bob.save(0), undefined, 'that a turn is created once');
    const second = await ann.save(first!, { ...again, lease: undefined });
    assertEqual((second ?? 0) > first!, true, 'that each save makes a greater revision');
    assertEqual(await bob.save(first!, again), undefined, 'that an earlier revision is refused');
    assertEqual((await bob.save(second!, again)) !== undefined, true, 'a save in place of the stored revision');
    assertEqual((await ann.find())?.claim?.owner, 'bob', 'that a save with a lease claims the turn');
  },
  'lets one owner at a time claim a turn, until its time has passed': async (harness) => {
    const id = newId();
    const [ann, bob] = [await processOf(harness, 'ann', id), await processOf(harness, 'bob', id)];
    assertEqual(await ann.claim(0), false, 'that an unknown turn cannot be claimed');
    const revision = (await ann.save(0))!;
    assertEqual(await ann.claim(revision + 1), false, 'that another revision cannot be claimed');
    assertEqual(await ann.claim(revision), true, 'that a turn without a claim can be claimed');
    assertEqual(await bob.claim(revision), false, 'that a claimed turn cannot be claimed by another');
    assertEqual((await bob.find())?.claim?.owner, 'ann', 'that a refused claim changes nothing');
    assertEqual(await ann.claim(revision, 20), true, 'that an owner can change its claim');
    await until('A turn whose claim has ended can be claimed', async () => bob.claim(revision));
    assertEqual((await ann.find())?.revision, revision, 'that a claim does not change the revision');
  },
  'refuses everything of a process that was paused until another had claimed the turn': async (harness) => {
    const id = newId();
    const [ann, bob] = [await processOf(harness, 'ann', id), await processOf(harness, 'bob', id)];
    const revision = (await ann.save(0, { lease: 1 }))!;
    await until('A turn whose claim has ended can be claimed', async () => bob.claim(revision));
    assertEqual(await ann.save(revision, again), undefined, 'a late save');
    assertEqual(await ann.save(revision, ENDED), undefined, 'a late end');
    assertEqual(await ann.claim(revision), false, 'a late claim');
    assertEqual((await ann.find())?.claim?.owner, 'bob', 'that the turn is still that of its new owner');
    assertEqual((await bob.save(revision, again)) !== undefined, true, 'that the new owner can save it');
  },
  'lets only one of ten concurrent writers save a turn, and one of ten owners claim it': async (harness) => {
    const id = newId();
    const processes = await Promise.all(Array.from({ length: 10 }, async (_, at) => processOf(harness, `${at}`, id)));
    const saved = await Promise.all(processes.map(async ({ save }) => save(0)));
    const revision = saved.find((one) => one !== undefined)!;
    assertEqual(saved.filter((one) => one !== undefined).length, 1, 'ten concurrent saves');
    const claimed = await Promise.all(processes.map(async ({ claim }) => claim(revision)));
    assertEqual(claimed.filter(Boolean).length, 1, 'ten concurrent claims');
  },
  'has no turn that has ended': async (harness) => {
    const ann = await processOf(harness, 'ann', newId());
    const revision = (await ann.save(0, { lease: LONG }))!;
    assertEqual((await ann.save(revision, ENDED)) !== undefined, true, 'the end of a turn');
    assertEqual(await ann.find(), undefined, 'findById() of an ended turn');
    assertEqual(await ann.claim(revision), false, 'a claim of an ended turn');
    assertEqual(await ann.save(revision, again), undefined, 'a save of an ended turn');
  },
};

/**
 * What every `SuspendedTurnRepository` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeTurns', () => {
 *   for (const { name, run } of suspendedTurnsContract({ open: () => new AcmeTurns() })) it(name, run);
 * });
 */
export function suspendedTurnsContract(harness: SuspendedTurnsHarness): readonly ContractCase[] {
  return testsOf(CHECKS, harness);
}
