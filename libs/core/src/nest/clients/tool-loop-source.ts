import type { ToolCallingAdvisor } from '../../advisor/tool-calling-advisor.js';
import type { ToolCallingAdvisorOptions } from '../../advisor/tool-calling-advisor.options.js';
import type { AiPropertiesInit } from '../properties/ai-properties.js';
import type { ClientSettings } from '../properties/client-properties.js';
import type { PropertySource } from '../properties/property-source.js';

/** The `AiModule` whose clients are to have a loop of another kind. The same object at each call. */
export interface ToolLoopContext {
  /** The configuration that it reads; undefined when it can see none. */
  readonly configuration: PropertySource | undefined;
  /** What was given to `AiModule.forRoot({ properties })`. */
  readonly properties: AiPropertiesInit | undefined;
  /** What its own loop is made of: the manager, where turns wait for approval, and the rest. */
  readonly options: ToolCallingAdvisorOptions;
}

/**
 * Gives clients a tool loop of another kind than the application's `ToolCallingAdvisor`. A package that has one provides it under
 * this token, in a module of its own; what a request, a client or `@RegisterAdvisor()` brings still goes first.
 */
export abstract class ToolLoopSource {
  /**
   * Looks at the configuration when the application starts.
   *
   * @param clientNames of all clients that are not turned off; the one that is injected as `ChatClient` is called `default`
   * @param context whose clients they are
   * @returns what is wrong, to be told with everything else that is wrong
   */
  abstract check(clientNames: readonly string[], context: ToolLoopContext): readonly string[];

  /**
   * The loop of a client, the same at each call. Not asked when {@link check} has found something wrong.
   *
   * @param clientName `default` for the client that is injected as `ChatClient`
   * @param settings how the loop of the client is configured
   * @param context whose client it is
   * @returns undefined for a client that is to have the `ToolCallingAdvisor` of the application
   */
  abstract loopOf(
    clientName: string,
    settings: ClientSettings['toolCalling'],
    context: ToolLoopContext,
  ): ToolCallingAdvisor | undefined;
}
