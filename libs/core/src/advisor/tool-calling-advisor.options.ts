import type { ToolCallingManager } from '../execution/tool-calling-manager.js';
import type { SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { ApprovalPolicy } from './approvals/approval-policy.js';
import type { ApprovalTokens } from './approvals/approval-tokens.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import type { ToolExecutionEligibilityChecker } from './tool-execution-eligibility-checker.js';

/** The options of `ToolCallingAdvisor`. */
export interface ToolCallingAdvisorOptions {
  /** Runs the tool calls. Default: a `DefaultToolCallingManager` without further settings. */
  toolCallingManager?: ToolCallingManager;
  /**
   * The position in the chain. Advisors with a higher order run in each round. Default:
   * {@link DEFAULT_ORDER}.
   */
  order?: number;
  /** @deprecated Use `order`, which wins over it. */
  advisorOrder?: number;
  /**
   * Whether to send the whole history in each round. When off, only the system message and the
   * last tool responses are sent, and a memory advisor after this one must add the rest. Default:
   * on, unless a memory advisor comes later in the chain.
   */
  conversationHistoryEnabled?: boolean;
  /** Stores turns that wait for approval. Default: in memory. */
  suspendedTurnRepository?: SuspendedTurnRepository;
  /**
   * Decides who may access a suspended turn. Default: the policy of the application, otherwise the
   * subject that started the turn.
   */
  approvalPolicy?: ApprovalPolicy;
  /**
   * Signs approvals. If set, decisions need a valid token. Default: the `ApprovalTokens` of the
   * application, if it has any.
   */
  approvalTokens?: ApprovalTokens;
  /**
   * How long a turn stays claimed after its process has died, in milliseconds. A living process
   * extends its claim. Default: 30,000.
   */
  turnLease?: number;
  /**
   * Whether to pass on the chunks with tool calls in a stream. Default: false, which keeps them
   * inside the loop; `events()` reports tool calls either way.
   */
  streamToolCallResponses?: boolean;
  /** @deprecated Use `conversationHistoryEnabled: false`. */
  disableInternalConversationHistory?: true;
  /** Decides whether to run the tool calls of a response. Default: always. */
  toolExecutionEligibilityChecker?: ToolExecutionEligibilityChecker | ((response: ChatResponse | undefined) => boolean);
  /**
   * The most model calls in a turn that may ask for tools. After them, the model is asked once
   * more without tools, and the answer has the finish reason `maxRoundsExceeded`. Default: 25.
   */
  maxRounds?: number;
}

/** The injection token for the options of a `ToolCallingAdvisor` and its subclasses. */
export const TOOL_CALLING_ADVISOR_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallingAdvisorOptions');

/** The default order of the tool loop: after memory, before all other advisors. */
export const DEFAULT_ORDER = ADVISOR_ORDERS.ToolCallingAdvisor;

export const DEFAULT_MAX_ROUNDS = 25;

/** The default for `turnLease`, in milliseconds. */
export const DEFAULT_TURN_LEASE = 30_000;
