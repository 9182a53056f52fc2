import type { ChatClientBuilder } from './chat-client.js';

/**
 * Changes every client of the application before it is made: instructions, options, advisors that all are to have. Provided in
 * `AiModule.forRoot({ providers })`.
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
   * @param builder of the client; what a named client or whoever injects the builder says comes after, and wins
   * @param clientName the name of the client, `default` for the one that is injected as `ChatClient`
   */
  abstract customize(builder: ChatClientBuilder, clientName: string): void;
}
