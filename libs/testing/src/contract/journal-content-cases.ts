import type { TurnEntry } from '@nestor-ai/core';
import type { TurnJournal } from '@nestor-ai/turns';
import { assertEqual } from './assertions.js';
import { appendOf, type TurnJournalHarness, LONG, readTurn, RUNNING, store } from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';

/** Texts that stores often change or refuse. */
const HOSTILE_TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['a NUL character', 'a\0b'],
  ['an escaped NUL character', String.raw`a\u0000b\\u0000`],
  ['a lone high surrogate', 'a\ud800b'],
  ['a lone low surrogate', '\udc00'],
  ['a surrogate pair', '🪺'],
  ['a backslash at the end', 'C:\\'],
  ['quotes, braces and commas', `{"a",'b'},$1,NULL;--`],
  ['a decomposed letter and a byte order mark', '\ufeffe\u0301'],
  ['the empty text', ''],
  ['control characters', '\u0001\r\n\t\u007f\u2028'],
  ['the name of the prototype', '__proto__'],
];

async function checkEntries(journal: TurnJournal, what: string, entries: readonly TurnEntry[]): Promise<void> {
  const id = newId();
  await store(journal, appendOf(id, { entries }));
  const { entries: stored } = await readTurn(journal, id);
  assertEqual(stored, entries, `Entries with ${what} come back unchanged`);
  assertEqual(
    JSON.stringify(stored) === JSON.stringify(entries),
    true,
    `Entries with ${what} keep the order of their keys`,
  );
}

const begunWith = (context: Readonly<Record<string, unknown>>): TurnEntry => ({
  kind: 'begun',
  messages: [],
  options: {},
  context,
});

/** What a journal must store unchanged: everything that is JSON. */
export const JOURNAL_CONTENT_CASES: StoreCases<TurnJournalHarness> = {
  'stores any text unchanged': async ({ open }) => {
    const journal = await open();
    for (const [what, text] of HOSTILE_TEXTS)
      await checkEntries(journal, what, [begunWith({ text, list: [text], [`key ${text}`]: text })]);
  },
  'stores any JSON unchanged': async ({ open }) => {
    const journal = await open();
    await checkEntries(journal, 'a key of the prototype', [
      begunWith(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}') as Record<string, unknown>),
    ]);
    await checkEntries(journal, 'keys in no order', [begunWith({ b: 1, a: { z: [], y: {} }, '10': 0, '9': null })]);
    const numbers = [0.1, 1e-7, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER, 2 ** 60, 1e21];
    await checkEntries(journal, 'numbers', [begunWith({ numbers })]);
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 500; depth++) deep = depth % 2 ? [deep] : { deep };
    await checkEntries(journal, '500 levels', [begunWith({ deep })]);
  },
  'stores long texts and many entries unchanged': async ({ open }) => {
    const journal = await open();
    await checkEntries(journal, '1 MB of text', [begunWith({ text: '"\\\u0000é🪺\n'.repeat(100_000) })]);
    await checkEntries(
      journal,
      '1,000 neighbours',
      Array.from({ length: 1000 }, (_, n) => begunWith({ n })),
    );
  },
  'tells ids apart that differ in one unusual character': async ({ open }) => {
    const [journal, own] = [await open(), newId()];
    const ids = HOSTILE_TEXTS.map(([, text]) => `${own}${text}`);
    await Promise.all(ids.map(async (id) => store(journal, appendOf(id, { owner: id, lease: LONG }))));
    for (const id of ids) {
      const turn = await readTurn(journal, id);
      assertEqual([turn.id, turn.claim?.owner], [id, id], 'The id and the owner of a turn come back unchanged');
      assertEqual(await journal.claim(id, 1, `${id}.`, LONG), false, 'Another owner cannot claim the turn');
      assertEqual(await journal.claim(id, 1, id, LONG), true, 'The owner can extend its claim');
    }
  },
  'finds turns by data with unusual characters, and gives it back unchanged': async ({ open }) => {
    const [journal, own] = [await open(), newId()];
    const values = HOSTILE_TEXTS.map(([, text]) => `${own}${text}`);
    for (const value of values) {
      const facts = { requester: value, client: value, conversationId: value, pendingCallIds: [value, `${value}2`] };
      await store(journal, appendOf(`turn of ${value}`, { facts: { ...RUNNING, ...facts } }));
    }
    for (const value of values) {
      const one = { requester: value, client: value, conversationId: value };
      for (const query of [
        { requester: value },
        { client: value },
        { conversationId: value },
        { pendingCallId: value },
        one,
      ]) {
        const [turn, ...others] = await journal.find({ ...query, limit: 2 });
        assertEqual(others, [], `find() by ${Object.keys(query).join(', ')} returns one turn`);
        const { requester, client, conversationId, pendingCallIds } = turn ?? { pendingCallIds: [] };
        assertEqual({ requester, client, conversationId }, one, 'The data of a turn comes back unchanged');
        assertEqual(pendingCallIds, [value, `${value}2`], 'The ids of pending calls come back unchanged');
      }
    }
  },
};
