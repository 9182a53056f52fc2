import { SerialQueue } from '../model/serial-queue.js';
import { stableJson } from '../model/stable-json.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { policiesOf } from '../tool/policies.js';
import { baseOf, type ToolRecord } from '../tool/tool-record.js';
import { CallPolicies, createPolicyState, type PolicyState } from './call-policies.js';

/** Where a {@link ToolPolicyLookup} looks besides the tool. */
export interface ToolPolicyLookupOptions {
  /** How long a tool may take that sets no timeout, in milliseconds. */
  readonly timeout?: number | undefined;
  /** What the configuration says of the tool of a name. */
  readonly policiesOf?: ((toolName: string) => ToolPolicies | undefined) | undefined;
}

/** Finds the policies of tools: what the tool declares, and over it what the configuration says. */
export class ToolPolicyLookup {
  readonly #found = new WeakMap<ToolRecord, { readonly policies: CallPolicies | undefined }>();
  readonly #states = new WeakMap<object, Map<string, PolicyState>>();
  readonly #queue = new SerialQueue();

  constructor(private readonly options: ToolPolicyLookupOptions) {}

  /** Undefined for the many tools that have no policies. */
  of(record: ToolRecord): CallPolicies | undefined {
    let found = this.#found.get(record);
    if (!found) this.#found.set(record, (found = { policies: this.#compile(record) }));
    return found.policies;
  }

  #compile(record: ToolRecord): CallPolicies | undefined {
    const base = baseOf(record);
    const names = new Set([record.definition.name, base.definition.name]);
    const policies: ToolPolicies = Object.assign(
      {},
      policiesOf(record.metadata),
      policiesOf(base.metadata),
      ...[...names].map((name) => this.options.policiesOf?.(name)),
    );
    // A tool that needs approval needs it under every name.
    const ofBase = this.options.policiesOf?.(base.definition.name)?.needsApproval ?? base.metadata.needsApproval;
    if (ofBase && !policies.needsApproval) Object.assign(policies, { needsApproval: ofBase });
    const timeout = policies.timeout ?? this.options.timeout;
    const { retry, concurrencyKey, rateLimit, cacheTtl, needsApproval } = policies;
    if (!(retry || concurrencyKey || rateLimit || cacheTtl || needsApproval || timeout)) return undefined;
    return new CallPolicies(policies, timeout, this.#queue, this.#stateOf(record, policies));
  }

  /** A tool that is made anew for each request is still the same tool of the same object. */
  #stateOf({ id }: ToolRecord, policies: ToolPolicies): PolicyState {
    const { rateLimit, cacheTtl } = policies;
    const key = stableJson([id.name, rateLimit?.calls, rateLimit?.interval, cacheTtl]);
    let ofOwner = this.#states.get(id.owner);
    if (!ofOwner) this.#states.set(id.owner, (ofOwner = new Map()));
    let state = ofOwner.get(key);
    if (!state) ofOwner.set(key, (state = createPolicyState(policies)));
    return state;
  }
}
