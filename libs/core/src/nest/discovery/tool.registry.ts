import { Inject, Injectable, type Type } from '@nestjs/common';
import { ToolCatalog } from '../../client/tool-catalog.js';
import { isToolQuery, type ToolCriteria } from '../../client/tool-query.js';
import type { Awaitable } from '../../model/awaitable.js';
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from '../../model/tool-callback.js';
import { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import { type DiscoveredTool, type Exploration, isOfModules, meets } from './discovered-tool.js';
import type { DefaultOffer } from './provided-tools.js';
import { KnownTools, withoutRepeatedClasses } from './known-tools.js';
import { AiProperties } from '../properties/ai-properties.js';
import { ToolProviderStatus } from './tool-provider-status.js';
import { ToolConfigurator } from './tool-configurator.js';
import { duplicatesText, type ToolRegistration, toRegistration } from './tool-registration.js';
import { ToolPins } from './tool-pins.js';
import { ToolExplorer } from './tool.explorer.js';
import { UnguardedTools } from './unguarded-tools.js';
import { recordOf } from '../../tool/record-of.js';

/** The injection token of the modules whose tools are offered by default. */
export const INCLUDED_MODULES: unique symbol = Symbol('nestor.IncludedModules');

interface Registered {
  readonly known: KnownTools;
  /** The enabled tools, each class once. */
  readonly enabled: readonly DiscoveredTool[];
  /** The methods that are not tools, each class once. */
  readonly handlers: readonly DiscoveredTool[];
  readonly byName: ReadonlyMap<string, readonly DiscoveredTool[]>;
  /** The tools offered by default, without overrides. */
  readonly defaults: readonly ToolCallback[];
}

/**
 * The tools of the application. Nestor finds them on first use, so that the registry is also
 * complete in a testing module that was compiled but not initialized.
 */
@Injectable()
export class ToolRegistry extends ToolCatalog {
  #registered: Registered | undefined;
  /** What {@link registered} has found for the tools of this exploration. */
  #admitted = new WeakMap<ToolCallback, ToolCallback>();
  #isComplete = false;

  constructor(
    private readonly explorer: ToolExplorer,
    private readonly arounds: ToolAroundFactory,
    private readonly configurator: ToolConfigurator,
    private readonly providerStatus: ToolProviderStatus,
    private readonly unguarded: UnguardedTools,
    private readonly pins: ToolPins,
    private readonly properties: AiProperties,
    @Inject(INCLUDED_MODULES) private readonly included: readonly Type[] | undefined,
  ) {
    super();
  }

  /** All tools that exist at startup, in Nest's order of providers. */
  list(): readonly ToolRegistration[] {
    return this.#tools.enabled.map((tool) => this.#toRegistration(tool));
  }

  /** The tools that meet all criteria: modules, classes, names and metadata. */
  find(criteria: ToolCriteria): readonly ToolRegistration[] {
    return this.#findTools(criteria).map((tool) => this.#toRegistration(tool));
  }

  /**
   * The methods that are handlers of a kind instead of tools such as `MCP resource`, in Nest's
   * order of providers.
   */
  handlers(kind: string): readonly ToolRegistration[] {
    return this.#tools.handlers.filter((handler) => handler.kind === kind).map(toRegistration);
  }

  /** The tool of a name, if it exists at startup. @throws Error if several tools have it */
  get(name: string): ToolRegistration | undefined {
    const tools = this.#tools.byName.get(name) ?? [];
    if (tools.length > 1) throw new Error(duplicatesText(tools, 'Pass the class instead of the name.'));
    return tools[0] && this.#toRegistration(tools[0]);
  }

  /** The names of all tools, including tools that are turned off. */
  get names(): ReadonlySet<string> {
    return new Set(this.#tools.known.unique.map(({ name }) => name));
  }

  /** The tools that are not turned off, without overrides. */
  get found(): readonly DiscoveredTool[] {
    return this.#tools.enabled;
  }

  /** All methods that are handlers instead of tools. */
  get foundHandlers(): readonly DiscoveredTool[] {
    return this.#tools.handlers;
  }

  /** Whether tool providers may add tools to a request. */
  get mayGrow(): boolean {
    return !this.#tools.known.provided.isEmpty;
  }

  override get unavailableProviders(): readonly string[] {
    return this.providerStatus.problems.filter(({ fault }) => fault === 'unavailable').map(({ provider }) => provider);
  }

  /** Whether the configuration turns off a tool. */
  override isTurnedOff(name: string): boolean {
    return this.configurator.isTurnedOff(name);
  }

  /** The default tools that exist at startup: the same frozen list each time. */
  get callbacks(): readonly ToolCallback[] {
    return this.configurator.configureAll(this.#tools.defaults);
  }

  /**
   * The tools that are offered by default now, including those of `ToolCallbackProvider`s. Returns
   * the same frozen list as before if the tools are the same. Tools of a provider that fails are
   * missing: see `ToolProviderStatus`.
   *
   * @param request the caller's request, on which the tools of providers may depend
   * @throws Error that names the provider, if a required one fails
   */
  currentCallbacks(request?: unknown): Awaitable<readonly ToolCallback[]> {
    const { defaults, known } = this.#tools;
    if (known.provided.isEmpty) return this.callbacks;
    return known.provided
      .joinedWith(defaults, this.#offer, request)
      .then((joined) => this.configurator.configureAll(joined));
  }

  /** All tools that exist now, including tools that are not offered by default. */
  override async allCallbacks(request?: unknown): Promise<readonly ToolCallback[]> {
    const { known, enabled } = this.#tools;
    const joined = await known.provided.joinedWith(
      enabled.map(({ callback }) => callback),
      this.#everything,
      request,
    );
    return this.configurator.configureAll(joined);
  }

  /** The tools that any provider lists now. @throws Error that names the provider if it fails */
  override async toolsGivenBy(provider: ToolCallbackProvider, request?: unknown): Promise<readonly ToolCallback[]> {
    return this.configurator.configureAll(await this.#tools.known.provided.of(provider, request));
  }

  /**
   * The registered tools of an instance from the container, of a provided class, of a
   * `ToolCallback` or of a `ToolQuery`, with their overrides.
   *
   * @returns undefined if the registry does not know the object
   */
  override toolsOf(toolObject: object): readonly ToolCallback[] | undefined {
    if (isToolQuery(toolObject))
      return this.configurator.configureAll(this.#findTools(toolObject.criteria).map(({ callback }) => callback));
    const found = this.#tools.known.of(toolObject) ?? (isToolCallback(toolObject) ? [toolObject] : undefined);
    return found && this.configurator.configureAll(found);
  }

  /**
   * The registered tool for a callback, with the guards and the scope of its provider. Undefined
   * if it is turned off.
   *
   * @throws ToolDeclarationException if it would run unguarded and `ai.tools.unguarded` is
   *   `refuse`
   */
  registered(callback: ToolCallback): ToolCallback | undefined {
    const known = this.#admitted.get(callback);
    if (known) return known;
    const registered = this.#tools.known.resolveRegistered(callback) ?? callback;
    const configured = this.configurator.configure(registered);
    if (!configured) return undefined;
    this.unguarded.check(registered);
    // Guards may come later, for tools that the container does not run.
    if (this.#isComplete && recordOf(registered).around) this.#admitted.set(callback, configured);
    return configured;
  }

  /** @throws ToolDeclarationException if `ai.tools.unguarded` refuses the tool */
  override admit(callback: ToolCallback): void {
    // While the application starts, some of its tools are not known yet. The call of the tool
    // checks again.
    if (this.isComplete) this.unguarded.check(callback);
  }

  /** The tools of all hosts that are offered by default. */
  get offered(): readonly DiscoveredTool[] {
    const { known, defaults } = this.#tools;
    const offered = new Set(defaults);
    return known.all.filter(({ callback }) => offered.has(callback));
  }

  /** Whether all tools can be found by now. */
  override get isComplete(): boolean {
    return (this.#isComplete ||= this.explorer.isComplete);
  }

  /** Finds all tools again. Called once, when all providers exist. */
  refresh(): void {
    this.#registered = undefined;
    this.#isComplete = true;
  }

  get #tools(): Registered {
    // Results from before the end of the bootstrap may be incomplete.
    return this.#registered && this.#isComplete ? this.#registered : this.#register();
  }

  #register(): Registered {
    this.#isComplete ||= this.explorer.isComplete;
    const exploration = this.#includedFirst(this.explorer.explore());
    const known = new KnownTools(exploration, this.arounds, {
      status: this.providerStatus,
      timeout: this.properties.tools.providerTimeout,
      pins: this.pins,
    });
    const enabled = known.unique.filter((tool) => this.#isEnabled(tool));
    const defaults = enabled
      .filter(({ host }) => this.#offer.includes(host))
      .map(({ callback }) => callback)
      .filter(this.#offer.isDefault);
    const byName = new Map<string, DiscoveredTool[]>();
    for (const tool of enabled) byName.set(tool.name, [...(byName.get(tool.name) ?? []), tool]);
    const handlers = withoutRepeatedClasses(exploration.handlers);
    this.#admitted = new WeakMap();
    return (this.#registered = { known, enabled, handlers, byName, defaults: Object.freeze(defaults) });
  }

  readonly #offer: DefaultOffer = {
    includes: (host) => !this.included || isOfModules(host, this.included),
    isDefault: (callback) => this.configurator.isOfferedByDefault(callback),
    reportsTaken: () => true,
  };

  readonly #everything: DefaultOffer = {
    includes: () => true,
    isDefault: () => true,
    reportsTaken: (host) => !this.#offer.includes(host),
  };

  /** If several modules provide a class, the tools of an included module come first. */
  #includedFirst({ tools, handlers, providers }: Exploration): Exploration {
    const rankOf = ({ host }: DiscoveredTool): number => (this.#offer.includes(host) ? 0 : 1);
    const sorted = [tools, handlers].map((list) => list.toSorted((one, other) => rankOf(one) - rankOf(other)));
    return { tools: sorted[0]!, handlers: sorted[1]!, providers };
  }

  #findTools(criteria: ToolCriteria): DiscoveredTool[] {
    const found = this.#tools.known.all.filter((tool) => meets(criteria, tool));
    return withoutRepeatedClasses(found).filter((tool) => this.#isEnabled(tool));
  }

  #isEnabled({ callback }: DiscoveredTool): boolean {
    return this.configurator.configure(callback) !== undefined;
  }

  #toRegistration(tool: DiscoveredTool): ToolRegistration {
    return toRegistration({ ...tool, callback: this.configurator.configure(tool.callback) ?? tool.callback });
  }
}
