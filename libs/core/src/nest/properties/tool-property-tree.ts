import { DEFAULT_MAX_RESULT_LENGTH } from '../../execution/result-limit.js';
import { DEFAULT_MAX_CALLS_PER_TOOL, DEFAULT_MAX_TOTAL_TOOL_CALLS } from '../../execution/tool-call-limits.js';
import { TOOL_EFFECTS, UNTRUSTED_ACTIONS } from '../../model/tool-labels.js';
import { durationProperty, rateProperty } from './duration-types.js';
import {
  booleanProperty,
  choiceProperty,
  forEachName,
  integerProperty,
  limitProperty,
  listProperty,
  positive,
  textProperty,
} from './property-types.js';

/** How long to wait for running tools when the application ends, in milliseconds. */
const DEFAULT_SHUTDOWN_TIMEOUT = 5000;

/** How long a request waits for a `ToolCallbackProvider`, in milliseconds. */
const DEFAULT_PROVIDER_TIMEOUT = 10_000;

/** The policies of a single tool, under `ai.tools.overrides.<tool>`. */
export const TOOL_POLICIES = {
  /** How long one call of the tool may take. Default: `ai.tools.timeout`. */
  timeout: durationProperty(),
  /** How many times Nestor repeats a call that failed. */
  retry: integerProperty(undefined, { allowed: 'a whole number, 0 or more', accepts: (value) => value >= 0 }),
  /** How many calls may run in which time, such as `10/1m`. */
  rateLimit: rateProperty(),
  /** How long Nestor answers an equal call with the result it has. */
  cacheTtl: durationProperty(),
  /** Whether a human has to approve each call. */
  needsApproval: booleanProperty(undefined),
  /** What a call does to the world. Decides which calls untrusted content holds back. */
  effect: choiceProperty(undefined, TOOL_EFFECTS),
  /** Whether the results contain text that strangers write. */
  untrusted: booleanProperty(undefined),
} as const;

/** The overrides of a single tool, under `ai.tools.overrides.<tool>`. */
export const TOOL_OVERRIDES = {
  /** `false` removes the tool for everyone. */
  enabled: booleanProperty(undefined),
  /** Replaces the description that the model reads. */
  description: textProperty(),
  /** Whether the result is the answer to the user, so that the model is not asked again. */
  returnDirect: booleanProperty(undefined),
  /** Whether the tool is offered to requests that don't list tools. */
  offeredByDefault: booleanProperty(undefined),
  /** The hash of a foreign tool that you have reviewed. */
  pin: textProperty(),
  ...TOOL_POLICIES,
} as const;

/** The limit of a single tool, under `ai.tools.limits.max-calls-per-tool.<tool>`. */
export const TOOL_LIMIT = limitProperty(undefined);

/** How tools run, under `ai.tools`. */
export const TOOL_TREE = {
  /**
   * `true` ends the turn with the error of a tool that fails. Otherwise the model reads the
   * error.
   */
  throwExceptionOnError: booleanProperty(false),
  /** What the model reads of an error: its message, or only what you wrote for the model. */
  errorExposure: choiceProperty('message' as const, ['message', 'safe'] as const),
  /** How many calls of one model message run at the same time. */
  concurrency: integerProperty(8, positive),
  /** How long one tool call may take. */
  timeout: durationProperty(),
  /** How long the application waits for running tools when it ends. */
  shutdownTimeout: durationProperty(DEFAULT_SHUTDOWN_TIMEOUT),
  /** How long a request waits for a `ToolCallbackProvider` to list its tools. */
  providerTimeout: durationProperty(DEFAULT_PROVIDER_TIMEOUT),
  /** What happens to foreign tools that have changed: a warning, or the tool is left out. */
  pin: choiceProperty('warn' as const, ['warn', 'refuse'] as const),
  /** What happens to tools that your global guards do not protect. */
  unguarded: choiceProperty('warn' as const, ['warn', 'refuse', 'allow'] as const),
  /**
   * Whether tools that inject `REQUEST` fail when they are called without a request. `false`
   * only logs a warning.
   */
  requireRequest: booleanProperty(false),
  /** Whether chat requests without `.request()` use the HTTP request that is being handled. */
  findRequest: booleanProperty(false),
  observations: {
    /** Whether spans contain arguments, results and error messages of tools. */
    includeContent: booleanProperty(false),
  },
  /** How many characters of a result or an error the model reads. */
  maxResultLength: integerProperty(DEFAULT_MAX_RESULT_LENGTH, positive),
  results: {
    paging: {
      /**
       * Whether Nestor keeps the part of a result that was cut off, so that the model can read
       * on.
       */
      enabled: booleanProperty(false),
    },
  },
  limits: {
    /** How many calls of one tool a turn may have. */
    maxCallsPerToolDefault: limitProperty(DEFAULT_MAX_CALLS_PER_TOOL),
    /** The same for one tool. */
    maxCallsPerTool: forEachName(TOOL_LIMIT),
    /** Tools to which the limit of one tool does not apply. The total still counts their calls. */
    excludedTools: listProperty(),
    /** How many tool calls a turn may have in all. */
    maxTotalToolCalls: limitProperty(DEFAULT_MAX_TOTAL_TOOL_CALLS),
    /**
     * What a call over the limit does: `THROW` ends the turn with an answer that says so,
     * `RETURN_ERROR_RESPONSE` tells the model.
     */
    onLimitExceeded: choiceProperty('THROW' as const, ['THROW', 'RETURN_ERROR_RESPONSE'] as const),
  },
  overrides: forEachName(TOOL_OVERRIDES),
  untrusted: {
    /** What happens to irreversible calls after the model has read untrusted content. */
    // eslint-disable-next-line unicorn/no-thenable -- the name of a property, not a function
    then: choiceProperty('approve', UNTRUSTED_ACTIONS),
  },
  resolution: {
    fallback: {
      /** Whether the model may call a tool by its name that the request does not have. */
      enabled: booleanProperty(false),
    },
  },
} as const;
