import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';
import type { Pool } from 'pg';

export const EFFECTS_POOL = Symbol('EffectsPool');

/** The share of the calls that take long. */
const SLOW = 3 / 4;

/** The tools of the bank. Each run leaves a row in a table, outside of Nestor's transactions. */
@Injectable()
export class BankTools {
  constructor(@Inject(EFFECTS_POOL) private readonly pool: Pool) {}

  /** Must never run twice. */
  @Tool({ description: 'Charges an account', effect: 'irreversible' })
  async charge(@ToolParam({ description: 'The number of the turn' }) turn: number, context: ToolContext) {
    return this.#run('charge', turn, context);
  }

  /** Must never run twice, nor without approval. */
  @Tool({ description: 'Transfers money', effect: 'irreversible', needsApproval: true })
  async transfer(@ToolParam({ description: 'The number of the turn' }) turn: number, context: ToolContext) {
    return this.#run('transfer', turn, context);
  }

  /** May run twice. */
  @Tool({ description: 'Reads an account', effect: 'read', replaySafe: true })
  async look(@ToolParam({ description: 'The number of the turn' }) turn: number, context: ToolContext) {
    return this.#run('look', turn, context);
  }

  /** Must never run twice, and runs as a job of its own. */
  @Tool({ description: 'Writes a report', effect: 'irreversible', job: { queue: 'reports' } })
  async report(@ToolParam({ description: 'The number of the turn' }) turn: number, context: ToolContext) {
    return this.#run('report', turn, context);
  }

  /** Must never run twice. Its result comes from outside. */
  @Tool({ description: 'Orders goods', effect: 'irreversible' })
  async order(@ToolParam({ description: 'The number of the turn' }) turn: number, context: ToolContext) {
    await this.#run('order', turn, context);
    return context.defer();
  }

  async #run(tool: string, turn: number, { idempotencyKey }: ToolContext): Promise<string> {
    const [whole, share] = [duration(), Math.random()];
    await sleep(whole * share);
    await this.#insert([randomUUID(), tool, turn, idempotencyKey]);
    // A call that is interrupted here has run, but its end is not recorded.
    await sleep(whole * (1 - share));
    return 'done';
  }

  /** A statement whose connection broke is sent again. The id of the run keeps it from counting twice. */
  async #insert(row: readonly unknown[]): Promise<void> {
    const until = Date.now() + 20_000;
    for (;;) {
      try {
        await this.pool.query(
          'INSERT INTO effects (run, tool, turn, key) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [...row],
        );
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
        await sleep(100);
      }
    }
  }
}

/** In milliseconds. Some calls last so long that replicas are killed while they run. */
function duration(): number {
  return Math.random() < SLOW ? 50 + Math.random() * 600 : 5 + Math.random() * 50;
}
