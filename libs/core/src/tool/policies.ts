import { closestMatch } from 'leven';
import type { ToolJob, ToolPolicies } from '../model/tool-policies.js';
import { checkTimeout, MAX_TIMEOUT } from './check-timeout.js';
import { checkLabels } from './trust/labels.js';

const POLICIES = [
  'timeout',
  'sequential',
  'retry',
  'concurrencyKey',
  'rateLimit',
  'cacheTtl',
  'needsApproval',
  'replaySafe',
  'job',
  'effect',
  'untrusted',
] as const satisfies readonly (keyof ToolPolicies)[];

/** The options without which a tool would do more than it should. */
const PROTECTING = [...POLICIES, 'visible', 'offeredByDefault', 'unknownArguments'];

/** The option that a name is, or nearly is. Most tools have options of the same names. */
const optionLike = new Map<string, string | undefined>();

/** @throws TypeError for a name that is nearly that of an option: without its approval, a tool would run */
export function checkSpelling(options: object): void {
  for (const name of Object.keys(options)) {
    if (!optionLike.has(name)) optionLike.set(name, closestMatch(name, PROTECTING, { maxDistance: 2 }));
    const option = optionLike.get(name) ?? name;
    if (option !== name) throw new TypeError(`${name} is no option of a tool. Did you mean ${option}?`);
  }
}

/** The policies among other options. Undefined if there are none. */
export function policiesOf(options: ToolPolicies): ToolPolicies | undefined {
  let found: Record<string, unknown> | undefined;
  for (const key of POLICIES) {
    const value = options[key];
    if (value !== undefined && value !== false) (found ??= {})[key] = value;
  }
  if (found) checkPolicies(found);
  return found;
}

/** @throws RangeError or TypeError that names the invalid policy */
export function checkPolicies(policies: ToolPolicies): void {
  const { timeout, retry, concurrencyKey, rateLimit, cacheTtl, needsApproval, job } = policies;
  checkTimeout(timeout);
  checkLabels(policies);
  const { retries, minDelay = 0, maxDelay = 0 } = typeof retry === 'number' || !retry ? { retries: retry } : retry;
  if (retry !== undefined && !(Number.isInteger(retries) && retries! >= 0 && minDelay >= 0 && maxDelay >= 0)) {
    throw new RangeError(
      `retry must be the number of retries, 0 or more, with delays of 0 ms or more, but is ${JSON.stringify(retry)}.`,
    );
  }
  if (concurrencyKey !== undefined && typeof concurrencyKey !== 'string' && typeof concurrencyKey !== 'function') {
    throw new TypeError(`concurrencyKey must be a string or a function, but is ${String(concurrencyKey)}.`);
  }
  if (rateLimit && !(rateLimit.calls >= 1 && rateLimit.interval >= 1 && rateLimit.interval <= MAX_TIMEOUT)) {
    throw new RangeError(
      `rateLimit needs calls and an interval in milliseconds of at most ${MAX_TIMEOUT}, such as { calls: 10, interval: 60_000 }.`,
    );
  }
  if (cacheTtl !== undefined && !(cacheTtl > 0 && cacheTtl < Infinity)) {
    throw new RangeError(`cacheTtl must be a finite number of milliseconds above 0, but is ${String(cacheTtl)}.`);
  }
  if (needsApproval !== undefined && typeof needsApproval !== 'boolean' && typeof needsApproval !== 'function') {
    throw new TypeError(`needsApproval must be true, false or a function, but is ${String(needsApproval)}.`);
  }
  if (job !== undefined && !/^[^:]+$/.test((job as Partial<ToolJob> | null)?.queue ?? '')) {
    throw new TypeError("job needs the name of a queue without a colon, such as { queue: 'reports' }.");
  }
}
