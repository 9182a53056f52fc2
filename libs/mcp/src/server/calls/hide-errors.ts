import type { Logger } from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';
import { INTERNAL_ERROR, McpProtocolException } from '../protocol-error.js';

/**
 * Hides errors that no step of a request has prepared for clients: the SDK would send their
 * messages. They may repeat what was said, so they are not logged either.
 *
 * @param signal of the request. The SDK does not answer a request that was aborted.
 * @throws McpProtocolException for the client
 */
export async function hideErrors<T>(logger: Logger, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof McpProtocolException) throw error;
    const { cause = error } = (error ?? {}) as { cause?: unknown };
    logger.error(`A request of an MCP client failed: ${errorTypeOf(cause)}.`);
    throw new McpProtocolException(INTERNAL_ERROR, 'The request failed.');
  }
}
