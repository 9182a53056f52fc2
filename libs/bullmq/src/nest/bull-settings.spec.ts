import { describe, expect, it } from '@jest/globals';
import type { BullAiModuleOptions } from './bull-ai.options.js';
import { BullSettings } from './bull-settings.js';

const read = (options: unknown): BullSettings => BullSettings.read(options as BullAiModuleOptions, undefined);

describe('the settings of BullAiModule', () => {
  it.each([
    [undefined, 'The factory of BullAiModule.forRootAsync() returned no options. Return at least {}.'],
    [{ rolle: 'web' }, "BullAiModule has no option 'rolle'. Known: connection, role, prefix,"],
    [{ request: 'me' }, 'The option request of BullAiModule is no function.'],
    [{ queues: { mails: -1 } }, 'queues.mails of BullAiModule must be a whole number, 0 or more, but is -1.'],
    [{ queues: { mails: 1.5 } }, 'queues.mails of BullAiModule must be a whole number, 0 or more, but is 1.5.'],
    [{ attempts: 0, request: 1 }, /attempts.*\n.*is no function/],
  ])('cannot be %j', (options, problem) => {
    expect(() => read(options)).toThrow(problem);
  });

  it('let callers of a queue not wait for Redis, but workers', () => {
    const settings = read({ connection: 'redis://redis:6380', queues: { mails: 0 } });
    const options = { url: 'redis://redis:6380' };
    expect(settings.connectionFor('worker')).toEqual({ ...options, socketTimeout: 12_000 });
    expect(settings.connectionFor('queue')).toMatchObject({
      ...options,
      socketTimeout: 1500,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
    });
    // A client of the application stays as it is.
    class Client {}
    const connection = new Client();
    expect(read({ connection }).connectionFor('queue')).toBe(connection);
  });
});
