import type { AdvisorSpec } from './advisor-collector.js';

/** The context keys that the `ChatClient` itself reads. */
export const ChatClientContextKeys = Object.freeze({
  TOOL_CALLING_ADVISOR_AUTO_REGISTER: 'ai.chat.client.tool-calling.advisor.auto-register',
  /** The instructions for the format of the answer. They are appended to the user's message. */
  OUTPUT_FORMAT: 'ai.chat.client.output.format',
  /** The JSON Schema of that format. */
  STRUCTURED_OUTPUT_SCHEMA: 'ai.chat.client.structured.output.schema',
  /** The number of earlier answers to the request that did not fit. */
  VALIDATION_ATTEMPT: 'ai.chat.client.structured.output.attempt',
  /**
   * Whether to send the schema to the provider instead of the instructions, if the model supports
   * it.
   */
  STRUCTURED_OUTPUT_NATIVE: 'ai.chat.client.structured.output.native',
});

/** Ready-made settings for `advisors(…)`. */
export const AdvisorParams = Object.freeze({
  /**
   * Sends the schema of `entity()` to the provider if the model supports it. Otherwise the model
   * gets it as instructions.
   */
  ENABLE_NATIVE_STRUCTURED_OUTPUT: (spec: AdvisorSpec): void => {
    spec.param(ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE, true);
  },

  /**
   * Whether a tool loop is added automatically: the one of the `ChatClient`, one with
   * `@RegisterAdvisor()`, or the tool search. When it is off, tools are still declared to the
   * model, and the caller runs the calls in the response. A `ToolAdvisor` given to the request or
   * the client always runs.
   */
  toolCallingAdvisorAutoRegister(enabled: boolean): (spec: AdvisorSpec) => void {
    return (spec) => spec.param(ChatClientContextKeys.TOOL_CALLING_ADVISOR_AUTO_REGISTER, enabled);
  },
});
