import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatClientEvent, ConversationLocks } from '@nestor-ai/core';
import { PostgresAiModule } from '@nestor-ai/postgres';
import { of } from 'rxjs';
import { openTestDatabase, type TestDatabase } from './test-database.js';
import { readEvents, type Replica, type ReplicaOptions, startReplica, textOf } from '../turns/streaming-replica.js';

const isCall = ({ type }: { type: string }): boolean => type === 'tool-call';

describe('two replicas that share PostgreSQL', () => {
  let test: TestDatabase;
  const replicas: Replica[] = [];

  beforeAll(async () => void (test = await openTestDatabase()));
  afterAll(() => test.close());
  afterEach(async () => {
    for (const { app } of replicas.splice(0)) await app.close();
  });

  async function start(options: ReplicaOptions): Promise<Replica> {
    const { pool, schema, isServer } = test;
    // A lock keeps a session, and PGlite has only one.
    const usable = PostgresAiModule.stores().filter(
      (store) => isServer || !('provide' in store) || store.provide !== ConversationLocks,
    );
    const stores = {
      imports: [PostgresAiModule.forRoot({ pool, schema })],
      providers: usable,
    };
    const replica = await startReplica({ ...options, stores });
    replicas.push(replica);
    return replica;
  }

  it('show a turn that the other one runs, each event once', async () => {
    const [worker, web] = [await start({}), await start({ isWorker: false })];
    const id = await worker.ask();
    const first = await readEvents(web, id, { until: isCall });
    const following = readEvents(web, id);
    worker.archive.open();
    const rest = await readEvents(web, id, { after: first.at(-1)!.id });
    const all = await following;
    expect([...first, ...rest]).toEqual(all);
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    expect(textOf(all)).toBe('Let me look.It is there.');
    expect(await readEvents(worker, id)).toEqual(all);
  });

  it('stop a turn that the other one runs', async () => {
    const [worker, web] = [await start({}), await start({ isWorker: false })];
    const id = await worker.ask();
    await readEvents(web, id, { until: isCall });
    expect((await web.send(`turns/${id}`, { method: 'DELETE' })).status).toBe(204);
    const events = await readEvents(web, id);
    expect(events.at(-1)).toMatchObject({ type: 'finish', data: { finishReason: 'stopped' } });
    expect(worker.archive.aborted).toBe(1);
    await Promise.all(worker.queue.runs);
    expect((await web.journal.read(id))?.status).toBe('ended');
  });

  it('continue a turn of a replica that has gone, and say which text is void', async () => {
    const [first, second] = [await start({ isWorker: false }), await start({})];
    const id = await first.ask();
    // What a process has logged that died before the model had answered.
    await first.streams.record((await first.journal.read(id))!, {
      stream: () => ({ events: () => of<ChatClientEvent[]>({ type: 'text', text: 'Let me ', round: 0 }) }),
    });
    second.archive.open();
    await second.queue.run(id);
    const events = await readEvents(first, id);
    expect(events.slice(0, 3).map(({ type, data }) => [type, data['text'] ?? data['after']])).toEqual([
      ['text', 'Let me '],
      ['restart', 0],
      ['text', 'Let me look.'],
    ]);
    expect(events.at(-1)!.type).toBe('finish');
    const message = await (await first.send(`turns/${id}/stream`)).text();
    expect(message).not.toContain('data-restart');
    expect(message.match(/"delta":"[^"]*"/g)).toEqual(['"delta":"Let me look."', '"delta":"It is there."']);
  });
});
