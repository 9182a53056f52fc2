import type { Message } from '../model/messages.js';
import type { UiSettings } from '../model/ui-settings.js';

/** What is known about a request when its messages are read. */
export interface MessageReading {
  /** Whether an advisor of the request stores the conversation. Then earlier messages are known. */
  readonly isRemembered: boolean;
  /** Which files the application accepts from browsers. */
  readonly ui: UiSettings;
}

/** Messages that are read when the request is sent, since they depend on its advisors. */
export interface MessageSource {
  /** @throws Error for an invalid message. The request is not sent then. */
  read(reading: MessageReading): readonly Message[];
}
