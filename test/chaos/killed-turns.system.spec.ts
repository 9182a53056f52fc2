import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type ToolApproval, ToolApprovalException } from '@nestor-ai/core';
import { LEASE, Shop } from './shop.js';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** Has a process of its own go on with the turn. It dies in the step of this number, and tells which one that was. */
function buy(directory: string, turnId: string, step: number, kind: readonly string[]): Promise<string | undefined> {
  const loader = here('../../apps/from-sources.mjs');
  const args = ['--import', loader, here('./buyer.ts'), directory, turnId, String(step), ...kind];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (!error) resolve(undefined);
      else if (error.signal === 'SIGKILL') resolve(stdout);
      else reject(new Error(stderr));
    });
  });
}

/** Goes on with what is left of the turn, as somebody does who looks before he decides. */
async function rescue(shop: Shop, turnId: string): Promise<string> {
  let decisions: readonly ToolApproval[] = [{ toolCallId: 'call_pay', approved: true }];
  for (let times = 0; times < 10; times++) {
    try {
      return (await shop.client.prompt().toolApprovals(decisions, { turnId }).call().content()) ?? '';
    } catch (error) {
      if (!(error instanceof ToolApprovalException)) throw error;
      if (error.problem === 'not-found') return 'The turn has ended.';
      if (error.problem === 'conflict') await sleep(LEASE);
      const looked = error.uncertainCalls.map(({ id, name }) =>
        shop.deeds.includes(name)
          ? { toolCallId: id, approved: false, reason: 'It was done.' }
          : { toolCallId: id, approved: true, replay: true },
      );
      if (looked.length > 0) decisions = looked;
    }
  }
  throw new Error('The turn does not go on.');
}

describe('a process that is killed inside of an approved turn', () => {
  const directories: string[] = [];
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true });
  });

  const kinds = [
    ['a stream, with memory inside of the loop', 'true', 'true'],
    ['a call, with memory around the loop', 'false', 'false'],
  ] as const;

  it.each(kinds)(
    'at any step loses nothing, and nothing is done twice: %s',
    async (_kind, isStreamed, isMemoryInside) => {
      const died = new Set<string>();
      /** @returns whether the process has come to its end */
      const playUntil = async (step: number): Promise<boolean> => {
        const directory = mkdtempSync(join(tmpdir(), 'shop-'));
        directories.push(directory);
        const shop = new Shop(directory, () => undefined, isMemoryInside === 'true');
        const asked = await shop.client.prompt('Buy it').call().chatResponse();
        const turnId = asked!.metadata['turnId'] as string;
        const where = await buy(directory, turnId, step, [isStreamed, isMemoryInside]);
        if (where !== undefined) died.add(where);
        const answer = await rescue(shop, turnId);
        const { conversation, deeds, waitingTurns } = shop;
        expect({ where, answer, deeds: deeds.toSorted(), waitingTurns }).toEqual({
          where,
          answer: expect.stringMatching(/^(It is on its way|The turn has ended)\.$/),
          deeds: ['pay', 'ship'],
          waitingTurns: [],
        });
        expect(conversation.filter(({ role }) => role === 'user')).toHaveLength(1);
        expect(conversation.at(-1)).toMatchObject({ role: 'assistant', text: 'It is on its way.' });
        return where === undefined;
      };
      let hasEnded = false;
      // Two at a time.
      for (let step = 1; !hasEnded; step += 2)
        hasEnded = (await Promise.all([playUntil(step), playUntil(step + 1)]))[1];
      const around = ['claim', 'pay', 'remove', 'save', 'ship', 'the memory is written'];
      const steps = around.flatMap((what) => [`before ${what}`, `after ${what}`]);
      expect([...died].toSorted()).toEqual([...steps, 'the model is asked'].toSorted());
    },
    600_000,
  );
});
