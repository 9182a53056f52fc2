import type { ToolQuery } from '@nestor-ai/core';
import type { EnvelopeOptions } from '../wire/envelopes.js';

/** The options of `RemoteToolServiceModule.register()` that a factory can return. */
export interface RemoteToolServiceModuleOptions extends EnvelopeOptions {
  /** The tools for other applications, in addition to those with `@Tool({ remote: true })`. */
  readonly tools?: ToolQuery;
  /**
   * How often a call that runs tells its caller that its process is alive, in milliseconds.
   * Callers give a silent process up after their option `ttl`. Default: 2,000.
   */
  readonly heartbeat?: number;
}

/** The options that stand beside `useFactory` in `registerAsync()`, since they make the patterns. */
export interface RemoteToolServiceModuleExtras {
  /**
   * The name of the service: a letter, then letters, digits, `-` and `_`. All processes of a
   * service have the same. Required.
   */
  service?: string;
  /**
   * The start of all message patterns. Applications only see each other with the same one.
   * Default: `nestor.tools`.
   */
  namespace?: string;
}
