import type { AdvisorSpec } from './advisor-spec.js';

/** Keys of the advisor context that the `ChatClient` itself reads. */
export const ChatClientContextKeys = Object.freeze({
  TOOL_CALLING_ADVISOR_AUTO_REGISTER: 'ai.chat.client.tool-calling.advisor.auto-register',
});

/** Ready-made settings for `advisors(…)`. */
export const AdvisorParams = Object.freeze({
  /**
   * Whether the `ChatClient` adds a tool-calling advisor when it has none. Off, tools are declared to
   * the model, and the calls it asks for are in the response for the caller to run.
   */
  toolCallingAdvisorAutoRegister(enabled: boolean): (spec: AdvisorSpec) => void {
    return (spec) => spec.param(ChatClientContextKeys.TOOL_CALLING_ADVISOR_AUTO_REGISTER, enabled);
  },
});
