import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform } from 'class-transformer';
import { ToolResult } from '../../model/tool-result.js';
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
  it('shows what class-transformer would show to the outside, and nothing that is excluded', () => {
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

  it('refers to itself without end, and is cut', () => {
    const one: { other?: object; at: Account } = { at: new Account() };
    one.other = one;
    expect(convert(one)).toContain('"other":"[Circular]"');
    const cyclic = Object.assign(new Account(), { self: undefined as unknown });
    cyclic.self = cyclic;
    expect(convert(cyclic)).toContain('"id":1');
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a picture or file as a result', () => {
  it('is content beside a text that describes it', () => {
    expect(convert(PNG)).toEqual(
      new ToolResult({ text: 'image/png, 70 bytes', content: [{ type: 'image', mimeType: 'image/png', data: PNG }] }),
    );
    expect(convert(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toMatchObject({ content: [{ mimeType: 'image/jpeg' }] });
    expect(convert(Buffer.from('GIF89a'))).toMatchObject({ content: [{ mimeType: 'image/gif' }] });
    expect(convert(Buffer.from('RIFF0000WEBP'))).toMatchObject({ content: [{ mimeType: 'image/webp' }] });
  });

  it('may be a Blob or File, which knows its type', async () => {
    expect(await convert(new Blob([PNG]))).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] });
    expect(await convert(new File(['%PDF-1.4'], 'bill.pdf', { type: 'application/pdf' }))).toMatchObject({
      text: 'bill.pdf, application/pdf, 8 bytes',
      content: [{ type: 'file', mimeType: 'application/pdf', name: 'bill.pdf' }],
    });
  });

  it('is base64 when nobody knows what the bytes are, or inside of something else', () => {
    expect(convert(Buffer.from([1, 2, 3]))).toBe('"AQID"');
    expect(convert({ picture: Buffer.from([1, 2, 3]) })).toBe('{"picture":"AQID"}');
  });
});

describe('the length of results', () => {
  const converter = new DefaultToolCallResultConverter({ maxLength: 5 });

  it.each([
    ['12345', '12345'],
    ['123456', '12345\n[Cut here: these are the first 5 of 6 characters.]'],
    ['1234😀6', '1234\n[Cut here: these are the first 4 of 7 characters.]'],
    [{ a: [1, 2] }, '{"a":\n[Cut here: these are the first 5 of 11 characters.]'],
    [undefined, 'Done'],
  ])('has a limit that is marked: %j', (value, text) => {
    expect(converter.convert(value)).toBe(text);
  });

  it('has it for the text of a ToolResult as well, and only for that', () => {
    const result = new ToolResult({
      text: 'a long text',
      isError: true,
      value: 7,
      content: [{ type: 'text', text: 'x' }],
    });
    expect(converter.convert(result)).toMatchObject({ isError: true, value: 7, content: [{ text: 'x' }] });
    expect(converter.convert(result)).toMatchObject({ text: expect.stringMatching(/^a lon\n\[Cut here/) });
  });

  it.each([0, -1, 1.5, Number.NaN])('cannot be %d', (maxLength) => {
    expect(() => new DefaultToolCallResultConverter({ maxLength })).toThrow(/maxLength must be a whole number/);
  });
});
