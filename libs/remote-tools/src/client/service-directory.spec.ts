import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { AnnouncedTool, ToolsAnswer } from '../wire/messages.js';
import { ServiceDirectory } from './service-directory.js';

const tool = (name: string, description = 'A tool'): AnnouncedTool => ({ name, description, inputSchema: {} });

function answer(instance: string, change: Partial<ToolsAnswer> = {}): ToolsAnswer {
  return {
    question: 'q',
    service: 'shop',
    instance,
    startedAt: 1,
    isAddressed: true,
    revision: 'r1',
    tools: [tool('find')],
    ...change,
  };
}

const namesOf = (directory: ServiceDirectory): string[] =>
  directory.tools().map(({ service, announced }) => `${service}.${announced.name}`);

describe('ServiceDirectory', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lists a tool of several replicas once, and lets them take turns', () => {
    const directory = new ServiceDirectory(1000);
    directory.hear(answer('a'));
    directory.hear(answer('b'));
    const [find] = directory.tools();
    expect(namesOf(directory)).toEqual(['shop.find']);
    const picked = [directory.pick(find!), directory.pick(find!), directory.pick(find!)].map((one) => one?.id);
    expect(new Set(picked)).toEqual(new Set(['a', 'b']));
  });

  it('keeps the same list until something changes', () => {
    const directory = new ServiceDirectory(1000);
    directory.hear(answer('a'));
    const tools = directory.tools();
    const { tools: _known, ...unchanged } = answer('a');
    directory.hear(unchanged);
    expect(directory.tools()).toBe(tools);
    directory.hear(answer('a', { revision: 'r2', tools: [tool('find'), tool('pay')] }));
    expect(namesOf(directory)).toEqual(['shop.find', 'shop.pay']);
  });

  it('takes the definition of the newest replica, and calls a replica that has it', () => {
    const directory = new ServiceDirectory(1000);
    directory.hear(answer('new', { startedAt: 2, revision: 'r2', tools: [tool('find', 'A better tool')] }));
    directory.hear(answer('old'));
    const [find] = directory.tools();
    expect(find!.announced.description).toBe('A better tool');
    expect([directory.pick(find!), directory.pick(find!)].map((one) => one?.id)).toEqual(['new', 'new']);
  });

  it('forgets a process that leaves, and one that has been silent for too long', () => {
    const directory = new ServiceDirectory(1000);
    directory.hear(answer('a'));
    directory.hear(answer('b', { service: 'bank' }));
    const { tools: _none, ...leaving } = answer('a', { isLeaving: true });
    directory.hear(leaving);
    expect(namesOf(directory)).toEqual(['bank.find']);
    const later = performance.now() + 1001;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(namesOf(directory)).toEqual([]);
    expect(directory.knows('bank')).toBe(false);
    expect(directory.revisions).toEqual({});
  });

  it.each([3_600_000, -3_600_000])('does not mind that the clock of the machine is set by %d ms', (shift) => {
    const directory = new ServiceDirectory(1000);
    directory.hear(answer('a'));
    const [now, set] = [performance.now(), Date.now() + shift];
    jest.spyOn(Date, 'now').mockReturnValue(set);
    expect(namesOf(directory)).toEqual(['shop.find']);
    jest.spyOn(performance, 'now').mockReturnValue(now + 1001);
    expect(namesOf(directory)).toEqual([]);
  });

  it('ignores an answer without tools from a process that it does not know', () => {
    const directory = new ServiceDirectory(1000);
    const { tools: _known, ...unchanged } = answer('a');
    directory.hear(unchanged);
    expect(namesOf(directory)).toEqual([]);
  });
});
