import { Writable } from 'node:stream';

/**
 * Keeps the standard output for the protocol. A single line of a logger on it, or of `console.log`
 * in a tool, would break the connection, so everything else goes to the standard error.
 */
export class ClaimedStdout extends Writable {
  readonly #write: typeof process.stdout.write;

  constructor() {
    super({ decodeStrings: false });
    const { stdout, stderr } = process;
    this.#write = stdout.write.bind(stdout);
    stdout.write = stderr.write.bind(stderr);
    // The client may leave at any time. The write that fails reports the error too.
    stdout.on('error', this.#ignore);
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#write(chunk, done);
  }

  /** Gives the standard output back. */
  release(): void {
    process.stdout.write = this.#write;
    process.stdout.off('error', this.#ignore);
  }

  readonly #ignore = (): void => undefined;
}
