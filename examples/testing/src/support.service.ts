import { Injectable } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';

@Injectable()
export class SupportService {
  constructor(private readonly chatClient: ChatClient) {}

  ask(question: string) {
    return this.request().user(question).call().chatResponse();
  }

  decide(turnId: string, toolCallId: string, approved: boolean) {
    return this.request().toolApprovals([{ toolCallId, approved }], { turnId }).call().chatResponse();
  }

  private request() {
    return this.chatClient.prompt().system('You work in customer support. Never name the plan of a customer.');
  }
}
