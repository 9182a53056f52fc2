import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ToolExecutionEligibilityChecker } from '../advisor/tool-execution-eligibility-checker.js';
import { ChatClient, ChatClientBuilder } from '../client/chat-client.js';
import { ChatClientCustomizer } from '../client/chat-client-customizer.js';
import { ToolArgumentRepair } from '../execution/tool-argument-repair.js';
import { ChatMemory } from '../memory/chat-memory.js';
import { ChatMemoryRepository } from '../memory/chat-memory.repository.js';
import { ToolFilter } from '../tool/tool-visibility.js';
import { AI_EXPORTS } from './ai.providers.js';
import { BootstrapProblems } from './bootstrap-problems.js';
import { type InstanceWrapper, isMadeLater } from './hosts/provider-host.js';

/** What an application may replace. A client of a module's own is a good thing to have. */
const REPLACEABLE = new Set<unknown>([
  ...AI_EXPORTS.filter((token) => typeof token !== 'symbol' && token !== ChatClient && token !== ChatClientBuilder),
  ChatClientCustomizer,
  ToolFilter,
  ToolArgumentRepair,
  ToolExecutionEligibilityChecker,
]);

/** What AiModule itself does not need: an application may have it as it likes. */
const MEMORY = new Set<unknown>([ChatMemory, ChatMemoryRepository]);

/** Finds providers that were meant to replace one of AiModule's, but stand in a module of their own. */
@Injectable()
export class MisplacedProviders {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly problems: BootstrapProblems,
  ) {}

  /** What cannot work: what decides who sees a tool and is not asked, and what would be made anew for each request. */
  check(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const { token, host } = wrapper;
      if (token === ToolFilter && !isOfAiModule(wrapper)) {
        this.problems.add(
          `The ToolFilter in ${host?.name} would not be asked. Give it to AiModule.forRoot({ providers: [{ provide: ToolFilter, … }] }).`,
        );
      }
      if (!isOfAiModule(wrapper) || !REPLACEABLE.has(token) || MEMORY.has(token)) continue;
      const name = (token as { name: string }).name;
      if (isMadeLater(wrapper)) {
        this.problems.add(
          `The ${name} given to AiModule is request-scoped or transient, or injects something that is, but one serves all requests. Make it and ` +
            'what it injects singletons, and take what belongs to a request from what it is given.',
        );
      } else if (token === ToolFilter && wrapper.instance && typeof wrapper.instance.isVisible !== 'function') {
        this.problems.add('The ToolFilter given to AiModule has no isVisible(). Extend ToolFilter.');
      }
    }
  }

  /** A provider of another module serves that module alone, which is rarely what was meant. */
  warn(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const { token, host, isAlias } = wrapper;
      if (isAlias || token === ToolFilter || !REPLACEABLE.has(token) || isOfAiModule(wrapper)) continue;
      this.logger.warn(
        `${(token as { name: string }).name} is provided in ${host?.name}, where it replaces nothing of AiModule. Give the provider to ` +
          'AiModule.forRoot({ providers: [ … ] }).',
      );
    }
  }
}

/** Of AiModule, or of a class that extends it: known by what such a module alone provides. */
function isOfAiModule({ host }: InstanceWrapper): boolean {
  return host?.providers.has(BootstrapProblems) === true;
}
