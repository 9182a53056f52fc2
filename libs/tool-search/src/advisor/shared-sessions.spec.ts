import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SharedSessions } from './shared-sessions.js';
import { ToolSearchSessionRepository } from './tool-search-session.repository.js';

class Repository extends ToolSearchSessionRepository {
  readonly saved: (readonly string[])[] = [];
  async find(): Promise<readonly string[]> {
    return this.saved.at(-1) ?? [];
  }
  async save(_id: string, names: readonly string[]): Promise<void> {
    this.saved.push(names);
  }
  async delete(): Promise<void> {}
}

class Dead extends Repository {
  override async find(): Promise<never> {
    throw new RangeError('secret');
  }
  override save = this.find;
}

describe('sessions of several processes', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('are stored only when they have changed', async () => {
    const repository = new Repository();
    const sessions = new SharedSessions(repository);
    const discovered = new Set<string>();
    await sessions.write('s', [], discovered);
    discovered.add('a');
    await sessions.write('s', [], discovered);
    await sessions.write('s', await sessions.read('s'), discovered);
    expect(repository.saved).toEqual([['a']]);
  });

  it('do not fail a turn when the store fails, and the log says so without contents', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const sessions = new SharedSessions(new Dead());
    const discovered = new Set<string>();
    discovered.add('a');
    expect(await sessions.read('s')).toBeUndefined();
    await sessions.write('s', undefined, discovered);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('could not be read: RangeError'),
      expect.stringContaining('could not be stored: RangeError'),
    ]);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
  });
});
