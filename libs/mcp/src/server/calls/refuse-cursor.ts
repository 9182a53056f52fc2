import { INVALID_PARAMS, McpProtocolException } from '../protocol-error.js';

/** @throws McpProtocolException for a cursor: lists have one page, so the server gave none */
export function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new McpProtocolException(INVALID_PARAMS, 'The cursor is not valid. The list has one page.');
}
