import { describe, expect, it } from '@jest/globals';
import { TurnPrincipal } from './turn-principal.js';

describe('TurnPrincipal', () => {
  const principal = new TurnPrincipal();

  it.each([
    [{ user: { id: 'ada', sub: 'other' } }, 'ada'],
    [{ user: { sub: 'auth0|7' } }, 'auth0|7'],
    [{ user: { id: null, sub: 'ada' } }, 'ada'],
    [{ user: { id: 0 } }, '0'],
    [{ user: 'ada' }, 'ada'],
    [{ user: 5 }, '5'],
    [{ user: { id: 12n } }, '12'],
    [{ auth: { extra: { sub: 'ada' }, clientId: 'editor' } }, 'ada'],
    [{ auth: { clientId: 'editor' } }, 'client:editor'],
    [{ user: { id: 'ada' }, auth: { clientId: 'editor' } }, 'ada'],
  ])('identifies the user of %p', (request, subject) => {
    expect(principal.subjectOf(request)).toBe(subject);
  });

  it.each([[undefined], [null], [{}], ['a text'], [{ user: null }], [{ user: {} }], [{ auth: {} }]])(
    'returns undefined without a user: %p',
    (request) => {
      expect(principal.subjectOf(request)).toBeUndefined();
    },
  );

  it.each([[{}], [''], [Number.NaN], [true], [['ada']]])('refuses an id that does not identify a user: %p', (id) => {
    expect(() => principal.subjectOf({ user: { id, sub: 'ada' } })).toThrow(/Provide a TurnPrincipal/);
  });

  it.each([[''], [Number.NaN], [true]])('refuses a user that does not identify itself: %p', (user) => {
    expect(() => principal.subjectOf({ user })).toThrow(/Provide a TurnPrincipal/);
  });
});
