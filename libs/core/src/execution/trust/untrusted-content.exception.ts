/**
 * A call that cannot be undone was refused because the model had read untrusted content. The
 * message is written for the model.
 */
export class UntrustedContentException extends Error {
  override readonly name = 'UntrustedContentException';

  constructor(toolName: string) {
    super(
      `The call of '${toolName}' was not run: it cannot be undone, and this conversation has content that strangers have written, such as a web ` +
        'page or a mail. The application does not allow the two together. Do not try again. Tell the user what you wanted to do, and why.',
    );
  }
}
