import { ChatModelException } from './chat-model.exception.js';

/** The time limit of a model call that was exceeded. */
export type ModelTimeoutKind = 'timeout' | 'firstChunkTimeout' | 'chunkTimeout';

const WHAT: Readonly<Record<ModelTimeoutKind, string>> = {
  timeout: 'did not complete its answer',
  firstChunkTimeout: 'did not start its answer',
  chunkTimeout: 'did not continue its answer',
};

const PROPERTIES: Readonly<Record<ModelTimeoutKind, string>> = {
  timeout: 'ai.model.timeout',
  firstChunkTimeout: 'ai.model.first-chunk-timeout',
  chunkTimeout: 'ai.model.chunk-timeout',
};

/**
 * A model exceeded a time limit, and Nestor aborted its call. The same request may succeed later
 * or with another model.
 */
export class ModelTimeoutException extends ChatModelException {
  override readonly name = 'ModelTimeoutException';

  /**
   * @param kind the option of `ModelTimeoutAdvisor` that set the limit
   * @param limit in milliseconds
   */
  constructor(
    readonly kind: ModelTimeoutKind,
    readonly limit: number,
  ) {
    super(
      `The model ${WHAT[kind]} within ${limit} ms, so Nestor aborted the call. Raise ${PROPERTIES[kind]} (option '${kind}' of ` +
        'ModelTimeoutAdvisor), or name another model in ai.model.fallbacks.',
      { isRetryable: true },
    );
  }
}
