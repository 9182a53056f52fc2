import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { verifyToolAudit } from '@nestor-ai/audit';
import { callOf } from '../nest/application.js';
import { linesOf, newAuditFile, recordsIn, startWithFile, told } from './audited.js';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Has a process of its own pay, which does not survive it. */
function payAndDie(file: string): Promise<NodeJS.Signals | null | undefined> {
  const args = ['--import', here('../../apps/from-sources.mjs'), here('./killed-payer.ts'), file];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, _out, stderr) => {
      if (error?.signal) resolve(error.signal);
      else reject(new Error(`The process was not killed. ${stderr}`));
    });
  });
}

@Injectable()
class Bank {
  @Tool() balance() {
    return 7;
  }
}

it('a call whose process was killed is seen as begun, and the next process goes on with the chain', async () => {
  const file = newAuditFile();
  expect(await payAndDie(file)).toBe('SIGKILL');
  const killed = recordsIn(file);
  expect(told(killed)).toEqual(['balance began', 'balance: ok, 1 tries', 'pay began']);
  expect(killed.at(-1)).toMatchObject({ requester: 'ann', arguments: '{}' });

  // A process that dies while it writes leaves a part of a line.
  appendFileSync(file, linesOf(file)[0]!.slice(0, 50));
  const { client } = await startWithFile({ providers: [Bank] }, callOf('balance'), file, { hashChain: true });
  await client.prompt('Go').call().content();
  expect(await verifyToolAudit(linesOf(file))).toMatchObject({ isIntact: true, records: 5, tornLines: [4] });

  // Neither the payment nor the end of the first process can be taken out now.
  const withoutPayment = linesOf(file).filter((line) => !line.includes('"pay"'));
  expect(await verifyToolAudit(withoutPayment)).toMatchObject({
    isIntact: false,
    problem: { line: 4, text: 'The previous record is missing or was changed.' },
  });
}, 60_000);

it('the file of a process is written when its application has ended', async () => {
  const file = join(newAuditFile());
  const { app, client } = await startWithFile({ providers: [Bank] }, callOf('balance'), file);
  await client.prompt('Go').call().content();
  await app.close();
  expect(told(recordsIn(file))).toEqual(['balance began', 'balance: ok, 1 tries']);
});
