/**
 * `useChat()` of the AI SDK in front of `@nestor-ai/core`.
 *
 * @module @nestor-ai/ui
 */
export { AiUiModule } from './ai-ui.module.js';
export type { UiFileRules } from './file-rules.js';
export { fromUIMessages, type UIConversation, type UIMessageInput } from './from-ui-messages.js';
export { toUIMessages, type UIMessageOutput } from './to-ui-messages.js';
export { toUIMessageStream, toUIMessageStreamResponse, type UIMessageStreamOptions } from './to-ui-message-stream.js';
export type { UIFinishReason, UIMessageChunk, UIToolInputRequest } from './ui-message-chunk.js';
export { UI_MESSAGE_FORMAT } from './ui-message-format.js';
export { type UIMessagesOptions, withUIMessages } from './with-ui-messages.js';
