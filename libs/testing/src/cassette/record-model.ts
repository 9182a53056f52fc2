import type { ChatModel } from '@nestor-ai/core';
import type { CassetteRequest } from './cassette-content.js';
import { RecordedChatModel } from './recorded-chat-model.js';
import type { Redaction } from './redaction.js';

/** The options of {@link recordModel}. */
export interface RecordModelOptions {
  /**
   * Whether to call the model and write the cassette anew. Default: whether the environment
   * variable `NESTOR_CASSETTES` is `record`.
   */
  readonly record?: boolean;
  /**
   * Changes a request before it is recorded or compared, for values that differ with each run, such
   * as dates. It receives a copy.
   */
  readonly normalize?: (request: CassetteRequest) => CassetteRequest;
  /**
   * What to remove from all texts before anything is written: texts, regular expressions, or a
   * function. Keys in known formats, bearer tokens, headers, fields named after secrets, and the
   * bytes of media are never written.
   */
  readonly redact?: Redaction | readonly Redaction[];
}

/**
 * A model that records what a real model answers and replays it in tests, call and stream.
 *
 * It replays the file, and never calls the model, unless it is told to record. A request that is
 * not in the file fails with the differences. Each interaction answers one request; requests with
 * the same content get their answers in the recorded order. Aborted requests are not recorded.
 *
 * @param model the real model, or a function that creates it, which is only called to record
 * @param file the cassette: a path, relative to the working directory, or a file URL. Give each
 * model a file of its own.
 * @throws CassetteException if the file is missing, corrupt, or no cassette; if the option `record`
 * is set where the environment variable `CI` is
 * @example
 * const model = recordModel(() => new AiSdkChatModel(openai('gpt-5')), 'test/cassettes/support.json');
 */
export function recordModel(
  model: ChatModel | (() => ChatModel),
  file: string | URL,
  options: RecordModelOptions = {},
): RecordedChatModel {
  return new RecordedChatModel(model, file, options);
}
