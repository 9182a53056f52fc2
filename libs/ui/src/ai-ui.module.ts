import { Global, Module } from '@nestjs/common';
import {
  AiExtension,
  type ExtensionContext,
  integerProperty,
  listOfProperty,
  type RequestServices,
} from '@nestor-ai/core';
import { TurnStreamFormat } from '@nestor-ai/turns';
import { DEFAULT_FILE_RULES, isFileHost, isMediaType, UI_FILES } from './file-rules.js';
import { UI_MESSAGE_FORMAT } from './ui-message-format.js';

/** The properties under `ai.ui.files`. */
export const UI_FILE_PROPERTIES = {
  /** Which types of files browsers may send. `image/*` allows a whole family. */
  types: listOfProperty(DEFAULT_FILE_RULES.types, {
    allowed: 'a list of types such as image/png or image/*',
    accepts: isMediaType,
  }),
  /** How many bytes all files of one request may have together, after decoding. */
  maxBytes: integerProperty(DEFAULT_FILE_RULES.maxBytes, {
    allowed: 'a whole number greater than 0',
    accepts: (value) => value > 0,
  }),
  /** From which hosts the model server may fetch files, over HTTPS. */
  hosts: listOfProperty(DEFAULT_FILE_RULES.hosts, {
    allowed:
      'a list of host names such as cdn.example.com, without IP addresses, localhost and port 443, and with other letters as punycode (xn--…)',
    accepts: isFileHost,
  }),
} as const;

class UiExtension extends AiExtension<typeof UI_FILE_PROPERTIES> {
  override readonly properties = { path: 'ui.files', tree: UI_FILE_PROPERTIES };

  override services(services: RequestServices, { values }: ExtensionContext<typeof UI_FILE_PROPERTIES>): void {
    services.set(UI_FILES, values);
  }
}

/**
 * Reads the properties `ai.ui.files.*`, and makes the routes of `AiTurnsModule` send turns to
 * `useChat()`. `withUIMessages()` and `toUIMessageStream()` work without it.
 *
 * @publicApi
 * @example
 * imports: [AiModule.forRoot({ chatModel }), AiUiModule, AiTurnsModule.forRoot({ guards: [AuthGuard] })]
 */
@Global()
@Module({
  providers: [
    { provide: AiExtension, useValue: new UiExtension() },
    { provide: TurnStreamFormat, useValue: UI_MESSAGE_FORMAT },
  ],
  exports: [TurnStreamFormat],
})
export class AiUiModule {}
