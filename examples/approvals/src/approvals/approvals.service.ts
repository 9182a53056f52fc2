import { Injectable } from '@nestjs/common';
import { ChatClient, type ChatResponse, FinishReason, SuspendedTurns, type ToolApproval } from '@nestor-ai/core';
import type { UserRequest } from '../auth/user.guard.js';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly chatClient: ChatClient,
    private readonly turns: SuspendedTurns,
  ) {}

  async ask(message: string, request: UserRequest) {
    return toReply(await this.chatClient.prompt(message).request(request).call().chatResponse());
  }

  async decide(turnId: string, decision: ToolApproval, request: UserRequest) {
    return toReply(await this.turns.decide(turnId, [decision], request));
  }

  withdraw(turnId: string, request: UserRequest) {
    return this.turns.stop(turnId, request);
  }

  /** The turns that the user may read. */
  async list(request: UserRequest) {
    const turns = await this.turns.list(request, { ofEveryone: true });
    return turns.map(({ id, requester, pending }) => ({ id, requester, calls: pending }));
  }
}

function toReply(response: ChatResponse | undefined) {
  const isWaiting = response?.hasFinishReasons([FinishReason.TOOL_APPROVAL_REQUIRED]);
  return isWaiting ? { waits: response?.metadata.turnId } : { answer: response?.text };
}
