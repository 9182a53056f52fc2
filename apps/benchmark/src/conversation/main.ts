/*
 * What a conversation of 60 turns with tools sends to a model: `npm run bench:conversation` prints the
 * table of docs/guides/memory.md, and how much longer a request takes in a long conversation.
 */
import 'reflect-metadata';
import { costOfLength } from './long.js';
import { sixtyTurns, type Strategy } from './sixty-turns.js';

const STRATEGIES: readonly Strategy[] = [
  'nothing',
  '20 messages',
  '20 messages, with a search',
  '8,000 tokens',
  'context editing',
  'summaries',
];

console.log('| kept short by | tokens in all | largest request | knows in turn 60 what turn 3 said |');
console.log('| --- | ---: | ---: | --- |');
let most: number | undefined;
for (const strategy of STRATEGIES) {
  const { tokens, largest, knowsFact } = await sixtyTurns(strategy);
  most ??= tokens;
  const share = `${tokens.toLocaleString('en')} (${((100 * tokens) / most).toFixed(0)} %)`;
  console.log(`| ${strategy} | ${share} | ${largest.toLocaleString('en')} | ${knowsFact ? 'yes' : 'no'} |`);
}

const ratio = await costOfLength();
console.log(`\nA request in a conversation of 10,000 turns takes ${ratio.toFixed(2)} times as long as in one of ten.`);
