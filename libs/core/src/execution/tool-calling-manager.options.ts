import type { ToolCallback } from '../model/tool-callback.js';
import type { UntrustedAction } from '../model/tool-labels.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import type { ObservabilityOptions } from '../observability/observability-options.js';
import type { ToolFilter } from '../tool/tool-visibility.js';
import type { ToolArgumentRepair } from './tool-argument-repair.js';
import type { TurnObserver } from '../model/turn-observer.js';
import type { ToolCallLimits } from './tool-call-limits.js';
import type { ToolCallbackResolver } from './tool-callback-resolver.js';
import type { ToolRateLimits } from './tool-rate-limits.js';
import type { ToolResultStore } from './tool-result-store.js';
import type { ToolExecutionExceptionProcessor } from './tool-execution-exception-processor.js';
import { RequestServices } from '../model/request-services.js';

/** The options of `DefaultToolCallingManager`. */
export interface ToolCallingManagerOptions {
  /** Finds tools that are not in the request, if `resolutionFallbackEnabled` is set. */
  toolCallbackResolver?: ToolCallbackResolver;
  /** Decides how to handle failed calls. Default: the model gets the error message. */
  toolExecutionExceptionProcessor?: ToolExecutionExceptionProcessor;
  /** The most calls in a turn. Default: 40 of one tool, 150 in total. */
  limits?: ToolCallLimits;
  /** The most calls of one message that run at the same time. Default: 8. */
  concurrency?: number;
  /** The limit for a call, in milliseconds, unless its tool sets one. Default: no limit. */
  timeout?: number;
  /**
   * The most characters of a result or error to send to the model. Longer ones are cut, with a
   * note. The `value` of a result and answers that are returned directly are never cut. Default:
   * 100,000.
   */
  maxResultLength?: number;
  /**
   * Keeps long results for the duration of the turn and offers the model a tool to read on,
   * `read_tool_result`. Default: false.
   */
  resultPaging?: boolean;
  /**
   * Repairs arguments that are not valid JSON, such as `new JsonRepair()`. Default: the model is
   * asked to correct them.
   */
  argumentRepair?: ToolArgumentRepair;
  /**
   * The policies of a tool from the configuration. They override those of the tool. Called once
   * per tool.
   */
  policiesOf?: (toolName: string) => ToolPolicies | undefined;
  /**
   * What happens to a call that cannot be undone (`effect: 'irreversible'`) after the model has
   * read untrusted content. Default: `approve`, a human must approve it.
   */
  onUntrusted?: UntrustedAction;
  /**
   * Counts the calls of tools with a `rateLimit` for all processes together. Default: each process
   * counts its own calls.
   */
  rateLimits?: ToolRateLimits;
  /**
   * Keeps the results of tools with a `cacheTtl` for all processes. Only used for `@Tool()` methods
   * of Nest providers. Default: each process has its own cache.
   */
  resultStore?: ToolResultStore;
  /**
   * Replaces a tool by the one to run, such as the same tool with guards. Undefined for a tool
   * that is turned off. An error that it throws ends the turn. Default: the tool itself.
   */
  registered?: (callback: ToolCallback) => ToolCallback | undefined;
  /**
   * Decides whether a request may have a tool that was found by name. Default: its `visible`
   * option decides.
   */
  toolFilter?: ToolFilter;
  /**
   * What telemetry may show of calls outside a `ChatClient`, which has its own option. Default: no
   * contents.
   */
  observability?: ObservabilityOptions;
  /** Observe each call, such as `new ToolAudit({ sink })`. Default: none. */
  observers?: readonly TurnObserver[];
  /** The services of calls that no `ChatClient` makes, such as the observers of the application. */
  services?: RequestServices;
  /** Whether tools that are not in the request may be found by name and run. Default: false. */
  resolutionFallbackEnabled?: boolean;
}

/** The injection token for the options of a `DefaultToolCallingManager` and its subclasses. */
export const TOOL_CALLING_MANAGER_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallingManagerOptions');
