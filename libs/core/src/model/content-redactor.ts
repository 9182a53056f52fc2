import { serviceKey } from './request-services.js';

/** Describes a piece of content and where it is about to be shown. */
export interface ContentPlace {
  /** The receiver: a browser, a span, a log line, an event listener or an audit record. */
  readonly sink: 'ui' | 'span' | 'log' | 'event' | 'audit';
  readonly kind: 'prompt' | 'completion' | 'arguments' | 'result' | 'error';
  /** The tool that the arguments, result or error belong to. */
  readonly toolName?: string;
}

/** The application's {@link ContentRedactor}. */
export const REDACTOR = serviceKey<ContentRedactor>('ContentRedactor');

/**
 * Removes sensitive content, such as card numbers, before it is shown anywhere. Provide a subclass
 * with `AiModule.forRoot({ providers })`. There is none by default. The model, the tools and the
 * caller of the request always get the original content.
 *
 * It only receives complete texts: text that a model streams to a browser arrives in pieces and is
 * not redacted there.
 *
 * @example
 * \@Injectable()
 * class CardRedactor extends ContentRedactor {
 *   redact(text: string) {
 *     return text.replace(/\b\d{16}\b/g, '[card]');
 *   }
 * }
 */
export abstract class ContentRedactor {
  /**
   * @param text arguments as JSON text, results as the model reads them, or one part of a message
   * of the conversation. JSON contains characters unescaped where possible: `é`, not `\u00e9`.
   * @returns the text to show instead, synchronously. If redaction throws, the content is not
   * shown.
   */
  abstract redact(text: string, place: ContentPlace): string;
}
