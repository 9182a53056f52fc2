import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Advisor, isToolAdvisor, type ToolAdvisor } from '../../advisor/advisor.js';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import type { RequestServices } from '../../model/request-services.js';
import { isPromise } from '../../model/awaitable.js';
import type { TurnControl } from '../../model/turn-control.js';
import { AI_MODULE_OPTIONS, type AiModuleOptions, propertiesOf } from '../ai.module-definition.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { type InstanceWrapper, isMadeLater, ProviderHosts } from '../hosts/provider-host.js';
import { ClientProperties } from '../properties/client-properties.js';
import { PROPERTY_TREE } from '../properties/ai-properties.js';
import { type Elsewhere, isElsewhere } from '../properties/property-types.js';
import { messageOf, readSafely } from '@nestor-ai/schema';
import { CONFIGURATION, childOf, type PropertySource } from '../properties/property-source.js';
import { camel, kebabKey, type KeyPart } from '../properties/property-spelling.js';
import { type PropertiesReading, readProperties } from '../properties/read-properties.js';
import { remembered } from '../../model/remembered.js';
import { AiExtension, type ExtensionContext, isMade } from './ai-extension.js';

/** Finds all `AiExtension`s of the application, and asks them for what they add. */
@Injectable()
export class Extensions {
  /** The services of clients that were made before the check. */
  #unchecked: RequestServices[] | undefined = [];
  #hasProblems = false;
  /** Those that observe turns. Undefined until the first turn. */
  #observing: readonly AiExtension[] | undefined;

  constructor(
    private readonly hosts: ProviderHosts,
    private readonly moduleRef: ModuleRef,
    private readonly clients: ClientProperties,
    @Inject(CONFIGURATION) private readonly configuration: PropertySource | undefined,
    @Inject(AI_MODULE_OPTIONS) private readonly given: AiModuleOptions | undefined,
  ) {}

  /**
   * The problems that they find when all providers exist.
   *
   * @param clientNames the names of all enabled clients
   */
  check(clientNames: readonly string[]): readonly string[] {
    const problems = new BootstrapProblems();
    const later = this.#wrappers.filter(isMadeLater);
    problems.add(...later.map(({ host }) => scopedText(host?.name)));
    problems.add(...this.#unmade.filter((wrapper) => !later.includes(wrapper)).map(unmadeText));
    for (const extension of later.length > 0 ? [] : this.#found)
      problems.collect(() => problems.add(...withName(extension, () => this.#checkOne(extension, clientNames))));
    this.#hasProblems = problems.list.length > 0 || !this.#hasToolLoop;
    if (!this.#hasProblems) for (const attempt of this.#attempts(clientNames)) problems.collect(attempt);
    this.#hasProblems ||= problems.list.length > 0;
    return problems.list;
  }

  /** Whether an extension reads the properties at a path. */
  reads(path: readonly KeyPart[]): boolean {
    const key = `${kebabKey(path)}.`;
    return this.#found.some(({ properties }) => properties && key.startsWith(`${kebabKey(pathOf(properties))}.`));
  }

  /** Whether an extension reads a group that AiModule leaves to others. */
  serves(group: Elsewhere): boolean {
    return this.#found.some(({ properties }) => properties && nodeAt(pathOf(properties)) === group);
  }

  /** Adds the services of extensions to those of a client, when the first one is asked for. */
  addServices(services: RequestServices): RequestServices {
    this.#unchecked?.push(services);
    return services.fillLater((asked) => this.#fill(asked));
  }

  /**
   * Lets extensions observe a turn.
   *
   * @throws Error if one of them fails
   */
  observe(turn: TurnControl, clientName: string | undefined): void {
    this.#observing ??= this.#found.filter(({ observe }) => observe);
    if (this.#observing.length > 0) for (const extension of this.#observing) this.#observe(extension, turn, clientName);
  }

  #observe(extension: AiExtension, turn: TurnControl, clientName: string | undefined): void {
    const observer = withName(extension, () => extension.observe!(turn, clientName, this.#contextOf(extension)));
    if (isPromise(observer as unknown))
      throw new TypeError(
        `observe() of the AiExtension ${extension.constructor.name} must return an observer, not a promise.`,
      );
    if (observer) turn.observe(observer);
  }

  /** The tool loop of a client, from the first extension that has one for it. */
  toolLoopOf(clientName: string): (Advisor & ToolAdvisor) | undefined {
    return this.#advisorsOf(clientName).find(isToolAdvisor);
  }

  /** The other advisors of a client. */
  advisorsOf(clientName: string): readonly Advisor[] {
    return this.#advisorsOf(clientName).filter((advisor) => !isToolAdvisor(advisor));
  }

  #advisorsOf(clientName: string): readonly Advisor[] {
    if (this.#hasProblems) return [];
    return this.#found.flatMap(
      (extension) => withName(extension, () => extension.advisors?.(clientName, this.#contextOf(extension))) ?? [],
    );
  }

  #checkOne(extension: AiExtension, clientNames: readonly string[]): readonly string[] {
    const path = extension.properties && pathOf(extension.properties);
    const known = path && nodeAt(path);
    if (known && !isElsewhere(known))
      throw new Error(`AiModule reads ${kebabKey(path)}.* itself. Give it a path of its own.`);
    const { problems = [] } = this.#read(extension) ?? {};
    return [...problems, ...(extension.check?.(clientNames, this.#contextOf(extension)) ?? [])];
  }

  /** What the clients that exist would do with their first request. */
  #attempts(clientNames: readonly string[]): (() => void)[] {
    const unchecked = this.#unchecked ?? [];
    this.#unchecked = undefined;
    return [
      ...unchecked.map((services) => () => services.fillNow()),
      ...clientNames.map((name) => () => void this.#advisorsOf(name)),
    ];
  }

  /**
   * @throws Error if an extension is not made yet. Without its services, a call might not be recorded
   */
  #fill(services: RequestServices): void {
    const [missing] = this.#unmade;
    if (missing) throw new Error(unmadeText(missing));
    for (const extension of this.#found)
      withName(extension, () => extension.services?.(services, this.#contextOf(extension)));
  }

  readonly #contextOf = remembered((extension: AiExtension): ExtensionContext =>
    Object.freeze({
      values: this.#read(extension)?.properties ?? {},
      configuration: this.configuration,
      properties: this.given?.properties,
      toolLoop: () => this.#toolLoop,
      settingsOf: (clientName: string) => this.clients.of(clientName),
    }),
  );

  /**
   * Not injected, since the dependencies of a loop may be request-scoped, and this class must not be.
   *
   * @throws Error if they are request-scoped
   */
  get #toolLoop(): ToolCallingAdvisorOptions {
    return this.moduleRef.get<ToolCallingAdvisorOptions>(TOOL_CALLING_ADVISOR_OPTIONS, { strict: true });
  }

  /** If a dependency of the loop is request-scoped, another bootstrap rule reports it. */
  get #hasToolLoop(): boolean {
    return readSafely(() => this.#toolLoop) !== undefined;
  }

  #read({ properties }: AiExtension): PropertiesReading<object> | undefined {
    if (!properties?.tree) return undefined;
    const path = pathOf(properties);
    const given = path.slice(1).reduce<unknown>(childOf, propertiesOf(this.given)) as object | undefined;
    return readProperties(properties.tree, path, given, this.configuration);
  }

  /** Looked up on each call, since Nest may create the first client before all providers exist. */
  get #found(): readonly AiExtension[] {
    return [...new Set(this.#wrappers.map(({ instance }) => instance as object | null).filter(isMade))];
  }

  get #unmade(): InstanceWrapper[] {
    return this.#wrappers.filter(({ instance }) => !isMade(instance as object | null));
  }

  get #wrappers(): readonly InstanceWrapper[] {
    return this.hosts.of(AiExtension);
  }
}

function pathOf({ path }: NonNullable<AiExtension['properties']>): readonly string[] {
  return ['ai', ...path.split('.').map(camel)];
}

/** What AiModule knows of the properties at a path. */
function nodeAt(path: readonly string[]): object | undefined {
  return path
    .slice(1)
    .reduce<object | undefined>((node, part) => node && (node as Record<string, object>)[part], PROPERTY_TREE);
}

/** @throws Error that names the extension, if it fails */
function withName<T>(extension: AiExtension, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new Error(`The AiExtension ${extension.constructor.name} has failed: ${messageOf(cause)}`, { cause });
  }
}

function unmadeText({ host }: InstanceWrapper): string {
  return (
    `The AiExtension of ${host?.name} is not made yet, or does not extend AiExtension. Send requests in onModuleInit() or later, when ` +
    'all providers are made.'
  );
}

function scopedText(moduleName: string | undefined): string {
  return (
    `The AiExtension of ${moduleName} is request-scoped or transient, or injects something that is, such as REQUEST. Make it a ` +
    'singleton, since it serves all requests. Its services and advisors find the data of a request in the request that they receive.'
  );
}
