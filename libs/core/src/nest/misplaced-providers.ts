import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ToolExecutionEligibilityChecker } from '../advisor/tool-execution-eligibility-checker.js';
import { ChatClient, ChatClientBuilder } from '../client/chat-client.js';
import { ChatClientCustomizer } from '../client/chat-client-customizer.js';
import { ToolArgumentRepair } from '../execution/tool-argument-repair.js';
import { ToolFilter } from '../tool/tool-visibility.js';
import { AI_EXPORTS } from './ai.providers.js';

/** Finds providers that were meant to replace one of AiModule's, but stand in a module of their own. */
@Injectable()
export class MisplacedProviders {
  private readonly logger = new Logger('AiModule');

  constructor(private readonly discovery: DiscoveryService) {}

  /** A provider of another module serves that module alone, which is rarely what was meant. */
  warn(): void {
    // A client of a module's own is a good thing to have.
    const replaceable = new Set<unknown>([
      ...AI_EXPORTS.filter((token) => token !== ChatClient && token !== ChatClientBuilder),
      ChatClientCustomizer,
      ToolFilter,
      ToolArgumentRepair,
      ToolExecutionEligibilityChecker,
    ]);
    for (const { token, host, isAlias } of this.discovery.getProviders()) {
      if (isAlias || typeof token === 'symbol' || !replaceable.has(token) || host?.name === 'AiModule') continue;
      this.logger.warn(
        `${(token as { name: string }).name} is provided in ${host?.name}, where it replaces nothing of AiModule. Give the provider to ` +
          'AiModule.forRoot({ providers: [ … ] }).',
      );
    }
  }
}
