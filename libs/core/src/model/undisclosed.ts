import { inspect } from 'node:util';

/**
 * Base class for values that only code may read. As JSON, for example in a tool result or a log,
 * it shows its class name and none of its contents.
 */
export abstract class Undisclosed {
  toJSON(): string {
    return `[${this.constructor.name}]`;
  }

  [inspect.custom](): string {
    return this.toJSON();
  }
}
