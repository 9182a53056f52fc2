import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatModelException,
  type NextHandler,
  Ordered,
} from '@nestor-ai/core';

/** Asks the model once more after an error that may pass, as an advisor of an application does. */
export class AskAgain extends AroundAdvisor {
  readonly name = 'Ask Again';
  override readonly order = Ordered.LOWEST_PRECEDENCE - 1000;

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    try {
      return await next.handle(request);
    } catch (error) {
      if (next.hasBegun || !(error instanceof ChatModelException && error.isRetryable)) throw error;
      return next.handle(request);
    }
  }
}
