/*
 * The used part of the AI SDK's UI message stream, version 1. Declared here, so that the server
 * does not need the SDK. `test/ui` compares it with the real types.
 */

import type { ShownInputRequest } from '@nestor-ai/core';

/** Why an answer ended, in the terms of the protocol. */
export const UI_FINISH_REASONS = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const;
export type UIFinishReason = (typeof UI_FINISH_REASONS)[number];

/** What a tool asks its user for: the data of a part of the type `data-tool-input-request`. */
export interface UIToolInputRequest extends ShownInputRequest {
  readonly toolCallId: string;
  /** Names the turn and the call, or is the token of the call if the application signs approvals. */
  readonly approvalId: string;
}

/** One chunk of the stream. */
export type UIMessageChunk =
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'start-step' | 'finish-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-input-start';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly providerExecuted?: boolean;
    }
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: 'tool-input-available';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerExecuted?: boolean;
    }
  | {
      readonly type: 'tool-output-available';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly preliminary?: boolean;
      readonly providerExecuted?: boolean;
    }
  | {
      readonly type: 'tool-output-error';
      readonly toolCallId: string;
      readonly errorText: string;
      readonly providerExecuted?: boolean;
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | { readonly type: 'data-tool-input-request'; readonly id: string; readonly data: UIToolInputRequest }
  | { readonly type: 'data-restart'; readonly data: object; readonly transient: true }
  | { readonly type: 'source-url'; readonly sourceId: string; readonly url: string; readonly title?: string }
  | {
      readonly type: 'source-document';
      readonly sourceId: string;
      readonly mediaType: string;
      readonly title: string;
      readonly filename?: string;
    }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'finish'; readonly finishReason?: UIFinishReason };
