import { ChatModelException } from './chat-model.exception.js';

/** Which of the times of a model call was up. */
export type ModelTimeoutKind = 'timeout' | 'firstChunkTimeout' | 'chunkTimeout';

const WHAT: Readonly<Record<ModelTimeoutKind, string>> = {
  timeout: 'did not complete its answer',
  firstChunkTimeout: 'did not begin its answer',
  chunkTimeout: 'did not go on with its answer',
};

const PROPERTIES: Readonly<Record<ModelTimeoutKind, string>> = {
  timeout: 'ai.model.timeout',
  firstChunkTimeout: 'ai.model.first-chunk-timeout',
  chunkTimeout: 'ai.model.chunk-timeout',
};

/** A model took longer than it may, and its call was aborted. The same request may succeed later, or with another model. */
export class ModelTimeoutException extends ChatModelException {
  override readonly name = 'ModelTimeoutException';

  /**
   * @param kind the option of `ModelTimeoutAdvisor` that has set the limit
   * @param limit in milliseconds
   */
  constructor(
    readonly kind: ModelTimeoutKind,
    readonly limit: number,
  ) {
    super(
      `The model ${WHAT[kind]} within ${limit} ms, and its call was aborted. Raise ${PROPERTIES[kind]} (option '${kind}' of ` +
        'ModelTimeoutAdvisor), or have a ModelRetryAdvisor or a FallbackModelAdvisor ask again.',
      { isRetryable: true },
    );
  }
}
