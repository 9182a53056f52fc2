import type { CommonToolOptions } from '@nestor-ai/core';

/** The policies that resources and prompts share with tools. */
export type McpMethodPolicies = Pick<
  CommonToolOptions,
  'visible' | 'timeout' | 'retry' | 'rateLimit' | 'concurrencyKey' | 'cacheTtl' | 'metadata'
>;
