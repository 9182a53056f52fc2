import type { Advisor } from '../../advisor/advisor.js';
import type { ToolCallingAdvisorOptions } from '../../advisor/tool-calling-advisor.options.js';
import type { RequestServices } from '../../model/request-services.js';
import type { Turn } from '../../model/turn.js';
import type { TurnObserver } from '../../model/turn-observer.js';
import type { AiPropertiesInit } from '../properties/ai-properties.js';
import type { ClientSettings } from '../properties/client-properties.js';
import type { PropertySource } from '../properties/property-source.js';
import type { ResolvedProperties } from '../properties/property-types.js';

/** The `AiModule` that has found an extension. An extension receives the same object each time. */
export interface ExtensionContext<Tree extends object = object> {
  /** The values of the extension's {@link AiExtension.properties}. */
  readonly values: ResolvedProperties<Tree>;
  /** The configuration of the module. Undefined if the module cannot see one. */
  readonly configuration: PropertySource | undefined;
  /** The properties given to `AiModule.forRoot({ properties })`. */
  readonly properties: AiPropertiesInit | undefined;
  /**
   * The options of the module's own tool loop, such as the manager and the repository of suspended
   * turns.
   */
  toolLoop(): ToolCallingAdvisorOptions;
  /**
   * The settings of a client.
   *
   * @param clientName `default` for the client that is injected as `ChatClient`
   */
  settingsOf(clientName: string): ClientSettings;
}

/** Only an extension whose constructor has run has it. Nest also shows those that it has not made yet. */
const MADE: unique symbol = Symbol.for('nestor.AiExtension');

/** The path of the properties of the extension without which a provider does nothing: on its token. */
export const SERVED_BY: unique symbol = Symbol.for('nestor.ServedBy');

export function isMade(extension: object | null): extension is AiExtension {
  return extension !== null && Object.hasOwn(extension, MADE);
}

/**
 * What a package adds to `AiModule`. The package provides this token in a module of its own, and
 * `AiModule` finds it there. One object serves all requests.
 *
 * @example
 * class GreetingExtension extends AiExtension<typeof GREETING> {
 *   override readonly properties = { path: 'greeting', tree: GREETING };
 *
 *   override advisors(_client: string, { values }: ExtensionContext<typeof GREETING>) {
 *     return values.enabled ? [new GreetingAdvisor(values.text)] : [];
 *   }
 * }
 *
 * \@Module({ providers: [{ provide: AiExtension, useClass: GreetingExtension }] })
 * export class AiGreetingModule {}
 */
export abstract class AiExtension<Tree extends object = object> {
  /** @internal */
  readonly [MADE] = true as const;

  /**
   * Its properties, read as `ai.<path>.*`. Mistakes in them stop the bootstrap. Without a tree, the
   * package reads them itself.
   */
  readonly properties?: { readonly path: string; readonly tree?: Tree };

  /**
   * Checks the application when it starts.
   *
   * @param clientNames the names of all enabled clients. `default` is the client that is injected
   *   as `ChatClient`.
   * @returns the problems found. Nestor reports them together with all others.
   */
  check?(clientNames: readonly string[], context: ExtensionContext<Tree>): readonly string[];

  /** Adds what the requests of a client carry: `services.set(KEY, service)`. */
  services?(services: RequestServices, context: ExtensionContext<Tree>): void;

  /**
   * The advisors of a client. A tool advisor among them replaces the application's
   * `ToolCallingAdvisor`; those of a request, of a client or from `@RegisterAdvisor()` take precedence.
   * Not called if {@link check} found problems.
   *
   * @returns the same objects on each call
   */
  advisors?(clientName: string, context: ExtensionContext<Tree>): readonly Advisor[];

  /**
   * Observes a turn. Called when a turn starts, and when a suspended turn continues in a new request.
   * An error fails the turn.
   *
   * @param clientName undefined for tool calls that no client makes
   * @returns undefined if the turn is of no interest
   */
  observe?(turn: Turn, clientName: string | undefined, context: ExtensionContext<Tree>): TurnObserver | undefined;
}

/** Tells AiModule that a package reads the properties at a path itself. */
export class OwnProperties extends AiExtension {
  override readonly properties: { readonly path: string };

  constructor(path: string) {
    super();
    this.properties = { path };
  }
}
