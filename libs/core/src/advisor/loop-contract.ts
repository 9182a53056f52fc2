import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import type { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { Awaitable } from '../model/awaitable.js';
import type { Message } from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import type { Advisor } from './advisor.js';
import type { ApprovalRules } from './approvals/approval-policy.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';
import type { UsageAccumulator } from './usage-accumulator.js';

/** The hooks of an advisor in the tool loop. Those that its class does not override are undefined. */
export interface LoopHooks {
  readonly initialize: ((request: ChatClientRequest) => Awaitable<ChatClientRequest>) | undefined;
  readonly before: ((request: ChatClientRequest) => Awaitable<ChatClientRequest>) | undefined;
  readonly after: ((response: ChatClientResponse) => Awaitable<ChatClientResponse>) | undefined;
  readonly nextInstructions:
    | ((
        request: ChatClientRequest,
        response: ChatClientResponse,
        result: ToolExecutionResult,
      ) => Awaitable<readonly Message[]>)
    | undefined;
  /** The advisors that join a resumed turn. */
  joining(): readonly Advisor[];
  /**
   * Whether the messages of the next round are the history of the turn. Otherwise they are only the
   * messages to send next.
   */
  readonly isHistoryEnabled: boolean;
}

/** One request to the model within a turn. */
export interface Round {
  /** The index of the round, from 0. */
  readonly index: number;
  readonly request: ChatClientRequest;
  /**
   * Whether this is the last round, which offers no tools because the limit of rounds is reached.
   */
  readonly isLast: boolean;
  /** The usage of the rounds before this one. */
  readonly usage: UsageAccumulator;
}

/** Asks the model, in one piece or in chunks. */
export type AskModel = (round: Round) => Promise<ChatClientResponse>;

/** Where and how turns are stored, and who may resume them. */
export interface TurnStore {
  readonly repository: SuspendedTurnRepository;
  /** How long a claim is valid if it is not extended, in milliseconds. */
  readonly lease: number;
  /** The rules given to the loop. Missing ones come from the application. */
  readonly rules: { readonly [Key in keyof ApprovalRules]?: ApprovalRules[Key] | undefined };
}

/** The settings of a tool loop. */
export interface ToolLoopSettings {
  managerOf(turn: TurnControl): ToolCallingManager;
  readonly eligibilityChecker: ToolExecutionEligibilityChecker;
  readonly maxRounds: number;
  readonly suspendedTurns: TurnStore;
}
