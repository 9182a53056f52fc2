import { describe, expect, it } from '@jest/globals';
import { names } from '../../../../test/tool-search/indexes.js';
import { KeywordToolIndex } from './keyword-tool-index.js';

describe('a keyword index', () => {
  it.each([
    ['HTTP status', 'getHTTPStatus_v2'],
    ['forecasting', 'weatherForecast'],
    ['purchase a vehicle', 'buyCar'],
    ['please log me in', 'login'],
    ['zip code', 'lookUp'],
    ['celsius', 'convert'],
  ])('finds %p', async (query, toolName) => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', [
      { toolName: 'getHTTPStatus_v2' },
      { toolName: 'weatherForecast' },
      { toolName: 'buyCar' },
      { toolName: 'login' },
      { toolName: 'lookUp', inputSchema: { properties: { zipCode: { type: 'string' } } } },
      { toolName: 'convert', inputSchema: { properties: { unit: { enum: ['celsius', 'kelvin'] } } } },
      { toolName: 'other', summary: 'Something else altogether' },
    ]);
    expect((await names(index, query))[0]).toBe(toolName);
  });

  it('leaves out tools that match far worse than the best', async () => {
    const tools = [
      { toolName: 'sendParcelReminder', summary: 'Reminds the receiver of a parcel that waits' },
      { toolName: 'misc', summary: `Many things ${'and others '.repeat(40)} such as a parcel` },
    ];
    const strict = new KeywordToolIndex({ minScoreThreshold: 0.25 });
    const lax = new KeywordToolIndex({ minScoreThreshold: 0 });
    for (const index of [strict, lax]) await index.indexTools('a', tools);
    const query = 'send the receiver a reminder of the parcel';
    expect(await names(strict, query)).toEqual(['sendParcelReminder']);
    expect(await names(lax, query)).toEqual(['sendParcelReminder', 'misc']);
    expect(() => new KeywordToolIndex({ minScoreThreshold: 2 })).toThrow('between 0 and 1');
  });

  it('reads a part of a schema seldom, however often the schema refers to it', async () => {
    let reads = 0;
    const parts = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`p${number}`, { $ref: '#/$defs/n' }]));
    const node = {
      type: 'object' as const,
      get properties() {
        reads++;
        return parts;
      },
    };
    const schema = { type: 'object' as const, properties: parts, $defs: { n: node } };
    const index = new KeywordToolIndex();
    await index.indexTools('a', [{ toolName: 'buyCar', inputSchema: schema }]);
    expect(await names(index, 'buy')).toEqual(['buyCar']);
    expect(reads).toBeLessThan(100);
  });

  it('finds several tools for a long request for several things', async () => {
    const index = new KeywordToolIndex();
    const cities = Array.from({ length: 6 }, (_, number) => ({
      toolName: `weatherReport${number}`,
      summary: 'Weather report with temperature, wind and rain for a city on a day',
    }));
    await index.indexTools('a', [...cities, { toolName: 'reserveTable', summary: 'Reserve a table in a restaurant' }]);
    const query =
      'Give me the weather report for Lisbon with temperature, wind, rain and humidity on Saturday evening in that city, and afterwards ' +
      'reserve a table for four people at a restaurant near the harbour';
    expect((await names(index, query, { maxResults: 3 })).slice(0, 3)).toContain('reserveTable');
  });
});

describe('a keyword index of odd names and schemas', () => {
  const index = new KeywordToolIndex();

  it.each([
    ['help', 'help'],
    ['who am i', 'who_am_i'],
    ['s3', 's3'],
    ['使用github搜索代码', 'searchGithub'],
    ['munchen', 'München'],
    ['München', 'München'],
    ['shipping address', 'createOrder'],
  ])('finds %p', async (query, toolName) => {
    await index.indexTools('a', [
      { toolName: 'help', summary: 'Get help' },
      { toolName: 'who_am_i', summary: 'Tells who I am' },
      { toolName: 's3' },
      { toolName: 'mp3_download' },
      { toolName: 'searchGithub' },
      { toolName: 'München' },
      {
        toolName: 'createOrder',
        inputSchema: {
          properties: { to: { $ref: '#/$defs/Address' } },
          $defs: {
            Address: { properties: { shippingAddress: { type: 'string' }, next: { $ref: '#/$defs/Address' } } },
          },
        },
      },
    ]);
    expect((await names(index, query))[0]).toBe(toolName);
  });

  it('finds as many tools as requested, also in a category whose words are common elsewhere', async () => {
    const other = new KeywordToolIndex();
    const customers = Array.from({ length: 300 }, (_, number) => ({
      toolName: `customer_${number}`,
      summary: 'Shows a customer',
      category: 'crm ',
    }));
    await other.indexTools('a', [
      ...customers,
      { toolName: 'overdue', category: 'billing' },
      { toolName: 'invoices', category: 'billing' },
    ]);
    expect(await names(other, 'customer', { maxResults: 200 })).toHaveLength(200);
    expect(await names(other, 'customer overdue invoices', { categoryFilter: 'CRM' })).toHaveLength(10);
    expect(await names(other, 'customer', { maxResults: null })).toHaveLength(10);
  });
});

describe('a keyword index that has changed', () => {
  it('finds the same tools as a new index, each time', async () => {
    const index = new KeywordToolIndex();
    const tools = Array.from({ length: 200 }, (_, number) => ({
      toolName: `mail_${number}`,
      summary: number % 3 ? 'Sends mail' : 'Sends a mail about mail to the mail list',
    }));
    await index.indexTools('a', tools);
    for (const tool of tools.slice(0, 40)) await index.indexTool('a', { ...tool, summary: 'Nothing of the kind' });
    const fresh = new KeywordToolIndex();
    await fresh.indexTools('a', [
      ...tools.slice(40),
      ...tools.slice(0, 40).map((tool) => ({ ...tool, summary: 'Nothing of the kind' })),
    ]);
    const query = 'mail mail mail';
    const first = await names(index, query);
    expect(await names(index, query)).toEqual(first);
    expect(first).toEqual(await names(fresh, query));
  });
});
