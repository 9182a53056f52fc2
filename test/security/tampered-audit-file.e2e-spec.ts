import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { verifyToolAudit } from '@nestor-ai/audit';
import * as fc from 'fast-check';
import { callOf } from '../nest/application.js';
import { linesOf, newAuditFile, startWithFile } from './audited.js';

@Injectable()
class Bank {
  @Tool() pay(to: string, amount: number) {
    return `${to} has ${amount}`;
  }
}

/** An audit of a few payments. */
async function auditFile(): Promise<string> {
  const file = newAuditFile();
  const script = [1, 2, 3].flatMap((amount) => callOf('pay', { to: 'Zoë \u2028 "Z"', amount }));
  const { client } = await startWithFile({ providers: [Bank] }, script, file, { hashChain: true });
  for (const id of ['ann', 'bob', 'cleo']) await client.prompt('Pay').request({ user: { id } }).call().content();
  return file;
}

const verify = (file: string) => verifyToolAudit(createInterface({ input: createReadStream(file) }));

describe('an audit file that somebody has changed', () => {
  it('is intact as it was written', async () => {
    expect(await verify(await auditFile())).toMatchObject({ isIntact: true, records: 6, tornLines: [] });
  });

  it('names the record that does not fit', async () => {
    const file = await auditFile();
    const lines = linesOf(file);
    const { id } = JSON.parse(lines[2]!) as { id: string };
    writeFileSync(file, `${lines.with(2, lines[2]!.replace('"bob"', '"ann"')).join('\n')}\n`);
    expect(await verify(file)).toMatchObject({ isIntact: false, problem: { line: 3, id, text: 'It was changed.' } });
  });

  it('is never intact, whatever is changed, removed, repeated or moved before its last line', async () => {
    const lines = linesOf(await auditFile());
    const line = fc.integer({ min: 0, max: lines.length - 2 });
    const change = fc.oneof(
      line.map((at) => lines.toSpliced(at, 1)),
      line.map((at) => lines.toSpliced(at, 0, lines[at]!)),
      fc.tuple(line, line).map(([from, to]) => lines.toSpliced(from, 1).toSpliced(to, 0, lines[from]!)),
      fc.tuple(line, fc.nat(300), fc.string({ minLength: 1, maxLength: 3 })).map(([at, from, text]) => {
        const old = lines[at]!;
        return lines.with(at, old.slice(0, from) + text + old.slice(from + text.length));
      }),
    );
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        fc.pre(changed.join('\n') !== lines.join('\n'));
        // A text with a line feed makes two lines of one, as it does in a file.
        expect((await verifyToolAudit(changed.join('\n').split('\n'))).isIntact).toBe(false);
      }),
    );
  });

  it('that has lost its end is found out by the hash that was noted elsewhere', async () => {
    const file = await auditFile();
    const noted = (await verify(file)).lastHashes;
    writeFileSync(file, `${linesOf(file).slice(0, -1).join('\n')}\n`);
    const found = await verify(file);
    expect(found.isIntact).toBe(true);
    expect(found.lastHashes).not.toEqual(noted);
  });
});

describe('a line of an audit file', () => {
  it('has no character that some readers take for the end of a line', async () => {
    expect(readFileSync(await auditFile(), 'utf8')).not.toMatch(/[\u2028\u2029]/);
  });

  it('may have such characters when an earlier version wrote it', async () => {
    const earlier = linesOf(await auditFile()).map((line) => JSON.stringify(JSON.parse(line)));
    expect(earlier.join('')).toContain('\u2028');
    expect(await verifyToolAudit(earlier)).toMatchObject({ isIntact: true, records: 6 });
  });
});
