import type { ToolResponse } from '@nestor-ai/core';
import type { ToolApprovalResponsePart } from '../specification.js';

/**
 * The decision about a call that the provider runs. Undefined for results of the application's
 * tools.
 */
export function approvalResponse({ providerApproval }: ToolResponse): ToolApprovalResponsePart | undefined {
  if (!providerApproval) return undefined;
  const { approvalId, approved, reason } = providerApproval;
  return { type: 'tool-approval-response', approvalId, approved, ...(reason !== undefined && { reason }) };
}
