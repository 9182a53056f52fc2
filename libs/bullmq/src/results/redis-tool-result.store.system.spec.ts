import { afterAll, describe, it } from '@jest/globals';
import { toolResultStoreContract } from '@nestor-ai/testing/contract';
import { deleteKeys, hasRedis, newPrefix, openSharedRedis } from '../../../../test/cluster/redis.js';
import { RedisToolResultStore } from './redis-tool-result.store.js';

const REDIS = await hasRedis('Results of tools in Redis');

(REDIS ? describe : describe.skip)('results of tools in Redis', () => {
  const prefix = newPrefix();
  const connections = [openSharedRedis(prefix), openSharedRedis(prefix)];
  let opened = 0;

  afterAll(async () => {
    for (const connection of connections) await connection.onApplicationShutdown();
    await deleteKeys(prefix);
  });

  const open = () => new RedisToolResultStore(connections[opened++ % 2]!);
  for (const { name, run } of toolResultStoreContract({ open })) it(name, run);
});
