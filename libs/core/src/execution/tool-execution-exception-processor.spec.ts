import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ForbiddenException, Logger, UnprocessableEntityException } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { createToolDefinition } from '../model/tool-definition.js';
import { ToolInputException } from '@nestor-ai/schema';
import { ToolExecutionException, toToolExecutionException } from '../tool/tool-execution.exception.js';
import { DefaultToolExecutionExceptionProcessor } from './tool-execution-exception-processor.js';

const definition = createToolDefinition({ name: 'read', inputSchema: { type: 'object' } });
const told = (thrown: unknown, exposure: 'message' | 'safe' = 'message'): string =>
  new DefaultToolExecutionExceptionProcessor({ exposure }).process(toToolExecutionException(definition, thrown));

describe('the text of an error for the model', () => {
  it('is its message without the path of an unreadable file, even in the cause of another error', async () => {
    const error = await readFile('/home/bob/.secret/key.pem', 'utf8').then(
      () => new Error('it is there'),
      (reason: unknown) => reason as Error,
    );
    expect(told(error)).toBe("ENOENT: no such file or directory, open 'key.pem'");
    expect(told(new Error(`Cannot load: ${error.message}`, { cause: error }))).not.toContain('/home/bob');
  });

  it.each(['\n', '\r\n'])('is its message without a stack trace in it (%j)', (line) => {
    const text = [
      'It broke',
      '    at work (/srv/app/a.js:1:2)',
      '    at async run (/srv/app/b.js:3:4)',
      'Try later',
    ].join(line);
    expect(told(new Error(text))).toBe('It broke\nTry later');
  });

  it('contains neither the installation path nor the cause', () => {
    const error = new Error(`bad config in ${process.cwd()}/config/db.json`, { cause: new Error('password=hunter2') });
    expect(told(error)).toBe('bad config in config/db.json');
  });

  it('keeps URLs', () => {
    expect(told(new Error('GET /orders/42 of https://api.example/v1/orders failed'))).toBe(
      'GET /orders/42 of https://api.example/v1/orders failed',
    );
  });
});

describe('the text of an error for the model with exposure safe', () => {
  let logged: unknown[][];
  beforeEach(() => {
    logged = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((...given: unknown[]) => void logged.push(given));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each<[string, unknown, string]>([
    [
      'the message of a ToolExecutionException',
      new ToolExecutionException(definition, new Error('Ask for a city')),
      'Ask for a city',
    ],
    [
      'what is wrong with the arguments',
      new ToolInputException([{ path: 'a', message: "'a' is required" }]),
      "Invalid arguments: 'a' is required. Correct the arguments and call the tool again.",
    ],
    ['a refusal', new ForbiddenException(), 'Forbidden'],
    [
      'the response of an endpoint',
      new UnprocessableEntityException(['name too long', 'age too low']),
      'name too long; age too low',
    ],
  ])('is %s', (_what, error, expected) => {
    expect(told(error, 'safe')).toBe(expected);
    expect(logged).toEqual([]);
  });

  it.each([new Error('connect ECONNREFUSED db.internal:5432'), 'a string', undefined, { message: 'an object' }])(
    'is a reference to the log for everything else: %p',
    (thrown) => {
      const text = told(thrown, 'safe');
      expect(text).toMatch(/^The tool 'read' failed\. The cause is not shown; its reference is [-\w]{36}\.$/);
      expect(String(logged[0]?.[0])).toContain(text.slice(-37, -1));
    },
  );

  it('has its causes in the log', () => {
    told(new Error('No stock', { cause: new Error('connect ECONNREFUSED db.internal:5432') }), 'safe');
    expect(String(logged[0]?.[0])).toMatch(
      /: Error: No stock\n[^]*\nCaused by Error: connect ECONNREFUSED db\.internal:5432\n/,
    );
  });
});
