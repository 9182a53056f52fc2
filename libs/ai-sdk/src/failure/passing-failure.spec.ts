import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  APICallError,
  InvalidArgumentError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
} from '@ai-sdk/provider';
import { isPassing } from './passing-failure.js';

const answered = (statusCode: number, cause?: unknown, isRetryable?: boolean) =>
  new APICallError({
    message: 'x',
    url: 'x',
    requestBodyValues: {},
    statusCode,
    cause,
    ...(isRetryable !== undefined && { isRetryable }),
  });
const cutOff = new JSONParseError({ text: '{"a', cause: new SyntaxError('x') });
const invalid = new TypeValidationError({ value: 1, cause: 'x' });

/** What `fetch` throws for an answer that is shorter than its length says. */
async function shortened(): Promise<unknown> {
  const server = createServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\ncontent-length: 9\r\n\r\n{"a')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const error = await response.text().catch((reason: unknown) => reason);
  server.close();
  return error;
}

const SHORTENED = await shortened();

describe('a call that failed may succeed later', () => {
  it.each<[string, unknown]>([
    ['after a status that passes', answered(503)],
    ['after an answer that was cut off', answered(200, cutOff)],
    ['after an answer that is shorter than its length says', answered(200, SHORTENED)],
    ['after an answer of another form', answered(200, invalid)],
    ['after a part of a stream that was cut off', cutOff],
    ['after an answer without choices', new InvalidResponseDataError({ data: {} })],
    ['after an overload of Anthropic', { type: 'overloaded_error', message: 'Overloaded' }],
    ['after a failure of OpenAI', { message: 'x', type: null, code: 'server_error' }],
    ['after a failure of Google', { error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }],
    ['after a status in plain data', { message: 'x', code: 429 }],
  ])('%s', (_when, thrown) => {
    expect(isPassing(thrown)).toBe(true);
  });
});

describe('a call that failed fails again', () => {
  it.each<[string, unknown]>([
    ['after a status that does not pass, whatever its body is', answered(400, cutOff)],
    ['with settings that are wrong', new InvalidArgumentError({ argument: 'x', message: 'x', cause: invalid })],
    ['without a key', new LoadAPIKeyError({ message: 'x' })],
    ['after a request that Anthropic does not accept', { type: 'invalid_request_error', message: 'overloaded_error' }],
    ['without money', { type: 'insufficient_quota', code: 'insufficient_quota' }],
    ['after a sentence', { code: 'The server is unavailable and internal' }],
    ['after a mistake in the program', new TypeError('x')],
    ['after a text', 'overloaded_error'],
    ['after nothing', undefined],
    ['after null in the place of an error', { error: null, code: null }],
    ['after a status that no server gives', { code: 1000 }],
  ])('%s', (_when, thrown) => {
    expect(isPassing(thrown)).toBe(false);
  });
});
