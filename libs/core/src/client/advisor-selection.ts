import { type Advisor, isMemoryAdvisor, isToolAdvisor } from '../advisor/advisor.js';
import { checkSingleToolAdvisor, DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import { ChatClientContextKeys } from '../advisor/advisor-params.js';
import { ChatModelAdvisor } from '../advisor/chat-model-advisor.js';
import { ChatMemory } from '../memory/chat-memory.js';
import type { ChatClientRequestSettings } from './chat-client-settings.js';

interface UsualChain {
  readonly chain: DefaultAdvisorChain;
  readonly found: readonly Advisor[];
  readonly given: readonly Advisor[];
  readonly memory: Advisor | undefined;
}

/** Builds the advisor chains of one client and caches the chain of the last ordinary request. */
export class AdvisorSelection {
  #usual: UsualChain | undefined;
  #toolCallingAdvisor: Advisor | undefined;

  /** @throws Error if one level of advisors has more than one `ToolAdvisor` */
  chainOf(settings: ChatClientRequestSettings): DefaultAdvisorChain {
    const { runtime, advisors: given, requestAdvisors, advisorParams } = settings;
    const found = runtime.advisors();
    const memory = advisorParams[ChatMemory.CONVERSATION_ID] === undefined ? undefined : runtime.memoryAdvisor();
    const autoRegister = advisorParams[ChatClientContextKeys.TOOL_CALLING_ADVISOR_AUTO_REGISTER] !== false;
    const isUsual = requestAdvisors.length === 0 && autoRegister;
    const usual = this.#usual;
    if (isUsual && usual?.found === found && usual.given === given && usual.memory === memory) return usual.chain;
    const chain = this.#build([requestAdvisors, given, found], autoRegister, memory, settings);
    // While an application starts, the advisors may be incomplete, so they are not cached.
    if (isUsual && isComplete(settings)) this.#usual = { chain, found, given, memory };
    return chain;
  }

  /**
   * @param levels the advisors of the request, of its client and of the runtime, in this order.
   *   The first level with a `ToolAdvisor` provides the tool loop.
   * @param memory stores the conversation if no other advisor does
   */
  #build(
    levels: readonly (readonly Advisor[])[],
    autoRegister: boolean,
    memory: Advisor | undefined,
    settings: ChatClientRequestSettings,
  ): DefaultAdvisorChain {
    for (const level of levels) checkSingleToolAdvisor(level.filter(Boolean));
    // If the loop is turned off, no default loop is added. A tool advisor of the request or the
    // client still runs.
    const asked = autoRegister ? levels : levels.slice(0, -1);
    const decisive = asked.findIndex((level) => level.some(isToolAdvisor));
    const kept = levels.map((level, index) => level.filter((advisor) => index === decisive || !isToolAdvisor(advisor)));
    if (decisive < 0 && autoRegister) {
      const loop = this.#toolCallingAdvisor ?? settings.runtime.createToolLoop();
      if (isComplete(settings)) this.#toolCallingAdvisor = loop;
      kept.push([loop]);
    }
    if (memory && !levels.some((level) => level.some(isMemoryAdvisor))) kept.push([memory]);
    // Among equal orders, advisors of the container come first, then those of the client, then
    // those of the request.
    return DefaultAdvisorChain.of([...new Set(kept.reverse().flat())], new ChatModelAdvisor(settings.chatModel), true);
  }
}

function isComplete({ runtime }: ChatClientRequestSettings): boolean {
  return runtime.catalog.isComplete;
}
