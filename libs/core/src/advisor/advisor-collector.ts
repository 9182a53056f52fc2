import type { Advisor } from './advisor.js';

/** Collects advisors and the values for their context. */
export class AdvisorSpec {
  readonly #advisors: Advisor[] = [];
  readonly #params: Record<string, unknown> = {};

  /** Sets a value in the context of the request, for advisors to read. */
  param(key: string, value: unknown): this {
    if (key === '') throw new TypeError('key cannot be null or empty');
    if (value === undefined || value === null) throw new TypeError(`value of '${key}' cannot be null`);
    this.#params[key] = value;
    return this;
  }

  /** Sets several values. */
  params(params: Readonly<Record<string, unknown>>): this {
    for (const [key, value] of Object.entries(params)) this.param(key, value);
    return this;
  }

  /** Adds advisors, one by one or as lists. */
  advisors(...advisors: readonly (Advisor | readonly Advisor[])[]): this {
    this.#advisors.push(...advisors.flat());
    return this;
  }

  /** The advisors and values so far. */
  collected(): { readonly advisors: readonly Advisor[]; readonly params: Readonly<Record<string, unknown>> } {
    return { advisors: this.#advisors, params: this.#params };
  }
}
