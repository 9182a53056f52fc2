import { BadRequestException } from '@nestjs/common';
import type { ChatClientRequestSpec, Message, MessageReading, MessageSource } from '@nestor-ai/core';
import { DEFAULT_FILE_RULES, fileRulesOf, UI_FILES, type UiFileRules } from './file-rules.js';
import { readDecisions, readUIMessages, type UIMessageInput } from './from-ui-messages.js';

/** The options of {@link withUIMessages}. */
export interface UIMessagesOptions {
  /**
   * Whether to read only the last message, and to trust nothing that a browser sends about earlier
   * answers and tool results. The last message then has to come from the user or decide about
   * waiting calls. Default: true if an advisor of the request stores the conversation. Otherwise
   * the browser is the only memory, and all messages are read.
   */
  readonly lastOnly?: boolean;
  /** Which files to accept. Overrides the properties `ai.ui.files.*`, which `AiUiModule` reads. */
  readonly files?: Partial<UiFileRules>;
}

/**
 * Adds the messages that `useChat()` has sent to a request. If the user has decided about calls
 * that wait for approval, the request resumes their turn instead. The messages are read when
 * `call()` or `stream()` is called, since only then the memory of the request is known.
 *
 * @throws BadRequestException that names the invalid message and the reason. Some messages are
 *   only checked when they are read.
 * @throws TypeError for invalid rules, when the messages are read
 */
export function withUIMessages<Builder>(
  request: ChatClientRequestSpec<Builder>,
  messages: readonly UIMessageInput[],
  options: UIMessagesOptions = {},
): ChatClientRequestSpec<Builder> {
  const { approvals, turnId } = readDecisions(messages);
  if (approvals.length > 0) return request.toolApprovals(approvals, { turnId });
  return request.messagesFrom(new UIMessageSource(messages, options));
}

/** The conversation as sent by a browser. */
class UIMessageSource implements MessageSource {
  constructor(
    private readonly messages: readonly UIMessageInput[],
    private readonly options: UIMessagesOptions,
  ) {}

  read({ isRemembered, services }: MessageReading): readonly Message[] {
    const { lastOnly = isRemembered, files } = this.options;
    const rules = fileRulesOf(files, services?.get(UI_FILES) ?? DEFAULT_FILE_RULES);
    if (!lastOnly) return readUIMessages(this.messages, rules);
    const read = readUIMessages(this.messages, rules, this.messages.length - 1);
    if (read.at(-1)!.role === 'user') return read;
    throw new BadRequestException(
      'The last message has to come from the user, or to decide about calls that wait for approval.',
    );
  }
}
