import { describe, expect, it } from '@jest/globals';
import { quietOAuthError } from './quiet-oauth-error.js';

describe('quietOAuthError', () => {
  it('keeps the code, and leaves out the description', async () => {
    const given = Response.json({ error: 'invalid_grant', error_description: 'SECRET' }, { status: 400 });
    const quiet = await quietOAuthError(given);
    expect([quiet.status, await quiet.text()]).toEqual([400, '{"error":"invalid_grant"}']);
  });

  it.each([[{ error: 'free text\nof a stranger' }], [{ error: {} }], [[]], [null]])(
    'replaces the code in %j',
    async (body) => {
      expect(await (await quietOAuthError(Response.json(body, { status: 400 }))).json()).toEqual({
        error: 'server_error',
      });
    },
  );

  it('does not touch other responses', async () => {
    const tokens = Response.json({ access_token: 'a' });
    expect(await quietOAuthError(tokens)).toBe(tokens);
  });
});
