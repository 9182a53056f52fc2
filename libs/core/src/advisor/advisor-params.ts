import type { AdvisorSpec } from './advisor-collector.js';

/** Keys of the advisor context that the `ChatClient` itself reads. */
export const ChatClientContextKeys = Object.freeze({
  TOOL_CALLING_ADVISOR_AUTO_REGISTER: 'ai.chat.client.tool-calling.advisor.auto-register',
  /** The instructions for the form of the answer, which are appended to the user's message. */
  OUTPUT_FORMAT: 'ai.chat.client.output.format',
  /** The JSON Schema of that form. */
  STRUCTURED_OUTPUT_SCHEMA: 'ai.chat.client.structured.output.schema',
  /** How many earlier answers to the request did not fit. */
  VALIDATION_ATTEMPT: 'ai.chat.client.structured.output.attempt',
  /** Whether the provider gets the schema instead of the instructions, where the model supports it. */
  STRUCTURED_OUTPUT_NATIVE: 'ai.chat.client.structured.output.native',
});

/** Ready-made settings for `advisors(…)`. */
export const AdvisorParams = Object.freeze({
  /** Sends the schema of `entity()` to the provider, where the model supports it. Otherwise the model gets it as instructions. */
  ENABLE_NATIVE_STRUCTURED_OUTPUT: (spec: AdvisorSpec): void => {
    spec.param(ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE, true);
  },

  /**
   * Whether a tool loop comes by itself: the one of the `ChatClient`, one with `@RegisterAdvisor()`, or the tool search. Off, tools are
   * declared to the model, and the calls it asks for are in the response for the caller to run. A `ToolAdvisor` that is given to the
   * request or to the client runs nevertheless.
   */
  toolCallingAdvisorAutoRegister(enabled: boolean): (spec: AdvisorSpec) => void {
    return (spec) => spec.param(ChatClientContextKeys.TOOL_CALLING_ADVISOR_AUTO_REGISTER, enabled);
  },
});
