import { HttpException } from '@nestjs/common';
import type { SuspendedTurn } from '../../memory/suspended-turn.repository.js';
import type { Awaitable } from '../../model/awaitable.js';
import { serviceKey } from '../../model/request-services.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';
import type { ToolApproval } from '../../model/tool-approval.js';
import { warnOfUnknownUser } from '../../model/turn-principal.js';
import type { ApprovalTokens } from './approval-tokens.js';

/**
 * What a caller wants to do with a turn. `approve`: approve or reject calls. `answer`: only give or
 * decline the input that tools ask for. `resume`: continue a turn that needs no decision. `read`:
 * see the pending calls, or the events of a turn that runs. `stop`: cancel the turn.
 */
export type TurnAction = 'approve' | 'answer' | 'resume' | 'read' | 'stop';

/** A caller's request to access a turn. */
export interface TurnAccess {
  readonly action: TurnAction;
  /**
   * The turn. Its `requester` is the subject that started it. With `AiTurnsModule` and the inspector,
   * it may still run or have ended, and only its id, requester, client and conversation are known.
   */
  readonly turn: SuspendedTurn;
  /** The caller's subject from `TurnPrincipal`. Undefined if unknown. */
  readonly caller: string | undefined;
  /** The caller's request: the value given with `.request(…)`. */
  readonly request: unknown;
  /** The decisions; empty unless the action is `approve` or `answer`. */
  readonly approvals: readonly ToolApproval[];
  /** Whether each decision has a valid token from the application's `ApprovalTokens`. */
  readonly isSigned: boolean;
}

/** The application's settings for approvals. */
export interface ApprovalRules {
  readonly policy: ApprovalPolicy;
  /** Undefined if approvals are not signed. */
  readonly tokens: ApprovalTokens | undefined;
}

/** The {@link ApprovalRules} of the application. Tool loops may override them. */
export const APPROVAL_RULES = serviceKey<ApprovalRules>('ApprovalRules');

/**
 * Decides who may access a turn that waits for approval, or that `AiTurnsModule` shows. By default,
 * the subject that started the turn may do everything, and anybody who knows the id of a turn
 * without a known subject may do everything with it. `AiTurnsModule` never shows such a turn.
 * Provide a subclass to change the rule.
 *
 * @example
 * class FourEyesPolicy extends ApprovalPolicy {
 *   override authorize(access: TurnAccess) {
 *     const { action, turn, caller, approvals } = access;
 *     if (action !== 'approve') return super.authorize(access);
 *     // A caller who changes the arguments acts as a requester, so refuse that.
 *     if (approvals.some((approval) => approval.arguments !== undefined)) return false;
 *     // An unknown requester may be the caller.
 *     return turn.requester !== undefined && caller !== undefined && caller !== turn.requester;
 *   }
 * }
 */
export class ApprovalPolicy {
  /**
   * @returns true to allow the access; anything else refuses it
   * @throws any error that the caller should get instead, such as a `ForbiddenException`
   */
  authorize({ turn, caller, request, approvals, isSigned }: TurnAccess): Awaitable<boolean> {
    if (turn.requester !== undefined) return turn.requester === caller;
    if (approvals.length > 0 && request !== undefined && !isSigned)
      warnOfUnknownUser(
        this,
        request,
        'A request has decided about a turn of no known user: anybody may who knows its id.',
      );
    return true;
  }
}

/**
 * Asks an `ApprovalPolicy` whether a caller may read, stop or continue a turn. An exception with a
 * status below 500 is a refusal. Answer it as you answer for an unknown turn: any other answer would
 * tell that the turn exists.
 *
 * @throws the error of a policy that is broken
 */
export async function allowsAccess(
  policy: ApprovalPolicy,
  access: Pick<TurnAccess, 'action' | 'turn' | 'caller' | 'request'>,
): Promise<boolean> {
  try {
    const isAllowed: unknown = await policy.authorize({ ...access, approvals: [], isSigned: false });
    return isAllowed === true;
  } catch (error) {
    if (error instanceof ToolApprovalException || (error instanceof HttpException && error.getStatus() < 500))
      return false;
    throw error;
  }
}
