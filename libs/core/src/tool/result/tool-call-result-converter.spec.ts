import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { runInNewContext } from 'node:vm';
import { Observable } from 'rxjs';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { ToolResult } from '../../model/tool-result.js';
import { ToolContext } from '../../model/tool-context.js';
import { FunctionToolCallback } from '../function-tool-callback.js';
import { DefaultToolCallResultConverter } from './tool-call-result-converter.js';

const convert = (value: unknown) => new DefaultToolCallResultConverter().convert(value);

class Account {
  id = 1;
  @Exclude() password = 'hunter2';
  @Expose({ groups: ['admin'] }) notes = 'for admins only';
  @Expose({ name: 'since' }) createdAt = new Date(0);
  @Transform(({ value }: { value: bigint }) => value * 2n) balance = 21n;
  @Expose() get label() {
    return `account ${this.id}`;
  }
}
class Premium extends Account {
  tier = 'gold';
}
class Plain {
  visible = 1n;
  nested = new Premium();
}
@Exclude()
class Closed {
  @Expose() open = 1;
  secret = 'closed';
}

describe('an instance as a result', () => {
  it('is serialized like class-transformer would, without excluded properties', () => {
    expect(JSON.parse(convert(new Account()) as string)).toEqual({
      id: 1,
      since: '1970-01-01T00:00:00.000Z',
      balance: '42',
      label: 'account 1',
    });
    expect(convert(new Closed())).toBe('{"open":1}');
  });

  it.each([
    ['inherited', new Premium()],
    ['nested', new Plain()],
    ['in lists', [new Account()]],
    ['in maps', new Map([['a', { b: new Account() }]])],
    ['in sets', { all: new Set([new Premium()]) }],
    ['in Object.assign', Object.assign(new Account(), { extra: 1 })],
  ])('leaks no secret: %s', (_name, value) => {
    const text = convert(value) as string;
    expect(text).not.toMatch(/hunter2|admins|closed/);
    expect(text).toContain('"balance":"42"');
  });

  it('is cut if it references itself endlessly', () => {
    const one: { other?: object; at: Account } = { at: new Account() };
    one.other = one;
    expect(convert(one)).toContain('"other":"[Circular]"');
    const cyclic = Object.assign(new Account(), { self: undefined as unknown });
    cyclic.self = cyclic;
    expect(convert(cyclic)).toContain('"id":1');
  });
});

class Secret {
  id = 1;
  @Exclude() password = 'hunter2';
}
class Dog extends Secret {
  @Exclude() chip = 'hunter2';
}

describe('the exclusion of a secret', () => {
  class Holder {
    @Exclude() hidden = 'hunter2';
    map = new Map([['a', new Secret()]]);
    @Type(() => Secret) pet: Secret = new Dog();
    @Type(() => Secret) rows = [{ id: 1, password: 'hunter2' }];
    remove = () => 'hunter2';
    token = { toJSON: () => '***', raw: 'hunter2' };
    posts = Promise.reject(new Error('db closed'));
    constructor() {
      this.posts.catch(() => undefined);
    }
  }
  class Order {
    @Type(() => Secret) account = { id: 1, password: 'hunter2' };
  }
  class AxiosLike extends Error {
    config = { authorization: 'hunter2' };
    toJSON() {
      return { config: this.config };
    }
  }

  it.each<[string, unknown, unknown]>([
    [
      'whatever a decorated instance holds',
      new Holder(),
      { map: { a: { id: 1 } }, pet: { id: 1 }, rows: [{ id: 1 }], token: '***', posts: {} },
    ],
    ['a plain object where a class is declared', new Order(), { account: { id: 1 } }],
    [
      'a property named constructor',
      Object.assign(new Secret(), { constructor: 'Ferrari' }),
      { id: 1, constructor: 'Ferrari' },
    ],
    ['an error with more than a message', [new AxiosLike('x')], [{ name: 'Error', message: 'x' }]],
    ['a result within a result', { a: new ToolResult({ text: 'one row', value: 'hunter2' }) }, { a: 'one row' }],
    [
      'an instance that another one gives as its JSON',
      {
        toJSON: () => Object.assign(new Secret(), { toJSON: () => new Secret() }),
      },
      { id: 1 },
    ],
    ['a frozen instance', Object.freeze(new Dog()), { id: 1 }],
  ])('%s', (_name, value, shown) => {
    expect(convert(value)).not.toContain('hunter2');
    expect(JSON.parse(convert(value) as string)).toEqual(shown);
  });

  it('is not undone by a converter that returns no text, for a tool with returnDirect', async () => {
    for (const converted of [5, { a: 1 }, [1], true, { text: 5 }, undefined, null]) {
      const tool = new FunctionToolCallback({
        name: 'direct',
        toolFunction: () => new Secret(),
        toolMetadata: { returnDirect: true },
        toolCallResultConverter: { convert: () => converted as never },
      });
      const result = (await tool.call('{}')) as ToolResult;
      expect(result.text).toBe(converted === undefined ? '' : JSON.stringify(converted));
      expect(result.value).toBeInstanceOf(Secret);
    }
  });
});

describe('odd values', () => {
  const cyclicJson: Record<string, unknown> = { a: 1 };
  cyclicJson.toJSON = function (this: object) {
    return { ...this };
  };
  const nullKey = Object.create(null) as object;

  it.each<[string, unknown, string]>([
    ['a toJSON that gives a copy of itself', cyclicJson, '{"a":1}'],
    [
      'a Map with objects as keys',
      new Map([
        [{ id: 1 }, 'a'],
        [{ id: 2 }, 'b'],
      ]),
      String.raw`{"{\"id\":1}":"a","{\"id\":2}":"b"}`,
    ],
    [
      'a Map whose keys would be the same',
      new Map<unknown, string>([
        [1, 'a'],
        ['1', 'b'],
      ]),
      '[[1,"a"],["1","b"]]',
    ],
    ['a Map with dates and nothing as keys', new Map([[new Date(0), 1]]), '{"1970-01-01T00:00:00.000Z":1}'],
    ['a Map with a key without a prototype', new Map([[nullKey, 1]]), '{"{}":1}'],
    [
      'bytes of every kind',
      [new Uint8Array([1, 2, 3]).buffer, new DataView(new Uint8Array([1]).buffer)],
      '["AQID","AQ=="]',
    ],
    [
      'things of another realm',
      runInNewContext('[new Map([["a", 1]]), new Set([2]), new Error("x")]'),
      '[{"a":1},[2],{"name":"Error","message":"x"}]',
    ],
    ['a URL', { at: new URL('https://a.b/') }, '{"at":"https://a.b/"}'],
  ])('are written: %s', (_name, value, text) => {
    expect(convert(value)).toBe(text);
  });

  it('are refused with a readable message if they are endless', () => {
    const people = Array.from({ length: 12 }, (_, id) => ({ id, friends: [] as object[] }));
    for (const person of people) person.friends = people.filter((other) => other !== person);
    expect(() => convert(people)).toThrow(/more than 1,000,000 values, or references itself too many times/);
    let deep: object = {};
    for (let level = 0; level < 5000; level++) deep = { deep };
    expect(() => convert(deep)).toThrow(/nested more than 1,000 levels deep/);
  });
});

describe('a stream that is aborted', () => {
  const give = (stream: () => unknown) => {
    const tool = new FunctionToolCallback({ name: 'watch', toolFunction: stream });
    return tool.call('{}', new ToolContext({}, { signal: AbortSignal.timeout(20) }));
  };

  it('is closed, even if it waits for its next item', async () => {
    const stream = new Readable({ objectMode: true, read: () => undefined });
    await expect(give(() => stream)).rejects.toThrow(/timeout/);
    expect(stream.destroyed).toBe(true);
    let closed = 0;
    const iterator = {
      next: () => new Promise(() => undefined),
      return: () => Promise.reject(new Error(`${++closed}`)),
    };
    await expect(give(() => ({ [Symbol.asyncIterator]: () => iterator }))).rejects.toThrow(/timeout/);
    expect(closed).toBe(1);
  });

  it('may fail to be closed', async () => {
    const failing = new Observable(() => () => {
      throw new Error('teardown');
    });
    await expect(give(() => failing)).rejects.toThrow(/timeout/);
  });
});

describe('a stream of bytes', () => {
  const closed: string[] = [];
  const file = (): Readable =>
    Readable.from(['a', 'b'], { objectMode: false }).once('close', () => closed.push('file'));
  const web = (): ReadableStream =>
    new ReadableStream({ start: (bytes) => bytes.enqueue(new Uint8Array([1])), cancel: () => void closed.push('web') });
  const give = (result: unknown) => new FunctionToolCallback({ name: 'read', toolFunction: () => result }).call('{}');

  it.each<[string, () => unknown, string]>([
    ['a stream of bytes', file, 'file'],
    ['a stream of bytes', web, 'web'],
    ['a Response', () => new Response(web()), 'web'],
    ['a StreamableFile', () => new StreamableFile(file()), 'file'],
  ])('is no result, and is closed: %s', async (what, make, name) => {
    closed.length = 0;
    await expect(give(make())).rejects.toThrow(`The tool returned ${what}, which a model cannot read.`);
    await new Promise(setImmediate);
    expect(closed).toEqual([name]);
  });

  it('may be of a file that is not there, and the process goes on', async () => {
    const missing = createReadStream('/not/there');
    await expect(give(missing)).rejects.toThrow('a stream of bytes');
    expect(missing.listenerCount('error')).toBeGreaterThan(0);
    await new Promise<void>((resolve) => missing.once('close', () => resolve()));
  });

  it('is one of items if it is a stream of the web that has objects', async () => {
    expect(await give(ReadableStream.from([{ found: 1 }, { found: 2 }]))).toBe('{"found":2}');
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('an image or file as a result', () => {
  it('becomes content with a text that describes it', () => {
    expect(convert(PNG)).toEqual(
      new ToolResult({ text: 'image/png, 70 bytes', content: [{ type: 'image', mimeType: 'image/png', data: PNG }] }),
    );
    expect(convert(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]).buffer)).toMatchObject({
      content: [{ mimeType: 'image/jpeg' }],
    });
    expect(convert(Buffer.from('GIF89a'))).toMatchObject({ content: [{ mimeType: 'image/gif' }] });
    expect(convert(Buffer.from('RIFF0000WEBP'))).toMatchObject({ content: [{ mimeType: 'image/webp' }] });
  });

  it('may be a Blob or File with its type', async () => {
    expect(await convert(new Blob([PNG]))).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] });
    expect(await convert(new File(['%PDF-1.4'], 'bill.pdf', { type: 'application/pdf' }))).toMatchObject({
      text: 'bill.pdf, application/pdf, 8 bytes',
      content: [{ type: 'file', mimeType: 'application/pdf', name: 'bill.pdf' }],
    });
  });

  it('is base64 if the type of the bytes is unknown, or inside other values', () => {
    expect(convert(Buffer.from([1, 2, 3]))).toBe('"AQID"');
    expect(convert({ picture: Buffer.from([1, 2, 3]) })).toBe('{"picture":"AQID"}');
  });
});
