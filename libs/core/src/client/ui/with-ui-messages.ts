import { BadRequestException } from '@nestjs/common';
import type { ChatClientRequestSpec } from '../chat-client-request.builder.js';
import { fromUIMessages, type UIMessageInput } from './from-ui-messages.js';

/** How {@link withUIMessages} takes a conversation. */
export interface UIMessagesOptions {
  /**
   * Takes the last message only, for a client that remembers conversations itself: then nothing that a browser says of earlier answers and
   * of results of tools is believed. The last message has to be the user's, or decide about calls that wait. Default: false.
   */
  readonly lastOnly?: boolean;
}

/**
 * The request with what `useChat()` has sent: the conversation, or, where the user has decided about calls that wait for approval, their turn,
 * which goes on.
 *
 * @throws BadRequestException saying which message is none, and why
 */
export function withUIMessages<Builder>(
  request: ChatClientRequestSpec<Builder>,
  messages: readonly UIMessageInput[],
  { lastOnly = false }: UIMessagesOptions = {},
): ChatClientRequestSpec<Builder> {
  const taken = lastOnly && Array.isArray(messages) ? messages.slice(-1) : messages;
  const { messages: conversation, approvals, turnId } = fromUIMessages(taken);
  if (approvals.length > 0) return request.toolApprovals(approvals, { turnId });
  if (lastOnly && conversation.at(-1)?.role !== 'user') {
    throw new BadRequestException(
      'The last of messages has to be the user\u2019s, or to decide about calls that wait.',
    );
  }
  return request.messages(conversation);
}
