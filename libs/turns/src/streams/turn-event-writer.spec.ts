import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/until.js';
import { InMemoryTurnEventLog } from './in-memory-turn-event-log.js';
import { TurnEventWriter } from './turn-event-writer.js';

const text = (value: string) => ({ type: 'text' as const, text: value, round: 0 });

/** A log whose first append by a process waits, as if the process was paused. */
class PausedLog extends InMemoryTurnEventLog {
  goOn!: () => void;
  readonly #paused = new Promise<void>((resolve) => (this.goOn = resolve));
  isPaused = false;

  constructor(private readonly log: InMemoryTurnEventLog) {
    super();
  }

  override append(...append: Parameters<InMemoryTurnEventLog['append']>): boolean {
    this.isPaused = true;
    return this.#paused.then(() => this.log.append(...append)) as unknown as boolean;
  }

  override read(turnId: string, after: number) {
    return this.log.read(turnId, after);
  }
}

describe('TurnEventWriter', () => {
  it('writes nothing if its process was paused before its first event, and another process has the turn', async () => {
    const log = new InMemoryTurnEventLog();
    const paused = new PausedLog(log);
    const [before, after] = [new TurnEventWriter(paused, 't', 1), new TurnEventWriter(log, 't', 2)];
    before.write(text('lost'));
    await until(() => paused.isPaused);
    after.write(text('I '));
    await after.settle();
    paused.goOn();
    await before.settle();
    after.write(text('know.'));
    await after.settle();
    expect(log.read('t', 0)!.map(({ data }) => (JSON.parse(data) as { text: string }).text)).toEqual(['I ', 'know.']);
  });

  it('takes the log over from a process that has written before it was paused', async () => {
    const log = new InMemoryTurnEventLog();
    const [before, after] = [new TurnEventWriter(log, 't', 1), new TurnEventWriter(log, 't', 2)];
    before.write(text('Once'));
    await before.settle();
    after.write(text('Twice'));
    await after.settle();
    before.write(text('lost'));
    await before.settle();
    expect(log.read('t', 0)).toHaveLength(2);
  });
});
