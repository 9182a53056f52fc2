import type { ContentRedactor } from '../model/content-redactor.js';
import { ObservationConvention } from './observation-convention.js';

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
  /** The maximum length of content in a span, in characters. Default: 16,384. */
  readonly maxContentLength?: number;
}

export const DEFAULT_MAX_CONTENT_LENGTH = 16_384;

/** {@link ObservabilityOptions} with their defaults. */
export type CompleteObservability = Required<Omit<ObservabilityOptions, 'redactor'>> &
  Pick<ObservabilityOptions, 'redactor'>;

const DEFAULTS: CompleteObservability = Object.freeze({
  convention: new ObservationConvention(),
  includeContent: false,
  includePrompt: false,
  includeCompletion: false,
  maxContentLength: DEFAULT_MAX_CONTENT_LENGTH,
});

const completed = new WeakMap<ObservabilityOptions, CompleteObservability>();

/**
 * The options with defaults.
 *
 * @throws RangeError unless maxContentLength is a whole number greater than 0
 */
export function completeObservability(options: ObservabilityOptions | undefined): CompleteObservability {
  if (!options) return DEFAULTS;
  let complete = completed.get(options);
  if (!complete) {
    const { maxContentLength = DEFAULT_MAX_CONTENT_LENGTH } = options;
    if (!Number.isInteger(maxContentLength) || maxContentLength < 1) {
      throw new RangeError(`maxContentLength must be a whole number greater than 0, but is ${maxContentLength}.`);
    }
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    complete = { ...DEFAULTS, ...Object.fromEntries(given) };
    completed.set(options, complete);
  }
  return complete;
}
