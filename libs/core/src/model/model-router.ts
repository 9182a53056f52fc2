import type { Awaitable } from './awaitable.js';
import type { ChatModel } from './chat-model.js';

/**
 * Finds the model that the `model` option of a request names. `AiSdkModule` of `@nestor-ai/ai-sdk`
 * provides one for the models under `ai.models`. To choose models yourself, extend this class and
 * provide it under its own token.
 *
 * @example
 * \@Injectable()
 * class TenantModels extends ModelRouter {
 *   resolve(name: string) {
 *     return name === 'cheap' ? this.cheapModel : undefined;
 *   }
 * }
 */
export abstract class ModelRouter {
  /**
   * Called for each model call of a request with the option `model`, before the call is observed.
   *
   * @param name the value of the option
   * @param current the model of the client
   * @returns the model to call. Undefined to call `current` with the option as it is, as a model
   *   that takes several ids needs it.
   * @throws Error that names the known models if the name is unknown
   */
  abstract resolve(name: string, current: ChatModel): Awaitable<ChatModel | undefined>;

  /**
   * Checks a name that the configuration contains. Runs at bootstrap. Does nothing by default.
   *
   * @throws Error that names the known models if the name is unknown
   */
  verify(_name: string): void {}

  /** The problems of the models that it knows. Runs at bootstrap. None by default. */
  check(): readonly string[] {
    return [];
  }
}
