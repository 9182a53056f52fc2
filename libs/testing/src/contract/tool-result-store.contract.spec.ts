import { describe, expect, it } from '@jest/globals';
import { type ToolResultClaim, ToolResultStore } from '@nestor-ai/core';
import { toolResultStoreContract } from './index.js';

class InMemory extends ToolResultStore {
  protected readonly results = new Map<string, { readonly json: string; readonly end: number }>();
  protected readonly claims = new Map<string, { readonly end: number }>();

  async get(key: string): Promise<string | undefined> {
    const kept = this.results.get(key);
    return kept && kept.end > performance.now() ? kept.json : undefined;
  }

  async set(key: string, json: string, ttl: number): Promise<void> {
    this.results.set(key, { json, end: performance.now() + ttl });
  }

  async claim(key: string, lease: number): Promise<ToolResultClaim | undefined> {
    if ((this.claims.get(key)?.end ?? 0) > performance.now()) return undefined;
    const claim = { end: performance.now() + lease };
    this.claims.set(key, claim);
    return { release: async () => this.release(key, claim) };
  }

  protected release(key: string, claim: { readonly end: number }): void {
    if (this.claims.get(key) === claim) this.claims.delete(key);
  }
}

describe('the contract of a ToolResultStore', () => {
  describe('is kept in memory', () => {
    const store = new InMemory();
    for (const { name, run } of toolResultStoreContract({ open: () => store })) it(name, run);
  });

  class Forever extends InMemory {
    override set = (key: string, json: string): Promise<void> => super.set(key, json, 60_000);
    override claim = (key: string) => super.claim(key, 60_000);
  }

  class First extends InMemory {
    override async set(key: string, json: string, ttl: number): Promise<void> {
      if (!this.results.has(key)) await super.set(key, json, ttl);
    }
  }

  class Generous extends InMemory {
    override claim = (): Promise<ToolResultClaim> => Promise.resolve({ release: () => Promise.resolve() });
  }

  class Careless extends InMemory {
    protected override release(key: string): void {
      this.claims.delete(key);
    }
  }

  it.each([
    ['every process finds a stored result as it was', () => new InMemory()],
    ['a result replaces the one before', keep(new First())],
    ['a result is gone after its time', keep(new Forever())],
    ['of all processes that want to compute a result, one may', keep(new Generous())],
    ['a result can be claimed again after its claim was released or has ended', keep(new Forever())],
    ['a claim that has ended does not release the claim of another process', keep(new Careless())],
  ])('rejects a store for which it is not true that %s', async (title, open) => {
    const broken = toolResultStoreContract({ open }).find(({ name }) => name === title)!;
    await expect(broken.run()).rejects.toThrow('The contract wants');
  });
});

function keep<T>(store: T): () => T {
  return () => store;
}
