import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EnvelopeException, type EnvelopeOptions, Envelopes } from './envelopes.js';

const SECRET = 'a secret of thirty-two characters';
const NEW_SECRET = 'a new secret of thirty-two letters';
const create = (options: EnvelopeOptions = { secret: SECRET }): Envelopes => new Envelopes('TheModule', options);
const shiftClock = (by: number): void => {
  const shifted = Date.now() + by;
  jest.spyOn(Date, 'now').mockReturnValue(shifted);
};

describe('Envelopes', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('opens what another application with the same secret has sealed', () => {
    const sent = create().seal('call', 'shop', { tool: 'pay' }, 1000);
    expect(create().open('call', ['shop'], JSON.parse(JSON.stringify(sent)))).toMatchObject({
      id: sent.id,
      content: { tool: 'pay' },
    });
  });

  it('accepts all secrets, and signs with the first one', () => {
    const rotated = create({ secret: [NEW_SECRET, SECRET] });
    expect(rotated.open('call', ['shop'], create().seal('call', 'shop', {}, 1000))).toMatchObject({ content: {} });
    const sent = rotated.seal('call', 'shop', {}, 1000);
    expect(() => create().open('call', ['shop'], sent)).toThrow(/signature .* is wrong/);
    expect(create({ secret: NEW_SECRET }).open('call', ['shop'], sent)).toMatchObject({ content: {} });
  });

  it.each([undefined, null, 'text', 7, [], {}, { body: 7 }])('refuses %p', (envelope) => {
    expect(() => create().open('call', ['shop'], envelope)).toThrow('is not one of @nestor-ai/remote-tools');
  });

  it.each([
    '',
    '[]',
    'null',
    '{}',
    '{"kind":"call","audience":"shop","id":"1","issuedAt":"now","expiresAt":1,"content":{}}',
  ])('refuses the body %p, if it needs no signature', (body) => {
    expect(() => create({ unsigned: 'allow' }).open('call', ['shop'], { body })).toThrow('is not one of');
  });

  it('refuses messages without a signature, unless it allows them', () => {
    const sent = create({ unsigned: 'allow' }).seal('call', 'shop', {}, 1000);
    expect(sent.signature).toBeUndefined();
    expect(() => create().open('call', ['shop'], sent)).toThrow(/is not signed/);
    expect(create({ unsigned: 'allow' }).open('call', ['shop'], sent)).toMatchObject({ content: {} });
    expect(() => create({ unsigned: 'allow' }).open('call', ['shop'], { ...sent, signature: 'x' })).toThrow(/is wrong/);
  });

  it.each([null, 7, ['x'], { toString: 'no function' }])('refuses the signature %p', (signature) => {
    const sent = { ...create().seal('call', 'shop', {}, 1000), signature };
    expect(() => create().open('call', ['shop'], sent)).toThrow(EnvelopeException);
  });

  it('refuses messages for others, and for another purpose', () => {
    const sent = create().seal('call', 'shop', {}, 1000);
    expect(() => create().open('call', ['bank'], sent)).toThrow(/another service/);
    expect(() => create().open('cancel', ['shop'], sent)).toThrow(/another purpose/);
  });

  it('tolerates clocks that differ a little, and names a larger difference', () => {
    const sent = create().seal('call', 'shop', {}, 1000);
    shiftClock(5500);
    expect(create().open('call', ['shop'], sent)).toMatchObject({ content: {} });
    shiftClock(5000);
    expect(() => create().open('call', ['shop'], sent)).toThrow(/expired \d+ s ago .* raise clockTolerance/);
    shiftClock(-20_500);
    expect(() => create().open('call', ['shop'], sent)).toThrow(/signed \d+ s in the future .* raise clockTolerance/);
    expect(create({ secret: SECRET, clockTolerance: 60_000 }).open('call', ['shop'], sent)).toMatchObject({
      content: {},
    });
  });

  it('names what is wrong with the options, without the secret', () => {
    expect(() => create({})).toThrow(/^TheModule needs a secret.*unsigned: 'allow'/);
    expect(() => create({ secret: [] })).toThrow(/needs a secret/);
    expect(() => create({ secret: 'short' })).toThrow(
      /^The option secret of TheModule needs at least 32 characters\.$/,
    );
    expect(() => create({ secret: [SECRET, 'short'] })).toThrow(/32 characters/);
    expect(() => create({ secret: SECRET, clockTolerance: -1 })).toThrow(/clockTolerance/);
  });
});
