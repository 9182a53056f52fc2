import { describe, expect, it } from '@jest/globals';
import { failureText, neverRan, refusalOf, toRefusedResult } from './call-failure.js';

const server = { name: 'docs' };
const failing = (properties: object) => Object.assign(new Error('SECRET'), properties);

describe('a call that failed', () => {
  it.each([
    [{ status: 401 }, "The MCP server 'docs' refuses the credential of this user."],
    [{ status: 500, code: 'X' }, "The MCP server 'docs' answered with the HTTP status 500."],
    [{ code: '403' }, "The MCP server 'docs' refuses the credential of this user."],
    [{ code: '502' }, "The MCP server 'docs' answered with the HTTP status 502."],
    [{ code: 'ECONNRESET' }, "The connection to the MCP server 'docs' failed. The call may have run."],
    [{ code: 'REQUEST_TIMEOUT' }, "The MCP server 'docs' did not answer in time. The call may have run."],
    [{ code: 'NOT_CONNECTED' }, "The MCP server 'docs' is not available now. The call did not run."],
    [{ code: 'CONNECTION_CLOSED' }, "The connection to the MCP server 'docs' failed. The call may have run."],
    [{}, "The connection to the MCP server 'docs' failed. The call may have run."],
  ])('is described without a word of the server: %j', (properties, text) => {
    expect(failureText(server, failing(properties))).toBe(text);
  });

  it.each([undefined, null, 'text', 7])('is described whatever was thrown: %j', (thrown) => {
    expect(failureText(server, thrown)).toContain('docs');
    expect(refusalOf(thrown)).toBeUndefined();
    expect(neverRan(thrown)).toBe(false);
  });

  it('is repeated only if it certainly did not run', () => {
    expect([{ status: 404 }, { code: 'NOT_CONNECTED' }].map(failing).every(neverRan)).toBe(true);
    expect([{ status: 500 }, { code: 'CONNECTION_CLOSED' }, { code: 404 }].map(failing).some(neverRan)).toBe(false);
  });
});

describe('the refusal of a server', () => {
  it('is a result with its message, cut', () => {
    const refusal = refusalOf(Object.assign(new Error('x'.repeat(9999)), { code: -32_602 }))!;
    const { text, isError } = toRefusedResult(server, refusal);
    expect(text).toMatch(/^The MCP server 'docs' refused the call \(-32602\): x{2000}$/);
    expect(isError).toBe(true);
  });

  it('is not an aborted request', () => {
    expect(refusalOf(new DOMException('gone', 'AbortError'))).toBeUndefined();
  });
});
