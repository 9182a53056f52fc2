import { Inject, Injectable } from '@nestjs/common';
import { APPROVAL_RULES, ApprovalPolicy, type ApprovalRules } from '../../advisor/approvals/approval-policy.js';
import { ApprovalTokens } from '../../advisor/approvals/approval-tokens.js';
import { TOOL_CALLING_MANAGER, ToolCallingManager } from '../../execution/tool-calling-manager.js';
import { CONVERSATION_LOCKS, ConversationLocks } from '../../memory/conversation-locks.js';
import { SuspendedTurnRepository } from '../../memory/suspended-turn.repository.js';
import { ContentRedactor, REDACTOR } from '../../model/content-redactor.js';
import { RequestServices } from '../../model/request-services.js';
import { RECORDS_TURNS, TURN_OBSERVERS, type TurnControl } from '../../model/turn-control.js';
import { PRINCIPAL, TurnPrincipal } from '../../model/turn-principal.js';
import { AiShutdown } from '../ai-shutdown.module.js';
import { AiEventSource } from '../events/ai-event-source.js';
import { Extensions } from '../extensions/extensions.js';
import { AiProperties } from '../properties/ai-properties.js';
import { ApplicationModels } from './application-models.js';
import { OWNED } from '../../advisor/conversation.js';
import { LOCK_TIMEOUT } from '../../advisor/conversation-lock.js';
import type { ClientRuntime } from '../../client/client-runtime.js';
import type { ToolCallerOptions } from '../../client/tool-caller.js';
import { STORED_TURNS, type StoredTurns } from '../../client/stored-turns.js';
import { JOB_QUEUE, type JobQueue } from '../../execution/job-queue.js';
import { TRANSACTIONS } from '../../model/tool-context.js';
import { MODELS } from '../../model/model-services.js';
import { UI_SETTINGS } from '../../model/ui-settings.js';
import { RUNNING_TURNS } from '../../model/running-turns.js';
import { ToolFilter } from '../../tool/tool-visibility.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { Observability } from '../observability.js';
import type { ClientSettings } from '../properties/client-properties.js';

/** What the application provides to its clients, and to those who call its tools from outside. */
@Injectable()
export class ApplicationServices {
  readonly #approvalRules: ApprovalRules;

  constructor(
    private readonly toolCallingManager: ToolCallingManager,
    private readonly shutdown: AiShutdown,
    private readonly extensions: Extensions,
    private readonly events: AiEventSource,
    private readonly principal: TurnPrincipal,
    @Inject(ContentRedactor) private readonly redactor: ContentRedactor | undefined,
    approvalPolicy: ApprovalPolicy,
    @Inject(ApprovalTokens) approvalTokens: ApprovalTokens | undefined,
    private readonly properties: AiProperties,
    private readonly models: ApplicationModels,
    private readonly suspendedTurns: SuspendedTurnRepository,
    @Inject(ConversationLocks) private readonly locks: ConversationLocks | undefined,
    @Inject(STORED_TURNS) private readonly storedTurns: StoredTurns | undefined,
    @Inject(JOB_QUEUE) private readonly jobQueue: JobQueue | undefined,
    @Inject(ToolFilter) private readonly toolFilter: ToolFilter | undefined,
    private readonly observability: Observability,
    private readonly problems: BootstrapProblems,
  ) {
    this.#approvalRules = { policy: approvalPolicy, tokens: approvalTokens };
  }

  /** What the requests of one client work with. */
  of(clientName: string, settings: ClientSettings) {
    return {
      services: this.#servicesOf(clientName),
      toolFilter: this.toolFilter,
      observability: this.observability.of(settings),
      ensureReady: () => {
        this.shutdown.turns.throwIfClosed();
        this.problems.ensureChecked();
      },
    } satisfies Partial<ClientRuntime & ToolCallerOptions>;
  }

  #servicesOf(clientName: string): RequestServices {
    const { redactor, events, extensions } = this;
    const { chat, ui } = this.properties;
    const { suspendedTurns } = this;
    const transaction = suspendedTurns.transaction?.bind(suspendedTurns);
    const emit = events.watcherOf(clientName, redactor);
    const observe = (turn: TurnControl): void => {
      if (events.subject.observed) emit(turn);
      extensions.observe(turn, clientName);
    };
    const services = new RequestServices(clientName)
      .set(TOOL_CALLING_MANAGER, this.toolCallingManager)
      .set(MODELS, this.models)
      .set(RUNNING_TURNS, this.shutdown.turns)
      .set(LOCK_TIMEOUT, chat.memory.lockTimeout)
      .set(OWNED, chat.memory.owned)
      .set(CONVERSATION_LOCKS, this.locks)
      .set(RECORDS_TURNS, suspendedTurns.recordsAll)
      .set(STORED_TURNS, this.storedTurns)
      .set(JOB_QUEUE, this.jobQueue)
      .set(TRANSACTIONS, transaction && { run: transaction })
      .set(PRINCIPAL, this.principal)
      .set(REDACTOR, redactor)
      .set(APPROVAL_RULES, this.#approvalRules)
      .set(UI_SETTINGS, ui)
      .set(TURN_OBSERVERS, observe);
    return extensions.addServices(services);
  }
}
