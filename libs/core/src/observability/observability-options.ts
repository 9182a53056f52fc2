import type { ContentRedactor } from '../model/content-redactor.js';
import type { ObservationConvention } from './observation-convention.js';

/** What telemetry may show. By default it shows no content of prompts, answers and tool calls. */
export interface ObservabilityOptions {
  /** Defines the names and attributes of spans. Default: `new ObservationConvention()`. */
  readonly convention?: ObservationConvention;
  /** Removes sensitive content. Default: the `ContentRedactor` of `AiModule`, if there is one. */
  readonly redactor?: ContentRedactor | undefined;
  /**
   * Whether spans of tool calls include arguments and results, and failed spans include the error
   * message. Default: false.
   */
  readonly includeContent?: boolean;
  /** Whether spans of model calls include the prompt. Default: false. */
  readonly includePrompt?: boolean;
  /** Whether spans of model calls include the answer. Default: false. */
  readonly includeCompletion?: boolean;
}
