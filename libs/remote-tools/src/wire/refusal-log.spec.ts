import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EnvelopeException } from './envelopes.js';
import { RefusalLog } from './refusal-log.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('logs one line a minute for each reason, and how many messages it left out', () => {
  const logger = new Logger();
  const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const log = new RefusalLog(logger);
  const refuse = (): void => {
    for (let second = 0; second < 100; second++) {
      log.warn('A call was refused.', new EnvelopeException('expired', `It expired ${second} s ago.`));
      log.warn('A call was refused.', new EnvelopeException('forged', 'It is forged.'));
      log.warn('A question was refused.', new TypeError('It is no question.'));
    }
  };
  refuse();
  const first = [
    'A call was refused. It expired 0 s ago.',
    'A call was refused. It is forged.',
    'A question was refused. It is no question.',
  ];
  expect(warn.mock.calls.flat()).toEqual(first);
  clock.mockReturnValue(1_060_000);
  refuse();
  expect(warn.mock.calls.flat().slice(3)).toEqual(
    first.map((line) => `${line} Since the last such line, 99 more messages were refused.`),
  );
});
