import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AiToolExecutionContext, type CallApproval, ChatMemory, Tool, ToolContext } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';

/** What has been paid, and who was seen to ask and to approve. */
export interface Payment {
  readonly amount: number;
  readonly requester: string | undefined;
  readonly approval: CallApproval | undefined;
}

/** Pays, when somebody has approved it. */
@Injectable()
export class Payments {
  readonly done: Payment[] = [];

  @Tool({ needsApproval: true })
  pay(amount: number, context: ToolContext): string {
    this.done.push({ amount, requester: context.turn.requester, approval: context.approval });
    return `paid ${amount}`;
  }
}

/** Writes down what a guard can know of who asks and who approves. */
@Injectable()
export class WhoGuard implements CanActivate {
  readonly seen: string[] = [];

  canActivate(context: ExecutionContext): boolean {
    if (!AiToolExecutionContext.is(context)) return true;
    const { requester, approval } = AiToolExecutionContext.of(context);
    this.seen.push(`${requester} asks, ${approval ? `${approval.approver} approves` : 'nobody has approved'}`);
    return true;
  }
}

/** A request of somebody, as a guard of the application leaves it. */
export const requestOf = (id: string) => ({ user: { id } });

/** Names a conversation. */
export const inConversation = (id: string) => ({ [ChatMemory.CONVERSATION_ID]: id });

export const payingScript = (amount = 100): ScriptEntry[] => [
  { toolCalls: [toolCall('pay', { amount }, 'call_1')] },
  'Done.',
];

export const YES = [{ toolCallId: 'call_1', approved: true }] as const;
