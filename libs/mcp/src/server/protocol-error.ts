/** The codes of JSON-RPC errors that the server answers with. */
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** The longest id and the longest progress token of a request, in characters. Events repeat them. */
export const MAX_TOKEN_LENGTH = 256;

/** An error of the protocol, with a message that the client may see. */
export class McpProtocolException extends Error {
  override readonly name = 'McpProtocolException';

  constructor(
    /** The code of JSON-RPC. */
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** @throws McpProtocolException for a cursor: lists have one page, so the server gave none */
export function refuseCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new McpProtocolException(INVALID_PARAMS, 'The cursor is not valid. The list has one page.');
}
