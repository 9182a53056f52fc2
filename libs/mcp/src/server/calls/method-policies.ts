import type { CommonToolOptions } from '@nestor-ai/core';

const POLICIES = ['visible', 'timeout', 'retry', 'rateLimit', 'concurrencyKey', 'cacheTtl'] as const;

/** The policies that resources and prompts share with tools. */
export type McpMethodPolicies = Pick<CommonToolOptions, (typeof POLICIES)[number] | 'metadata'>;

/** The policies that are set. */
export function policiesOf(options: McpMethodPolicies): Omit<McpMethodPolicies, 'metadata'> {
  const values = POLICIES.map((key) => [key, options[key]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values);
}
