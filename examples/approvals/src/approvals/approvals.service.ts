import { Inject, Injectable } from '@nestjs/common';
import {
  ChatClient,
  type ChatResponse,
  FinishReason,
  SuspendedTurnRepository,
  SuspendedTurns,
  type ToolApproval,
  ToolApprovalException,
} from '@nestor-ai/core';
import type { UserRequest } from '../auth/user.guard.js';
import type { WaitingTurnsRepository } from './waiting-turns.repository.js';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly chatClient: ChatClient,
    private readonly turns: SuspendedTurns,
    @Inject(SuspendedTurnRepository) private readonly repository: WaitingTurnsRepository,
  ) {}

  async ask(message: string, request: UserRequest) {
    return toReply(await this.chatClient.prompt(message).request(request).call().chatResponse());
  }

  async decide(turnId: string, decision: ToolApproval, request: UserRequest) {
    const answer = this.chatClient.prompt().toolApprovals([decision], { turnId }).request(request);
    return toReply(await answer.call().chatResponse());
  }

  withdraw(turnId: string, request: UserRequest) {
    return this.turns.stop(turnId, request);
  }

  /** The turns that the user may read. */
  async list(request: UserRequest) {
    const found = await Promise.all(this.repository.findIds().map((id) => this.read(id, request)));
    return found.filter((turn) => turn !== undefined);
  }

  private async read(turnId: string, request: UserRequest) {
    try {
      const { id, requester, pending } = await this.turns.read(turnId, request);
      return { id, requester, calls: pending };
    } catch (error) {
      if (error instanceof ToolApprovalException) return undefined;
      throw error;
    }
  }
}

function toReply(response: ChatResponse | undefined) {
  const isWaiting = response?.hasFinishReasons([FinishReason.TOOL_APPROVAL_REQUIRED]);
  return isWaiting ? { waits: response?.metadata.turnId } : { answer: response?.text };
}
