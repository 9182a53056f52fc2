import { randomUUID } from 'node:crypto';
import type { Media, Prompt, ProviderToolCall, Source, ToolCall, Usage } from '@nestor-ai/core';

/** One answer of a `ScriptedChatModel`. */
export interface ScriptedAnswer {
  text?: string;
  /** The tool calls that the model asks for. See {@link toolCall}. */
  toolCalls?: readonly ToolCall[];
  /** The chunks of the text when streaming. Default: the text word by word. */
  chunks?: readonly string[];
  reasoning?: string;
  /** The calls of tools that the provider runs. Streamed before the text: calls, then results. */
  providerToolCalls?: readonly ProviderToolCall[];
  /** The sources of the answer. Streamed after the text. */
  sources?: readonly Source[];
  /** The pictures and files that the model makes. Streamed after the text. */
  media?: readonly Media[];
  /**
   * Whether a stream contains the arguments of `toolCalls` and `providerToolCalls` in pieces before
   * the calls. Default: false.
   */
  streamToolInput?: boolean;
  /** Default: `tool-calls` if there are tool calls, otherwise `stop`. */
  finishReason?: string;
  usage?: Usage;
  /** Throws this error instead of answering. When streaming, it follows the chunks. */
  error?: unknown;
  /** How long to wait before the answer and between chunks, in milliseconds. */
  delay?: number;
}

/** An answer, its text, or a function that creates an answer from the prompt. */
export type ScriptEntry = string | ScriptedAnswer | AnswerFunction;

/** Answers any number of prompts. */
export type AnswerFunction = (prompt: Prompt) => string | ScriptedAnswer;

/**
 * Creates a tool call for a script.
 *
 * @param args the arguments as an object, or as the text that the model writes, which may be
 *   invalid JSON
 */
export function toolCall(name: string, args: object | string = {}, id = `call_${randomUUID()}`): ToolCall {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}
