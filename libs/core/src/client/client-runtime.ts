import type { Advisor, MemoryAdvisor, ToolAdvisor } from '../advisor/advisor.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import type { ToolCallbackResolver } from '../execution/tool-callback-resolver.js';
import type { Awaitable } from '../model/awaitable.js';
import type { RequestServices } from '../model/request-services.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import type { ToolFilter } from '../tool/tool-visibility.js';
import type { ObservedClient } from './observed-request.js';
import { ToolCatalog } from './tool-catalog.js';

const NO_TOOLS: readonly ToolCallback[] = Object.freeze([]);
const NO_ADVISORS: readonly Advisor[] = Object.freeze([]);

/**
 * The environment of a client. This one is for clients without a container. `AiModule` overrides
 * it.
 */
export class ClientRuntime implements ObservedClient {
  /** Undefined for the default client. */
  readonly clientName: string | undefined = undefined;
  readonly observability: ObservabilityOptions | undefined = undefined;
  readonly catalog: ToolCatalog = new ToolCatalog();
  /** Finds tools by name. */
  readonly toolCallbackResolver: ToolCallbackResolver | undefined = undefined;
  /** Decides which tools a request may have. */
  readonly toolFilter: ToolFilter | undefined = undefined;
  /** The services that the application provides to each request. */
  readonly services: RequestServices | undefined = undefined;

  /** Called before each request. @throws Error if the client cannot send requests */
  ensureReady(): void {}

  /**
   * The default tools of a client without own tools. Returns the same list as long as it does not
   * change.
   *
   * @param _request the caller's request
   */
  defaultTools(_request?: unknown): Awaitable<readonly ToolCallback[]> {
    return NO_TOOLS;
  }

  /** Creates the advisor that runs the tool loop if there is no other. */
  createToolLoop(): Advisor & ToolAdvisor {
    return new ToolCallingAdvisor();
  }

  /** The advisor that stores conversations if no other advisor does. */
  memoryAdvisor(): (Advisor & MemoryAdvisor) | undefined {
    return undefined;
  }

  /** The request that the application handles now, for chat requests without `.request()`. */
  currentRequest(): unknown {
    return undefined;
  }

  /** The advisors of every request. Returns the same list each time. */
  advisors(): readonly Advisor[] {
    return NO_ADVISORS;
  }
}

/** The runtime of clients without a container. */
export const STANDALONE: ClientRuntime = new ClientRuntime();
