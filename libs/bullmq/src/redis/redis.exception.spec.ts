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

it.each([
  ['CERT_HAS_EXPIRED', 'Node.js refuses its certificate. Renew it'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'set NODE_EXTRA_CA_CERTS.'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'set NODE_EXTRA_CA_CERTS.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'use a host that it names'],
  ['EHOSTUNREACH', 'the connection was lost.'],
])('a connection that has failed with %s is no refused command', (code, remedy) => {
  const failure = RedisException.of('lock a conversation', Object.assign(new Error('failed'), { code }));
  expect(failure.isConnectionFailure).toBe(true);
  expect(failure.message).toContain(remedy);
  expect(failure.message).not.toContain('refused the command');
});

it('a command that Redis does not know is refused for good', () => {
  const failure = RedisException.of('lock a conversation', new ReplyError("ERR unknown command 'x'"));
  expect(failure.isConnectionFailure).toBe(false);
  expect(failure.message).toContain('Redis has refused the command with ERR.');
});
