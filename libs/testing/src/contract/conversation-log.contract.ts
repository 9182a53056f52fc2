import { randomUUID } from 'node:crypto';
import {
  AssistantMessage,
  type ConversationLog,
  type ConversationPage,
  type Message,
  UserMessage,
} from '@nestor-ai/core';
import { assertEqual } from './assertions.js';
import { HOSTILE_TEXTS, jsonOf, said, WHOLE_TURN } from './chat-memory-contract.js';
import type { ContractCase } from './chat-model-contract.js';

/** A test of a log. The id is that of a conversation that the log does not know. */
type Check = (log: ConversationLog, id: string) => Promise<void>;

const question = (name: string): Message => new UserMessage(name);
/** A question and its answer. */
const turn = (name: string): readonly Message[] => [question(`${name}?`), new AssistantMessage(`${name}!`)];

async function append(log: ConversationLog, id: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) await log.append(id, name, turn(name));
}

const idsOf = ({ turns }: ConversationPage): readonly string[] => turns.map((one) => one.id);
const pinsOf = ({ pinned }: ConversationPage): readonly string[] => pinned.map((one) => one.id);

async function newest(log: ConversationLog, id: string, limit = 100): Promise<readonly string[]> {
  return idsOf(await log.read(id, { limit }));
}

const ANN = { subject: 'ann' };
const BOB = { subject: 'bob' };
const NOBODY = { subject: undefined };

/** What an append throws. Undefined if it does not. */
async function thrownBy(append: () => Promise<void>): Promise<Error | undefined> {
  try {
    await append();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function assertRefused(append: () => Promise<void>): Promise<void> {
  const error = await thrownBy(append);
  assertEqual(error?.name, 'ConversationOwnerException', 'what an append of another owner throws');
}

const CHECKS: Readonly<Record<string, Check>> = {
  'an unknown conversation has no turns': async (log, id) => {
    assertEqual(await log.read(id, { limit: 10 }), { turns: [], pinned: [] }, 'an unknown conversation');
    await log.delete(id);
  },
  'turns come back whole, in their order, with messages of every role': async (log, id) => {
    await append(log, id, 'one');
    await log.append(id, 'two', WHOLE_TURN);
    const { turns } = await log.read(id, { limit: 100 });
    assertEqual(
      turns.map((one) => one.id),
      ['one', 'two'],
      'the turns',
    );
    assertEqual(jsonOf(turns[1]!.messages), jsonOf(WHOLE_TURN), 'the messages of a turn');
    assertEqual(turns[0]!.position < turns[1]!.position, true, 'whether a later turn has a greater position');
  },
  'a turn is added once': async (log, id) => {
    await append(log, id, 'one', 'two', 'one');
    await log.append(id, 'two', said('other words'));
    assertEqual(await newest(log, id), ['one', 'two'], 'the turns');
    assertEqual(jsonOf((await log.read(id, { limit: 1 })).turns[0]!.messages), jsonOf(turn('two')), 'the last turn');
    await append(log, `${id} other`, 'one');
    assertEqual(await newest(log, `${id} other`), ['one'], 'the turns of another conversation');
  },
  'a turn is added once by processes that add it at the same time': async (log, id) => {
    await Promise.all(Array.from({ length: 6 }, async (_, at) => append(log, id, 'same', `own ${at}`)));
    const found = await newest(log, id);
    assertEqual(found.filter((one) => one === 'same').length, 1, 'how often the turn is there');
    assertEqual(found.length, 7, 'the number of turns');
  },
  'turns that are added at the same time stay whole': async (log, id) => {
    const names = Array.from({ length: 8 }, (_, at) => `turn ${at}`);
    await Promise.all(names.map(async (name) => append(log, id, name)));
    const { turns } = await log.read(id, { limit: 100 });
    assertEqual(turns.map((one) => one.id).toSorted(), names, 'the turns');
    for (const one of turns) assertEqual(jsonOf(one.messages), jsonOf(turn(one.id)), 'the messages of a turn');
  },
  'a page has the newest turns, whole, with as many messages as were asked for': async (log, id) => {
    await append(log, id, 'a', 'b', 'c', 'd');
    for (const [limit, wanted] of [
      [1, ['d']],
      [2, ['d']],
      [3, ['c', 'd']],
      [8, ['a', 'b', 'c', 'd']],
    ] as const)
      assertEqual(await newest(log, id, limit), wanted, `the turns of ${limit} messages`);
  },
  'pages go back to the first turn, without a gap': async (log, id) => {
    await append(log, id, 'a', 'b', 'c', 'd', 'e');
    let { turns } = await log.read(id, { limit: 3 });
    const pages = [turns.map((one) => one.id)];
    while (turns.length > 0) {
      ({ turns } = await log.read(id, { limit: 3, before: turns[0]!.position }));
      pages.push(turns.map((one) => one.id));
    }
    assertEqual(pages, [['d', 'e'], ['b', 'c'], ['a'], []], 'the pages');
  },
  'a page may be without a limit, and end before a position inside a turn': async (log, id) => {
    await append(log, id, 'a', 'b', 'c');
    assertEqual(await newest(log, id, Infinity), ['a', 'b', 'c'], 'the turns without a limit');
    const { turns } = await log.read(id, { limit: 1 });
    const inside = await log.read(id, { limit: Infinity, before: turns[0]!.position + 1 });
    assertEqual(
      inside.turns.map(({ messages }) => messages.length),
      [2, 2, 2],
      'the messages of each turn',
    );
  },
  'the newest turn of each pin stays, and no other': async (log, id) => {
    await log.append(id, 'rules', WHOLE_TURN, { pin: 'system' });
    await log.append(id, 'note', said('note'), { pin: 'note' });
    await log.append(id, 'rules 2', WHOLE_TURN, { pin: 'system' });
    await append(log, id, 'a', 'b');
    const page = await log.read(id, { limit: 2 });
    assertEqual([idsOf(page), pinsOf(page)], [['b'], ['note', 'rules 2']], 'the turns, and the pinned ones');
    assertEqual(
      [...page.pinned, ...page.turns].map(({ pin }) => pin),
      ['note', 'system', undefined],
      'the pins of the turns',
    );
    assertEqual(jsonOf(page.pinned[1]!.messages), jsonOf(WHOLE_TURN), 'the messages of a pinned turn');
    const earlier = await log.read(id, { limit: 2, before: page.turns[0]!.position });
    assertEqual([idsOf(earlier), pinsOf(earlier)], [['a'], []], 'an earlier page');
  },
  'a turn of the page is not among the pinned ones': async (log, id) => {
    await log.append(id, 'rules', WHOLE_TURN, { pin: 'system' });
    await append(log, id, 'a');
    const page = await log.read(id, { limit: 3 });
    assertEqual([idsOf(page), pinsOf(page)], [['rules', 'a'], []], 'the turns, and the pinned ones');
  },
  'nothing is added after a turn that is gone': async (log, id) => {
    await append(log, id, 'a');
    await log.append(id, 'b', turn('b'), { after: 'a' });
    await log.append(id, 'c', turn('c'), { after: 'x' });
    assertEqual(await newest(log, id), ['a', 'b'], 'the turns');
    await log.delete(id);
    await log.append(id, 'd', turn('d'), { after: 'a' });
    assertEqual(await newest(log, id), [], 'the turns of the deleted conversation');
    await log.append(id, 'e', turn('e'));
    assertEqual(await newest(log, id), ['e'], 'the turns of the conversation that began again');
  },
  'an append of a caller that has left changes nothing': async (log, id) => {
    const signal = AbortSignal.abort(new Error('left'));
    const error = await thrownBy(async () => log.append(id, 'late', turn('late'), { signal }));
    assertEqual(error?.message, 'left', 'what the append throws');
    assertEqual(await newest(log, id), [], 'the turns');
  },
  'later changes of what was given do not change a turn': async (log, id) => {
    const messages = [...turn('one')];
    await log.append(id, 'one', messages);
    messages.pop();
    assertEqual((await log.read(id, { limit: 1 })).turns[0]!.messages.length, 2, 'the number of messages');
  },
  'a deleted conversation is empty, and the others stay': async (log, id) => {
    await append(log, `${id} 1`, 'one');
    await append(log, `${id} 2`, 'two');
    await log.delete(`${id} 1`);
    assertEqual(await newest(log, `${id} 1`), [], 'the deleted conversation');
    assertEqual(await newest(log, `${id} 2`), ['two'], 'the other conversation');
    await append(log, `${id} 1`, 'one');
    assertEqual(await newest(log, `${id} 1`), ['one'], 'the conversation that began again');
  },
  'ids are listed in pages': async (log, id) => {
    const ids = Array.from({ length: 5 }, (_, at) => `${id} ${at}`);
    for (const one of ids) await append(log, one, 'one');
    const listed: string[] = [];
    for (let after = `${id} `; ; after = listed.at(-1)!) {
      const page = await log.list({ after, limit: 2 });
      listed.push(...page.filter((one) => one.startsWith(id)));
      if (page.length === 0 || !page.at(-1)!.startsWith(id)) break;
    }
    assertEqual(listed, ids, 'the ids');
    await log.delete(ids[0]!);
    assertEqual((await log.list({ after: `${id} `, limit: 1 }))[0], ids[1], 'the first id after one was deleted');
  },
  'a conversation belongs to whoever has said its first turn': async (log, id) => {
    await log.append(id, 'a', turn('a'), { by: ANN });
    await append(log, id, 'b');
    const found = await log.read(id, { limit: 1 });
    assertEqual([idsOf(found), found.owner], [['b'], 'ann'], 'the newest turn, and the owner');
    const earlier = await log.read(id, { limit: 1, before: found.turns[0]!.position });
    assertEqual([idsOf(earlier), earlier.owner], [['a'], 'ann'], 'the earlier turn, and the owner');
    for (const by of [BOB, NOBODY]) {
      await assertRefused(async () => log.append(id, 'c', turn('c'), { by }));
      await assertRefused(async () => log.append(id, 'a', turn('a'), { by }));
    }
    await assertRefused(async () => log.adopt(id, 'bob'));
    await log.append(id, 'd', turn('d'), { by: ANN });
    assertEqual(await newest(log, id), ['a', 'b', 'd'], 'the turns');
    await log.delete(id);
    await log.append(id, 'e', turn('e'), { by: BOB });
    assertEqual((await log.read(id, { limit: 1 })).owner, 'bob', 'the owner after the conversation was deleted');
  },
  'a conversation without an owner is refused to a subject until it is given to it': async (log, id) => {
    await log.append(id, 'a', turn('a'), { by: NOBODY });
    assertEqual((await log.read(id, { limit: 1 })).owner, undefined, 'the owner');
    await assertRefused(async () => log.append(id, 'b', turn('b'), { by: ANN }));
    await log.adopt(id, 'ann');
    await log.append(id, 'b', turn('b'), { by: ANN });
    await assertRefused(async () => log.append(id, 'c', turn('c'), { by: NOBODY }));
    const found = await log.read(id, { limit: 5 });
    assertEqual([idsOf(found), found.owner], [['a', 'b'], 'ann'], 'the turns, and the owner');
  },
  'a conversation may have an owner before it has turns': async (log, id) => {
    await log.append(`${id} 1`, 'a', [], { by: ANN });
    await log.adopt(`${id} 2`, 'ann');
    for (const one of [`${id} 1`, `${id} 2`]) {
      assertEqual(await log.read(one, { limit: 5 }), { turns: [], pinned: [], owner: 'ann' }, 'what is read');
      await assertRefused(async () => log.append(one, 'b', turn('b'), { by: BOB }));
      await log.append(one, 'a', turn('a'), { by: ANN });
      assertEqual(await newest(log, one), ['a'], 'the turns');
    }
    await log.append(`${id} 3`, 'a', [], { by: NOBODY });
    assertEqual((await log.list({ after: `${id} 2`, limit: 1 }))[0] === `${id} 3`, false, 'whether nothing was stored');
  },
  'a conversation that several begin at the same time belongs to one of them': async (log, id) => {
    const all = [ANN, NOBODY, BOB, { subject: 'cid' }];
    const name = ({ subject = 'nobody' }: { subject: string | undefined }): string => subject;
    const ended = await Promise.allSettled(all.map(async (by) => log.append(id, name(by), turn(name(by)), { by })));
    const { turns, owner } = await log.read(id, { limit: 100 });
    assertEqual(
      turns.map((one) => one.id),
      [name({ subject: owner })],
      'the turns',
    );
    assertEqual(ended.filter(({ status }) => status === 'fulfilled').length, 1, 'the number of appends');
  },
  'the conversations of an owner are listed in pages': async (log, id) => {
    const [ann, bob] = [`${id} ann`, `${id} bob`];
    for (const at of [1, 2, 3])
      await log.append(`${id} ${at}`, 'a', turn('a'), { by: { subject: at === 2 ? bob : ann } });
    assertEqual(await log.list({ owner: ann }), [`${id} 1`, `${id} 3`], 'all of them');
    assertEqual(await log.list({ owner: ann, limit: 1 }), [`${id} 1`], 'the first page');
    assertEqual(await log.list({ owner: ann, after: `${id} 1`, limit: 1 }), [`${id} 3`], 'the second page');
    assertEqual(await log.list({ owner: `${id} a` }), [], 'those of another owner');
  },
  'ids and texts may contain any characters': async (log, id) => {
    for (const text of HOSTILE_TEXTS)
      await log.append(id + text, text, said(text), { pin: text, by: { subject: text } });
    for (const text of HOSTILE_TEXTS) {
      const { turns, owner } = await log.read(id + text, { limit: 10 });
      const found = [turns[0]!.id, owner, jsonOf(turns[0]!.messages)];
      assertEqual(found, [text, text, jsonOf(said(text))], 'the id, the owner and the messages');
    }
  },
  'a turn may have a long text': async (log, id) => {
    const long = said('ä"\\'.repeat(100_000));
    await log.append(id, 'long', long);
    assertEqual(jsonOf((await log.read(id, { limit: 1 })).turns[0]!.messages), jsonOf(long), 'the messages');
  },
};

/**
 * What every `ConversationLog` must do, as tests for any test runner.
 *
 * @param log creates the log; it may be the same for all tests
 * @example
 * describe('AcmeConversationLog', () => {
 *   for (const { name, run } of conversationLogContract(() => log)) it(name, run);
 * });
 */
export function conversationLogContract(
  log: () => ConversationLog | Promise<ConversationLog>,
): readonly ContractCase[] {
  return Object.entries(CHECKS).map(([name, check]) => ({
    name,
    run: async () => check(await log(), `contract ${randomUUID()}`),
  }));
}
