import { stableJson } from '@nestor-ai/schema';
import { remembered } from '../model/remembered.js';
import type { ToolEffect } from '../model/tool-labels.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { policiesOf } from '../tool/policies.js';
import { moreCautious } from '../tool/trust/labels.js';
import { baseOf, type ToolRecord } from '../tool/tool-record.js';
import { CallPolicies, type PolicyState } from './call-policies.js';
import { ConcurrencyKeys } from './concurrency-keys.js';
import { SharedToolResults } from './shared-tool-results.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';
import { localLimiter } from './tool-rate-limit.js';
import { ToolResultCache } from './tool-result-cache.js';

/** Finds the policies of a tool: those it declares, overridden by the configuration. */
export class ToolPolicyLookup {
  readonly #found = new WeakMap<ToolRecord, { metadata: ToolMetadata; policies: CallPolicies | undefined }>();
  readonly #statesOf = remembered((_owner: object) => new Map<string, PolicyState>());
  readonly #keys = new ConcurrencyKeys();

  constructor(private readonly options: ToolCallingManagerOptions) {}

  /** Undefined for a tool without policies. */
  of(record: ToolRecord): CallPolicies | undefined {
    const { metadata } = record;
    let found = this.#found.get(record);
    // A tool may change its metadata.
    if (found?.metadata !== metadata) {
      found = { metadata, policies: this.#compile(record) };
      this.#found.set(record, found);
    }
    return found.policies;
  }

  effectOf(record: ToolRecord): ToolEffect | undefined {
    return moreCautious(...this.#bothOf(record)).effect;
  }

  /** Approval and trust labels apply to a tool under every name. */
  #bothOf(record: ToolRecord): [ofBase: ToolPolicies, own: ToolPolicies] {
    return [this.#policiesOf(baseOf(record)), this.#policiesOf(record)];
  }

  #compile(record: ToolRecord): CallPolicies | undefined {
    const [ofBase, own] = this.#bothOf(record);
    const needsApproval = eitherOf(ofBase.needsApproval, own.needsApproval);
    const labels = moreCautious(ofBase, own);
    const policies: ToolPolicies = { ...ofBase, ...own, ...(needsApproval && { needsApproval }), ...labels };
    const timeout = policies.timeout ?? this.options.timeout;
    const { onUntrusted: action = 'approve' } = this.options;
    const onUntrusted = labels.effect === 'irreversible' && action !== 'allow' ? action : undefined;
    const { retry, concurrencyKey, rateLimit, cacheTtl, untrusted, job } = policies;
    const isPlain = !(retry || concurrencyKey || rateLimit || cacheTtl || needsApproval || untrusted || job);
    if (isPlain && !timeout && !onUntrusted) return undefined;
    return new CallPolicies(policies, timeout, this.#keys, this.#stateOf(record, policies), onUntrusted);
  }

  /** The policies that a tool declares, overridden by the configuration for its name. */
  #policiesOf({ definition, metadata }: ToolRecord): ToolPolicies {
    return overridden(policiesOf(metadata), this.options.policiesOf?.(definition.name));
  }

  /** The state of a tool, which stays the same if the tool is created again for each request. */
  #stateOf(record: ToolRecord, policies: ToolPolicies): PolicyState {
    const { id } = record;
    const { rateLimit, cacheTtl } = policies;
    const key = stableJson([id.name, rateLimit?.calls, rateLimit?.interval, cacheTtl]);
    const ofOwner = this.#statesOf(id.owner);
    let state = ofOwner.get(key);
    if (!state) ofOwner.set(key, (state = this.#createState(record, policies)));
    return state;
  }

  #createState(record: ToolRecord, { rateLimit, cacheTtl }: ToolPolicies): PolicyState {
    const { rateLimits, resultStore } = this.options;
    const { name } = baseOf(record).definition;
    const replicatedId = resultStore && replicatedIdOf(record);
    const isShared = cacheTtl !== undefined && resultStore && replicatedId !== undefined;
    const results = isShared ? new SharedToolResults(resultStore, name, replicatedId, cacheTtl) : undefined;
    const limit = rateLimit && { calls: rateLimit.calls, interval: rateLimit.interval };
    return {
      limiter: limit && (rateLimits ? rateLimits.limiterOf(name, limit) : localLimiter(limit)),
      cache: cacheTtl === undefined ? undefined : new ToolResultCache(cacheTtl, results),
    };
  }
}

/** The configuration sets numbers. What else the code says about them stays: keys, delays and when to retry. */
function overridden(declared: ToolPolicies = {}, over: ToolPolicies = {}): ToolPolicies {
  const { retry, rateLimit } = over;
  const isCount = typeof retry === 'number' && typeof declared.retry === 'object';
  return {
    ...declared,
    ...over,
    ...(isCount && { retry: { ...declared.retry, retries: retry } }),
    ...(rateLimit && { rateLimit: { ...declared.rateLimit, ...rateLimit } }),
  };
}

type NeedsApproval = ToolPolicies['needsApproval'];

function eitherOf(one: NeedsApproval, other: NeedsApproval): NeedsApproval {
  if (!one || one === other) return other;
  if (!other) return one;
  if (one === true || other === true) return true;
  // Fail closed: only an explicit `false` of both skips approval.
  return async (input, context) => !(isFalse(await one(input, context)) && isFalse(await other(input, context)));
}

/** A missing return value is not a `false`. */
function isFalse(answer: unknown): boolean {
  return answer === false;
}

/**
 * Tells a tool from all others in every process of an application. Undefined for a tool that only
 * this process knows: an object or a function of one request has a state of its own. The tools of
 * providers that the container creates are the same everywhere.
 */
function replicatedIdOf(record: ToolRecord): string | undefined {
  const { method, id, origin, definition } = baseOf(record);
  // Without `around`, other code may run in place of the provider's.
  if (!record.around || !method || method.object || id.owner !== method) return undefined;
  const { name, description, inputSchema } = definition;
  return stableJson([origin, name, description, inputSchema]);
}
