import { describe, expect, it } from '@jest/globals';
import { REFERENCE } from './contestants.js';
import { type Measured, tableOf } from './table.js';

const measured = (label: string, turnsPerSecond: number, inMemory: string): Measured => ({
  label,
  turnsPerSecond,
  inMemory,
  isDurable: label !== inMemory,
  statementsPerRound: 1.5,
  version: '1.2.3',
  module: '',
  export: '',
});

const rowsOf = (table: string): string[][] =>
  table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('tableOf', () => {
  it('compares what is durable with its own form in memory and with Nestor', () => {
    const rows = rowsOf(
      tableOf([
        measured('Nestor, in memory', 100, 'Nestor, in memory'),
        measured(REFERENCE, 50, 'Nestor, in memory'),
        measured('peer, in memory', 40, 'peer, in memory'),
        measured('peer, durable', 10, 'peer, in memory'),
      ]),
    );
    expect(rows.slice(2)).toEqual([
      ['Nestor, in memory (1.2.3)', '100', '', '', ''],
      [`${REFERENCE} (1.2.3)`, '50', '0.50 ×', '1.00 ×', '1.50'],
      ['peer, in memory (1.2.3)', '40', '', '', ''],
      ['peer, durable (1.2.3)', '10', '0.25 ×', '0.20 ×', '1.50'],
    ]);
  });
});
