import type { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import type { ToolCallingAdvisorOptions } from '../../advisor/tool-calling-advisor.options.js';
import type { AiPropertiesInit } from '../properties/ai-properties.js';
import type { ClientSettings } from '../properties/client-properties.js';
import type { PropertySource } from '../properties/property-source.js';

/**
 * Describes the `AiModule` whose clients may get another loop. Each call receives the same object.
 */
export interface ToolLoopContext {
  /** The configuration of the module. Undefined if the module cannot see one. */
  readonly configuration: PropertySource | undefined;
  /** The properties given to `AiModule.forRoot({ properties })`. */
  readonly properties: AiPropertiesInit | undefined;
  /**
   * The options of the module's own loop, such as the manager and the repository of suspended
   * turns.
   */
  readonly options: ToolCallingAdvisorOptions;
}

/**
 * Gives clients another tool loop than the application's `ToolCallingAdvisor`. A package that has
 * one provides this token in its own module. Tool advisors of a request, of a client or from
 * `@RegisterAdvisor()` take precedence.
 */
export abstract class ToolLoopSource {
  /**
   * Checks the configuration when the application starts.
   *
   * @param clientNames the names of all enabled clients. `default` is the client that is injected
   *   as `ChatClient`.
   * @param context the module of the clients
   * @returns the problems found. Nestor reports them together with all others.
   */
  abstract check(clientNames: readonly string[], context: ToolLoopContext): readonly string[];

  /**
   * The loop of a client. Returns the same object on each call. Not called if {@link check} found
   * problems.
   *
   * @param clientName `default` for the client that is injected as `ChatClient`
   * @param settings the settings of the client's loop
   * @param context the module of the client
   * @returns undefined for a client that uses the application's `ToolCallingAdvisor`
   */
  abstract loopOf(
    clientName: string,
    settings: ClientSettings['toolCalling'],
    context: ToolLoopContext,
  ): ToolCallingAdvisor | undefined;
}
