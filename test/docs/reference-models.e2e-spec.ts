import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PNG } from '../protocol/bodies/tool-turns.js';
import { modelTable } from './reference/model-table.js';

const page = new URL('../../docs/reference/what-reaches-the-model.md', import.meta.url);
const GENERATED = /(<!-- models -->\n)[\s\S]*?(<!-- \/models -->)/;

beforeAll(() => {
  Logger.overrideLogger(false);
  // What is downloaded for a provider.
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(PNG, { headers: { 'content-type': 'image/png' } }));
});

describe('docs/reference/what-reaches-the-model.md', () => {
  it('has the table that the requests give', async () => {
    const written = readFileSync(page, 'utf8');
    const table = await modelTable();
    const current = written.replace(GENERATED, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
    if (process.env.UPDATE_DOCS) writeFileSync(page, current);
    // When this fails after a change that you want: npm run docs
    expect(current).toBe(process.env.UPDATE_DOCS ? current : written);
  });
});
