import { Inject, Injectable } from '@nestjs/common';
import { ApprovalPolicy, type ApprovalRules } from '../../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../../advisor/approvals/approval-tokens.js';
import { TurnQueue } from '../../client/turn-queue.js';
import { ToolCallingManager } from '../../execution/tool-calling-manager.js';
import { ConversationLocks } from '../../memory/conversation-locks.js';
import { SuspendedTurnRepository } from '../../memory/suspended-turn.repository.js';
import { TurnJournal } from '../../memory/turn-journal.js';
import { ContentRedactor } from '../../model/content-redactor.js';
import type { RequestServices } from '../../model/request-services.js';
import type { TurnControl } from '../../model/turn-control.js';
import { TurnPrincipal } from '../../model/turn-principal.js';
import { AiShutdown } from '../ai-shutdown.module.js';
import { AiEventSource } from '../events/ai-event-source.js';
import { TurnWatchers } from '../events/turn-watchers.js';
import { AiProperties } from '../properties/ai-properties.js';
import { ApplicationModels } from './application-models.js';

/** The services that the application provides to its clients. */
@Injectable()
export class ApplicationServices {
  readonly #approvalRules: ApprovalRules;

  constructor(
    private readonly toolCallingManager: ToolCallingManager,
    private readonly shutdown: AiShutdown,
    private readonly events: AiEventSource,
    private readonly watchers: TurnWatchers,
    private readonly principal: TurnPrincipal,
    @Inject(ContentRedactor) private readonly redactor: ContentRedactor | undefined,
    approvalPolicy: ApprovalPolicy,
    @Inject(ApprovalTokens) approvalTokens: ApprovalTokens | undefined,
    private readonly properties: AiProperties,
    private readonly models: ApplicationModels,
    private readonly suspendedTurns: SuspendedTurnRepository,
    @Inject(TurnJournal) private readonly journal: TurnJournal | undefined,
    @Inject(TurnQueue) private readonly queue: TurnQueue | undefined,
    @Inject(ConversationLocks) private readonly locks: ConversationLocks | undefined,
  ) {
    this.#approvalRules = { policy: approvalPolicy, tokens: approvalTokens };
  }

  /** The services for the requests of one client. */
  of(clientName: string): RequestServices<TurnControl> {
    const { toolCallingManager, principal, redactor, events, watchers, models } = this;
    const { chat, ui } = this.properties;
    const transaction = this.journal?.transaction?.bind(this.journal);
    const emit = events.watcherOf(clientName, redactor);
    const follow = (turn: TurnControl): void => {
      watchers.follow(turn, clientName);
      if (events.isWatched) emit(turn);
    };
    return {
      clientName,
      toolCallingManager,
      models,
      runningTurns: this.shutdown.turns,
      conversationLockTimeout: chat.memory.lockTimeout,
      conversationLocks: this.locks,
      recordsTurns: this.suspendedTurns.update !== undefined,
      turnQueue: this.journal && this.queue,
      transactions: transaction && { run: transaction },
      principal,
      redactor,
      approvalRules: this.#approvalRules,
      ui,
      turnListener: () => (watchers.isEmpty ? (events.isWatched ? emit : undefined) : follow),
    };
  }
}
