import { describe, expect, it } from '@jest/globals';
import { ToolCallbackProvider } from '../../model/tool-callback.js';
import { ProvidedNames } from './provided-names.js';

class Server extends ToolCallbackProvider {
  constructor(
    override readonly prefix: string,
    override readonly prefixWhen: 'always' | 'collision' = 'collision',
  ) {
    super();
  }
  getToolCallbacks() {
    return [];
  }
}

describe('the prefix of a tool', () => {
  const names = () => new ProvidedNames(new Set(['search']));

  it('is used for names of the application and of earlier providers', () => {
    const [given, one, two] = [names(), new Server('one_'), new Server('two_')];
    expect(given.prefixOf(one, 'search')).toBe('one_');
    expect(given.prefixOf(one, 'read')).toBe('');
    expect(given.prefixOf(two, 'read')).toBe('two_');
    expect(given.prefixOf(one, 'read')).toBe('');
  });

  it('is always used where a provider says so, and its names are taken', () => {
    const [given, one, two] = [names(), new Server('one_', 'always'), new Server('two_')];
    expect(given.prefixOf(one, 'read')).toBe('one_');
    expect(given.prefixOf(two, 'read')).toBe('');
    expect(given.prefixOf(two, 'one_read')).toBe('two_');
  });

  it('keeps its names for its provider, also before the provider has listed its tools', () => {
    const [github, stranger] = [new Server('github_'), new Server('stranger_')];
    const given = new ProvidedNames(new Set(['search']), ['github_', 'stranger_']);
    expect(given.prefixOf(stranger, 'github_search')).toBe('stranger_');
    expect(given.prefixOf(github, 'search')).toBe('github_');
    expect(given.prefixOf(github, 'github_delete')).toBe('');
  });

  it('is used for each new name when providers have listed too many names', () => {
    const [given, one] = [names(), new Server('one_')];
    for (let at = 0; at < 10_000; at++) given.prefixOf(one, `tool${at}`);
    expect(given.prefixOf(one, 'tool0')).toBe('');
    expect(given.prefixOf(one, 'one more')).toBe('one_');
  });
});
