import type { SuspendedTurn, SuspendedTurnRepository } from '../../memory/suspended-turn.repository.js';
import type { ToolApproval } from '../../model/tool-approval.js';
import { ToolApprovalException } from '../../model/tool-approval.exception.js';
import { waitsOf } from '../suspension.js';
import type { ApprovalRules, TurnAction } from './approval-policy.js';
import { ApprovalTokens } from './approval-tokens.js';
import { authorize, checkTokens } from './turn-authorization.js';

/** A request to resume a turn. */
export interface TurnSeeker {
  /** The subject that makes the request. */
  readonly caller: string | undefined;
  readonly request: unknown;
  readonly approvals: readonly ToolApproval[];
  /** The id of the turn, if the request names one. */
  readonly turnId: string | undefined;
}

/**
 * Finds the turn that a request resumes.
 *
 * @throws ToolApprovalException if there is none, there are several, or the request may not resume
 *   it
 */
export async function findTurn(
  repository: SuspendedTurnRepository,
  rules: ApprovalRules,
  seeker: TurnSeeker,
): Promise<SuspendedTurn> {
  const { approvals } = seeker;
  const turnId = seeker.turnId ?? ApprovalTokens.read(approvals[0]?.token)?.turnId;
  if (turnId === undefined) return findByCall(repository, rules, seeker);
  const found = await repository.findById(turnId);
  if (!found) throw expired(`No turn '${turnId}' waits for approval.`);
  await checkAccess(rules, seeker, found);
  return found;
}

/** Call ids are easy to guess, so turns that this request may not resume are treated as missing. */
async function findByCall(
  repository: SuspendedTurnRepository,
  rules: ApprovalRules,
  seeker: TurnSeeker,
): Promise<SuspendedTurn> {
  const { toolCallId } = seeker.approvals[0] ?? {};
  if (toolCallId === undefined)
    throw new ToolApprovalException(
      'toolApprovals([]) without decisions needs the turn to resume: toolApprovals([], { turnId }).',
    );
  const found: SuspendedTurn[] = [];
  for (const turn of await repository.findByToolCallId(toolCallId)) {
    if (await mayAccess(rules, seeker, turn)) found.push(turn);
  }
  if (found.length === 0) throw expired(`No tool call '${toolCallId}' waits for approval.`);
  if (found.length === 1) return found[0]!;
  throw new ToolApprovalException(
    `A tool call '${toolCallId}' waits in more than one turn. Name the turn with toolApprovals([ … ], { turnId }). The ` +
      'response that asked for approval has the turn id in its metadata.',
  );
}

async function mayAccess(rules: ApprovalRules, seeker: TurnSeeker, turn: SuspendedTurn): Promise<boolean> {
  try {
    await checkAccess(rules, seeker, turn);
    return true;
  } catch (error) {
    if (error instanceof ToolApprovalException && error.problem === 'forbidden') return false;
    throw error;
  }
}

/**
 * @throws ToolApprovalException if the request may not resume the turn; errors of the policy are
 *   rethrown
 */
async function checkAccess({ policy, tokens }: ApprovalRules, seeker: TurnSeeker, turn: SuspendedTurn): Promise<void> {
  const { caller, request, approvals } = seeker;
  const isSigned = checkTokens(turn, approvals, tokens);
  await authorize(policy, { action: actionOf(approvals, turn), turn, caller, request, approvals, isSigned });
}

function actionOf(approvals: readonly ToolApproval[], turn: SuspendedTurn): TurnAction {
  if (approvals.length === 0) return 'resume';
  const waits = waitsOf(turn);
  const isAnswer = ({ toolCallId }: ToolApproval): boolean =>
    waits.some(({ callId, kind }) => callId === toolCallId && kind === 'input');
  return approvals.every(isAnswer) ? 'answer' : 'approve';
}

function expired(text: string): ToolApprovalException {
  return new ToolApprovalException(
    `${text} Either it was already decided (resume a turn that failed after its tools had run with ` +
      'toolApprovals([], { turnId })), it was cancelled, it is stored in another SuspendedTurnRepository, or the ' +
      'ApprovalPolicy does not allow this request to decide about it.',
    'not-found',
  );
}
