import { FunctionToolCallback, type ToolContext, type ToolRetry } from '@nestor-ai/core';
import type { RemoteToolMetadata } from '../remote-tool-metadata.js';
import { RemoteCallException } from './remote-call.exception.js';
import type { RemoteCalls } from './remote-calls.js';
import type { ServiceTool } from './service-directory.js';

/** How much longer a call may take here than in its service, whose answer says more. In milliseconds. */
const GRACE = 2000;

/** A tool that may run twice is called again if its service is lost. */
const AFTER_LOSS: ToolRetry = Object.freeze({
  retries: 3,
  minDelay: 200,
  shouldRetry: (error: unknown) => error instanceof RemoteCallException,
});

/** A tool of another service. */
export class RemoteToolCallback extends FunctionToolCallback<Record<string, unknown>> {
  /** @param name the name for models */
  constructor(calls: RemoteCalls, tool: ServiceTool, name: string) {
    const { service, announced } = tool;
    const { timeout: _timeout, metadata, name: ownName, ...declared } = announced;
    const remote: RemoteToolMetadata = { service, name: ownName };
    super({
      ...declared,
      name,
      timeout: calls.timeoutOf(tool) + GRACE,
      ...(announced.replaySafe && { retry: AFTER_LOSS }),
      toolMetadata: { ...metadata, returnDirect: false, remote: Object.freeze(remote) },
      toolFunction: (input: Record<string, unknown>, context: ToolContext) => calls.run(tool, input, context),
    });
  }
}
