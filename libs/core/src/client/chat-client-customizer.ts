import type { ChatClientBuilder } from './chat-client.js';

/**
 * Customizes every client of the application: for example its instructions, options and advisors.
 * Provide it in `AiModule.forRoot({ providers })`.
 *
 * @example
 * \@Injectable()
 * class HouseStyle extends ChatClientCustomizer {
 *   customize(builder: ChatClientBuilder) {
 *     builder.defaultSystem('Answer in one sentence.');
 *   }
 * }
 */
export abstract class ChatClientCustomizer {
  /**
   * @param builder the builder of the client. Settings of a named client, or of the code that
   *   injects the builder, are applied later and override these.
   * @param clientName the name of the client. `default` is the client that is injected as
   *   `ChatClient`.
   */
  abstract customize(builder: ChatClientBuilder, clientName: string): void;
}
