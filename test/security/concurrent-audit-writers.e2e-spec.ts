import { existsSync, renameSync, statSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolContext } from '@nestor-ai/core';
import { verifyToolAudit } from '@nestor-ai/audit';
import { toolCall } from '@nestor-ai/testing';
import { linesOf, newAuditFile, recordsIn, startWithFile } from './audited.js';

@Injectable()
class Bank {
  @Tool() async pay(user: string, amount: number, context: ToolContext) {
    await new Promise(setImmediate);
    if ((context.turn.request as { user: { id: string } }).user.id !== user) throw new Error('mixed up');
    return amount;
  }
}

const TURNS = 40;
const CALLS = 3;

/** An application in which many users pay at the same time. */
async function payAtOnce(file: string, name: string, hashChain: boolean): Promise<void> {
  let turns = 0;
  const ask = () => {
    const user = `${name}${turns++}`;
    return { toolCalls: Array.from({ length: CALLS }, (_, amount) => toolCall('pay', { user, amount })) };
  };
  // All ask before the first one is answered.
  const script = [...Array.from({ length: TURNS }, () => ask), ...Array.from({ length: TURNS }, () => 'done')];
  const { client } = await startWithFile({ providers: [Bank] }, script, file, { required: true, hashChain });
  const requests = Array.from({ length: TURNS }, (_, at) => ({ user: { id: `${name}${at}` } }));
  await Promise.all(requests.map((request) => client.prompt('Pay').request(request).call().content()));
}

it.each([true, false])(
  'many requests of two processes have whole records in one file, hash chain: %s',
  async (chain) => {
    const file = newAuditFile();
    await Promise.all([payAtOnce(file, 'a', chain), payAtOnce(file, 'b', chain)]);
    const records = recordsIn(file);
    expect(records).toHaveLength(2 * TURNS * CALLS * 2);
    const begun = new Map<string, string>();
    for (const { event, runId, requester, arguments: args, outcome } of records) {
      // Each under the name of the one who has asked.
      expect(args).toContain(`"user":"${requester}"`);
      if (event === 'tool-call-began') begun.set(runId, args!);
      else expect({ args: begun.get(runId), outcome }).toEqual({ args, outcome: 'ok' });
    }
    expect(begun.size).toBe(2 * TURNS * CALLS);
    if (!chain) return;
    expect(new Set(records.map(({ chain: id }) => id)).size).toBe(2);
    expect(await verifyToolAudit(linesOf(file))).toMatchObject({ isIntact: true, records: records.length });
  },
);

it('a file that is renamed under them loses no record', async () => {
  const file = newAuditFile();
  const paying = payAtOnce(file, 'a', true);
  while (!existsSync(file) || statSync(file).size === 0) await new Promise(setImmediate);
  renameSync(file, `${file}.1`);
  await paying;
  const [old, current] = [linesOf(`${file}.1`), linesOf(file)];
  expect(old.length + current.length).toBe(TURNS * CALLS * 2);
  const { lastHashes } = await verifyToolAudit(old);
  expect(await verifyToolAudit(current, { after: lastHashes })).toMatchObject({ isIntact: true });
});
