import { describe, expect, it } from '@jest/globals';
import { CONNECTION_ENDED, describeLoss } from './connection-failure.js';

const server = { name: 'files', url: 'http://localhost:1/mcp' };

describe('a connection that is lost during a call', () => {
  it.each([{ code: 'CONNECTION_CLOSED' }, { data: CONNECTION_ENDED }])('may have run the call: %j', (error) => {
    expect(describeLoss(server, error)).toMatchObject({
      code: 'ECONNRESET',
      message: expect.stringMatching(/'files'.*may have run the call/),
    });
  });

  it.each(['NOT_CONNECTED', 'ECONNREFUSED', 'ENOTFOUND'])('has not got the call: %s', (code) => {
    expect(describeLoss(server, { code })).toMatchObject({
      code: 'NOT_CONNECTED',
      message: expect.stringMatching(/'files'.*before it got the call/),
    });
  });

  it('is no other error', () => {
    expect(describeLoss(server, new Error('Invalid arguments'))).toBeUndefined();
    expect(describeLoss(server, undefined)).toBeUndefined();
  });
});
