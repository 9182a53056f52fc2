import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8');
const excerpts = [...page.matchAll(/^```typescript\n(\/\/ (\S+\.ts)\n[\s\S]*?)^```$/gm)].map(
  (match) => ({
    code: match[1]!,
    name: match[2]!,
  }),
);

describe('the modules that docs/recipes.md shows and that run here', () => {
  it('are there', () => {
    expect(excerpts.map(({ name }) => name)).toEqual(['throttling.ts', 'request-store.ts']);
  });

  it.each(excerpts)('are shown word for word: $name', ({ name, code }) => {
    expect(code).toBe(readFileSync(new URL(name, import.meta.url), 'utf8'));
  });
});
