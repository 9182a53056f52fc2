import { describe, expect, it } from '@jest/globals';
import { ConfigService } from '@nestjs/config';
import { CLIENT_OVERRIDES } from './ai-properties.js';
import { NamedProperties } from './named-properties.js';

describe('the names in flat keys', () => {
  it.each([
    ['ai.clients.support.default-tools', 'support'],
    ['ai.clients.support.toolCalling.maxRounds', 'support'],
    ['ai.clients.support.eu.default-tools', 'support.eu'],
    ['ai.clients.support.budget.most', 'support'],
    ['ai.clients.support', 'support'],
  ])('end where a known key begins, or else at the first dot: %s', (key, name) => {
    const { names } = new NamedProperties(
      CLIENT_OVERRIDES,
      ['ai', 'clients'],
      {},
      new ConfigService({ [key]: 'none' }),
    );
    expect(names).toEqual([name]);
  });
});
