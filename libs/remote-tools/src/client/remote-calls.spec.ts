import { expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { ToolContext } from '@nestor-ai/core';
import { Envelopes } from '../wire/envelopes.js';
import { RemoteCalls } from './remote-calls.js';
import type { RemoteServices } from './remote-services.js';
import type { ServiceTool } from './service-directory.js';

const tool: ServiceTool = {
  service: 'shop',
  announced: { name: 'pay', description: 'Pays', inputSchema: {} },
  key: 'shop pay',
};

it.each([
  { type: 'other' },
  { type: 'result' },
  { type: 'result', text: { a: 1 } },
  { type: 'result', text: 5, failure: { outcome: 'timeout' } },
  { type: 'result', text: 'paid', content: 5 },
  { type: 'result', text: 'paid', content: [null] },
])('an answer that no service of this version gives is named, and that the call may have run: %j', async (answer) => {
  const services = {
    namespace: 'test',
    ttl: 1000,
    envelopes: new Envelopes('Test', { unsigned: 'allow' }),
    proxy: { send: () => of(answer) },
    directory: { pick: () => ({ service: 'shop', id: '1', startedAt: 0, isAddressed: true }), forget: () => undefined },
  } as unknown as RemoteServices;
  const answered = new RemoteCalls(services, { transport: 'SHOP' }, undefined).run(tool, {}, new ToolContext());
  await expect(answered).rejects.toMatchObject({
    name: 'RemoteCallException',
    message: expect.stringMatching(
      /'shop' answered the call of 'pay' in a form .* cannot read\. The call may have run/,
    ),
  });
});
