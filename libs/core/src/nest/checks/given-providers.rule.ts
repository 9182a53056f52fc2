import type { Type } from '@nestjs/common';
import { MessageChatMemoryAdvisor } from '../../advisor/message-chat-memory-advisor.js';
import { ChatClient, ChatClientBuilder } from '../../client/chat-client.js';
import { ChatMemory } from '../../memory/chat-memory.js';
import { ChatMemoryRepository } from '../../memory/chat-memory.repository.js';
import { ConversationLog } from '../../memory/conversation-log.js';
import { ApprovalPolicy } from '../../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../../advisor/approvals/approval-tokens.js';
import { ContentRedactor } from '../../model/content-redactor.js';
import { ModelRouter } from '../../model/model-router.js';
import { TurnPrincipal } from '../../model/turn-principal.js';
import { ToolFilter } from '../../tool/tool-visibility.js';
import { AI_EXPORTS, OPTIONAL_TOKENS } from '../ai.providers.js';
import { isOfPackage } from '../package-providers.js';
import { type InstanceWrapper, isMadeLater } from '../hosts/provider-host.js';
import { type AiApplication, isOfAiModule } from './ai-application.js';

/** A module may have its own client or router. What is wrong with tokens, {@link PROTECTING} says. */
const OTHERS: readonly unknown[] = [ChatClient, ChatClientBuilder, ModelRouter, ApprovalTokens];

/** The providers of AiModule that an application can replace. */
const REPLACEABLE = new Set<unknown>(
  [...AI_EXPORTS, ...OPTIONAL_TOKENS].filter((token) => typeof token !== 'symbol' && !OTHERS.includes(token)),
);

/** AiModule uses these only with `ai.chat.memory.enabled`. Otherwise they may have any scope. */
const MEMORY = new Set<unknown>([ChatMemory, ChatMemoryRepository, ConversationLog, MessageChatMemoryAdvisor]);

/**
 * Providers that protect an application, each with the method that Nestor calls. If Nestor did not
 * use them, the application would be unprotected.
 */
const PROTECTING = new Map<unknown, string>([
  [ToolFilter, 'isVisible'],
  [ContentRedactor, 'redact'],
  [TurnPrincipal, 'subjectOf'],
  [ApprovalPolicy, 'authorize'],
  [ApprovalTokens, 'verify'],
]);

/**
 * Checks that the providers given to AiModule are singletons and that protecting providers are
 * given to AiModule.
 */
export function checkGivenProviders({ hosts, properties }: AiApplication): readonly string[] {
  return hosts.providers.flatMap((wrapper) => problemOf(wrapper, properties.chat.memory.enabled));
}

function problemOf(wrapper: InstanceWrapper, hasMemory: boolean): string | readonly string[] {
  const { token, host } = wrapper;
  const method = PROTECTING.get(token);
  if (!isOfAiModule(wrapper)) {
    if (!method) return [];
    const name = nameOf(token);
    return `The ${name} in ${host?.name} has no effect there. Move it to AiModule.forRoot({ providers: [{ provide: ${name}, … }] }).`;
  }
  if ((REPLACEABLE.has(token) || isOfPackage(token)) && (hasMemory || !MEMORY.has(token)) && isMadeLater(wrapper)) {
    return (
      `The ${nameOf(token)} given to AiModule is request-scoped or transient, or injects something that is. Make it and its dependencies ` +
      'singletons, since one instance serves all requests. Its methods receive the data of the request as arguments.'
    );
  }
  if (!method || !wrapper.instance || typeof wrapper.instance[method] === 'function') return [];
  return `The ${nameOf(token)} given to AiModule has no ${method}(). Extend ${nameOf(token)}.`;
}

/** Checks that what a package needs in AiModule is there, and that other modules can inject it. */
export function checkPackageProviders({ hosts }: AiApplication): readonly string[] {
  const given = hosts.providers.filter((wrapper) => isOfAiModule(wrapper) && isOfPackage(wrapper.token));
  const alone = given.filter(
    ({ host }) => !given.some((other) => other.host === host && isOfPackage(other.token, 'service')),
  );
  const hidden = given.filter(
    ({ instance, host, token }) => instance !== undefined && !host?.exports.has(token as Type),
  );
  return [
    ...alone.map(
      ({ token }) =>
        `The ${nameOf(token)} given to AiModule does nothing alone. Add the providers of its package: ...AiTurnsModule.providers().`,
    ),
    ...(hidden.length === 0
      ? []
      : [
          `Other modules need what a subclass of AiModule adds: ${hidden.map(({ token }) => nameOf(token)).join(', ')}. Pass it in ` +
            'the option providers of forRoot(), or export it.',
        ]),
  ];
}

/**
 * Warns about replacements of AiModule's providers in other modules. AiModule does not see them
 * there.
 */
export function checkMisplacedProviders({ hosts }: AiApplication): readonly string[] {
  return (
    hosts.providers
      .filter(
        ({ token, isAlias }) =>
          !isAlias && !PROTECTING.has(token) && (REPLACEABLE.has(token) || isOfPackage(token, 'store')),
      )
      // Modules provide the advisors of their clients.
      .filter(({ token }) => token !== MessageChatMemoryAdvisor)
      .filter((wrapper) => !isOfAiModule(wrapper))
      .map(
        ({ token, host }) =>
          `${nameOf(token)} is provided in ${host?.name}, where AiModule does not use it. Move the provider to ` +
          'AiModule.forRoot({ providers: [ … ] }).',
      )
  );
}

function nameOf(token: unknown): string {
  return (token as { name: string }).name;
}

/** Plain JavaScript can leave methods out. */
export function checkTurnRepository({ suspendedTurns }: AiApplication): readonly string[] {
  const methods = ['save', 'findById', 'findByToolCallId', 'findWaiting', 'claim'] as const;
  const missing = suspendedTurns ? methods.filter((name) => typeof suspendedTurns[name] !== 'function') : [];
  if (missing.length === 0) return [];
  return [
    `${suspendedTurns!.constructor.name} has no ${missing.map((name) => `${name}()`).join(', ')}. Extend SuspendedTurnRepository, and implement ` +
      'its methods: without them, a tool can run twice, or a turn is lost if the process dies.',
  ];
}
