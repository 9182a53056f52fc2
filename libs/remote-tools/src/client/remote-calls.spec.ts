import { expect, it } from '@jest/globals';
import { type Observable, of } from 'rxjs';
import { ToolContext } from '@nestor-ai/core';
import { type Envelope, Envelopes } from '../wire/envelopes.js';
import { RemoteCalls } from './remote-calls.js';
import type { RemoteServices } from './remote-services.js';
import type { ServiceTool } from './service-directory.js';

const tool: ServiceTool = {
  service: 'shop',
  announced: { name: 'pay', description: 'Pays', inputSchema: {} },
  key: 'shop pay',
};

const callsOver = (send: (pattern: unknown, envelope: Envelope) => Observable<unknown>): RemoteCalls => {
  const services = {
    namespace: 'test',
    ttl: 1000,
    envelopes: new Envelopes('Test', { unsigned: 'allow' }),
    proxy: { send },
    directory: { pick: () => ({ service: 'shop', id: '1', startedAt: 0, isAddressed: true }), forget: () => undefined },
  } as unknown as RemoteServices;
  return new RemoteCalls(services, { transport: 'SHOP', timeout: 3_600_000 }, undefined);
};

it('a call that waits in a queue is not valid for longer than its caller waits for a sign of life', async () => {
  let lifetime = 0;
  const calls = callsOver((_pattern, { body }) => {
    const { issuedAt, expiresAt } = JSON.parse(body) as { issuedAt: number; expiresAt: number };
    lifetime = expiresAt - issuedAt;
    return of({ type: 'result', text: 'paid' });
  });
  await calls.run(tool, {}, new ToolContext());
  expect(lifetime).toBe(1000);
});

it.each([
  { type: 'other' },
  { type: 'result' },
  { type: 'result', text: { a: 1 } },
  { type: 'result', text: 5, failure: { outcome: 'timeout' } },
  { type: 'result', text: 'paid', content: 5 },
  { type: 'result', text: 'paid', content: [null] },
])('an answer that no service of this version gives is named, and that the call may have run: %j', async (answer) => {
  const answered = callsOver(() => of(answer)).run(tool, {}, new ToolContext());
  await expect(answered).rejects.toMatchObject({
    name: 'RemoteCallException',
    message: expect.stringMatching(
      /'shop' answered the call of 'pay' in a form .* cannot read\. The call may have run/,
    ),
  });
});
