import type { Message } from '../model/messages.js';
import type { RequestServices } from '../model/request-services.js';

/** What is known about a request when its messages are read. */
export interface MessageReading {
  /** Whether an advisor of the request stores the conversation. Then earlier messages are known. */
  readonly isRemembered: boolean;
  /** The services of the application. Undefined for a client outside of one. */
  readonly services: RequestServices | undefined;
}

/** Messages that are read when the request is sent, since they depend on its advisors. */
export interface MessageSource {
  /** @throws Error for an invalid message. The request is not sent then. */
  read(reading: MessageReading): readonly Message[];
}
