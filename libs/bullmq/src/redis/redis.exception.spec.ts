import { expect, it } from '@jest/globals';
import { ReplyError } from 'ioredis';
import { RedisException } from './redis.exception.js';

it.each([
  ['MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.', 'on disk'],
  ['NOREPLICAS Not enough good replicas to write.', 'too few replicas'],
])('a server that refuses to write for now may take the command later: %s', (answer, reason) => {
  const failure = RedisException.of('lock a conversation', new ReplyError(answer));
  expect(failure.isConnectionFailure).toBe(true);
  expect(failure.message).toContain(`could not lock a conversation: the server`);
  expect(failure.message).toContain(reason);
});
