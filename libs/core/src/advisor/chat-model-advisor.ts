import { map, type Observable } from 'rxjs';
import type { ChatModel } from '../model/chat-model.js';
import type { CallAdvisor, StreamAdvisor } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { Ordered } from './ordered.js';

/** The end of every chain: asks the model. */
export class ChatModelAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'Chat Model';
  readonly order = Ordered.LOWEST_PRECEDENCE;

  constructor(private readonly chatModel: ChatModel) {}

  async adviseCall({ prompt, context }: ChatClientRequest): Promise<ChatClientResponse> {
    return { chatResponse: await this.chatModel.call(prompt), context };
  }

  adviseStream({ prompt, context }: ChatClientRequest): Observable<ChatClientResponse> {
    return this.chatModel.stream(prompt).pipe(map((chatResponse) => ({ chatResponse, context })));
  }
}
