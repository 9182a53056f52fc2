import { type Advisor, isToolAdvisor } from '../advisor/advisor.js';
import { checkSingleToolAdvisor, DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import { ChatClientContextKeys } from '../advisor/advisor-params.js';
import { ChatModelAdvisor } from '../advisor/chat-model-advisor.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';

/** Builds the advisor chains of one client, and keeps the one that nearly every request uses. */
export class AdvisorSelection {
  #usual: { chain: DefaultAdvisorChain; found: readonly Advisor[]; given: readonly Advisor[] } | undefined;
  #toolCallingAdvisor: Advisor | undefined;

  /** @throws Error when one level of advisors has more than one `ToolAdvisor` */
  chainOf(settings: ChatClientRequestSettings): DefaultAdvisorChain {
    const { runtime, advisors: given, requestAdvisors, advisorParams } = settings;
    const found = runtime.advisors();
    const autoRegister = advisorParams[ChatClientContextKeys.TOOL_CALLING_ADVISOR_AUTO_REGISTER] !== false;
    const isUsual = requestAdvisors.length === 0 && autoRegister;
    if (isUsual && this.#usual?.found === found && this.#usual.given === given) return this.#usual.chain;
    const chain = this.#build([requestAdvisors, given, found], autoRegister, settings);
    // What is known while an application is still being made is not to be remembered.
    if (isUsual && isComplete(settings)) this.#usual = { chain, found, given };
    return chain;
  }

  /**
   * @param levels the nearer to the request, the earlier: given to it, given to its client, found where it runs. The first with a
   *   `ToolAdvisor` has the say
   */
  #build(
    levels: readonly (readonly Advisor[])[],
    autoRegister: boolean,
    settings: ChatClientRequestSettings,
  ): DefaultAdvisorChain {
    for (const level of levels) checkSingleToolAdvisor(level.filter(Boolean));
    // Turned off, no loop comes by itself. One that was given explicitly, to the request or its client, runs.
    const asked = autoRegister ? levels : levels.slice(0, -1);
    const decisive = asked.findIndex((level) => level.some(isToolAdvisor));
    const kept = levels.map((level, index) => level.filter((advisor) => index === decisive || !isToolAdvisor(advisor)));
    if (decisive < 0 && autoRegister) {
      const loop = this.#toolCallingAdvisor ?? settings.runtime.createToolLoop();
      if (isComplete(settings)) this.#toolCallingAdvisor = loop;
      kept.push([loop]);
    }
    // Registered first comes first among equal orders: what the container has, then the client's, then the request's.
    return DefaultAdvisorChain.of([...new Set(kept.reverse().flat())], new ChatModelAdvisor(settings.chatModel), true);
  }
}

function isComplete({ runtime }: ChatClientRequestSettings): boolean {
  return runtime.catalog.isComplete;
}
