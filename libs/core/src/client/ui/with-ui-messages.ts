import type { ChatClientRequestSpec } from '../chat-client-request-spec.js';
import { fromUIMessages, type UIMessageInput } from './from-ui-messages.js';

/**
 * The request with what `useChat()` has sent: the conversation, or, where the user has decided about calls that wait for approval, their turn,
 * which goes on.
 *
 * A client that remembers conversations itself is given the last message only: `messages.slice(-1)`.
 *
 * @throws BadRequestException saying which message is none, and why
 */
export function withUIMessages<Builder>(
  request: ChatClientRequestSpec<Builder>,
  messages: readonly UIMessageInput[],
): ChatClientRequestSpec<Builder> {
  const { messages: conversation, approvals, turnId } = fromUIMessages(messages);
  return approvals.length > 0 ? request.toolApprovals(approvals, { turnId }) : request.messages(conversation);
}
