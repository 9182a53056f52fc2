import { inspect } from 'node:util';
import { closestMatch } from 'leven';
import { TOOL_EFFECTS, type ToolEffect } from '../model/tool-labels.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolJob, ToolPolicies, ToolRateLimit, ToolRetry } from '../model/tool-policies.js';
import { TOOL_UIS, type ToolUi } from '../model/tool-ui.js';
import { isTimeout, MAX_TIMEOUT, TIMEOUT } from './check-timeout.js';

/** What an option must be. */
type Rule = readonly [isValid: (value: never) => boolean, what: string];

const BOOLEAN: Rule = [(value: unknown) => typeof value === 'boolean', 'true or false'];
const isDelay = (time: number): boolean => time >= 0 && time <= MAX_TIMEOUT;

const POLICIES: Readonly<Record<keyof ToolPolicies, Rule>> = {
  timeout: [isTimeout, TIMEOUT],
  sequential: BOOLEAN,
  retry: [
    (given: number | ToolRetry) => {
      const { retries, minDelay = 0, maxDelay = 0 } = typeof given === 'number' ? { retries: given } : given;
      return Number.isInteger(retries) && retries >= 0 && isDelay(minDelay) && isDelay(maxDelay);
    },
    `the number of retries, 0 or more, with delays of 0 to ${MAX_TIMEOUT} ms`,
  ],
  concurrencyKey: [(key: unknown) => typeof key === 'string' || typeof key === 'function', 'a string or a function'],
  rateLimit: [
    ({ calls, interval }: ToolRateLimit) => calls >= 1 && interval >= 1 && isDelay(interval),
    `calls and an interval of at most ${MAX_TIMEOUT} milliseconds, such as { calls: 10, interval: 60_000 }`,
  ],
  cacheTtl: [(time: number) => time > 0 && time < Infinity, 'a finite number of milliseconds above 0'],
  needsApproval: [
    (given: unknown) => typeof given === 'boolean' || typeof given === 'function',
    'true, false or a function',
  ],
  replaySafe: BOOLEAN,
  job: [
    ({ queue }: Partial<ToolJob>) => /^[^:]+$/.test(queue ?? ''),
    "the name of a queue without a colon, such as { queue: 'reports' }",
  ],
  effect: [(effect: ToolEffect) => TOOL_EFFECTS.includes(effect), TOOL_EFFECTS.join(' or ')],
  untrusted: BOOLEAN,
};
const POLICY_NAMES = Object.keys(POLICIES) as (keyof ToolPolicies)[];

const OFFER = ['visible', 'offeredByDefault', 'ui', 'mcp', 'remote'] as const;
type ToolOffer = Pick<ToolMetadata, (typeof OFFER)[number]>;

const RULES: Readonly<Record<string, Rule>> = {
  ...POLICIES,
  visible: [(visible: unknown) => typeof visible === 'function', 'a function of the context'],
  ui: [(ui: ToolUi) => TOOL_UIS.includes(ui), `one of '${TOOL_UIS.join("', '")}' (what browsers see of the calls)`],
};

/** The options without which a tool would do more than it should. */
const PROTECTING = [...POLICY_NAMES, 'visible', 'offeredByDefault', 'unknownArguments'];

/** The option that a name is, or nearly is. Most tools have options of the same names. */
const optionLike = new Map<string, string | undefined>();

/**
 * @throws TypeError that says all that is wrong. A name that is nearly that of an option is refused,
 * too: without its approval, a tool would run.
 */
export function checkOptions(options: object): void {
  const misspelled = Object.keys(options).flatMap((name) => {
    if (!optionLike.has(name)) optionLike.set(name, closestMatch(name, PROTECTING, { maxDistance: 2 }));
    const option = optionLike.get(name) ?? name;
    return option === name ? [] : [`${name} is no option of a tool. Did you mean ${option}?`];
  });
  refuse([...misspelled, ...invalidOf(options)]);
}

/** The policies among other options. Undefined if there are none. */
export function policiesOf(options: ToolPolicies): ToolPolicies | undefined {
  const found = setAmong(options, POLICY_NAMES);
  if (found) checkPolicies(found);
  return found;
}

/** The options that concern who may use the tool and see its calls. Undefined if none is set. */
export function offerOf(options: ToolOffer): ToolOffer | undefined {
  return setAmong(options, OFFER);
}

/** Only `offeredByDefault` has another default than false. */
function setAmong<Options>(options: Options, names: readonly (keyof Options)[]): Partial<Options> | undefined {
  let found: Partial<Options> | undefined;
  for (const name of names) {
    const value = options[name];
    if (value !== undefined && value !== (name === 'offeredByDefault'))
      (found ??= {} as Partial<Options>)[name] = value;
  }
  return found;
}

/** @throws TypeError that names all invalid policies */
export function checkPolicies(policies: object): void {
  refuse(invalidOf(policies));
}

function invalidOf(options: object): string[] {
  return Object.entries(RULES).flatMap(([name, [isValid, what]]) => {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const isUnset = value === undefined || (value === false && name in POLICIES);
    if (isUnset || (value !== null && isValid(value as never))) return [];
    return [`${name} must be ${what}, but is ${typeof value === 'object' ? inspect(value) : String(value)}.`];
  });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TypeError(problems.join(' '));
}
