import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { type Advisor, isToolAdvisor, type ToolAdvisor } from '../../advisor/advisor.js';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import type { RequestServices } from '../../model/request-services.js';
import { AI_MODULE_OPTIONS, type AiModuleOptions, propertiesOf } from '../ai.module-definition.js';
import { isMadeLater } from '../hosts/provider-host.js';
import { ClientProperties } from '../properties/client-properties.js';
import { PROPERTY_TREE } from '../properties/ai-properties.js';
import { isElsewhere } from '../properties/property-types.js';
import { messageOf } from '@nestor-ai/schema';
import { CONFIGURATION, childOf, type PropertySource } from '../properties/property-source.js';
import { camel, kebabKey, type KeyPart } from '../properties/property-spelling.js';
import { type PropertiesReading, readProperties } from '../properties/read-properties.js';
import { AiExtension, type ExtensionContext } from './ai-extension.js';

/** Finds all `AiExtension`s of the application, and asks them for what they add. */
@Injectable()
export class Extensions {
  readonly #contexts = new Map<AiExtension, ExtensionContext>();
  /** The services of clients that were made before all providers exist. */
  #waiting: RequestServices[] | undefined = [];
  #hasProblems = false;

  constructor(
    private readonly discovery: DiscoveryService,
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
    const later = this.#wrappers.filter(isMadeLater);
    const problems =
      later.length > 0
        ? later.map(({ host }) => scopedText(host?.name))
        : this.#found.flatMap((extension) => this.#try(extension, () => this.#checkOne(extension, clientNames)));
    this.#hasProblems = problems.length > 0 || !this.#hasToolLoop;
    if (!this.#hasProblems) problems.push(...this.#complete(clientNames));
    this.#hasProblems ||= problems.length > 0;
    return problems;
  }

  /** Whether an extension reads the properties at a path. */
  reads(path: readonly KeyPart[]): boolean {
    const key = `${kebabKey(path)}.`;
    return this.#found.some(({ properties }) => properties && key.startsWith(`${kebabKey(pathOf(properties))}.`));
  }

  /** Adds the services of extensions to those of a client, at once or when all providers exist. */
  addServices(services: RequestServices): RequestServices {
    if (this.#waiting) this.#waiting.push(services);
    else for (const extension of this.#found) extension.services?.(services, this.#contextOf(extension));
    return services;
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
    return this.#found.flatMap((extension) => extension.advisors?.(clientName, this.#contextOf(extension)) ?? []);
  }

  #checkOne(extension: AiExtension, clientNames: readonly string[]): readonly string[] {
    const path = extension.properties && pathOf(extension.properties);
    if (path && isRead(path)) throw new Error(`AiModule reads ${kebabKey(path)}.* itself. Give it a path of its own.`);
    const { problems = [], foreign = [] } = this.#read(extension) ?? {};
    return [...problems, ...foreign, ...(extension.check?.(clientNames, this.#contextOf(extension)) ?? [])];
  }

  /** Gives their services to the clients that exist, and tries their advisors. */
  #complete(clientNames: readonly string[]): readonly string[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    return this.#found.flatMap((extension) =>
      this.#try(extension, () => {
        for (const services of waiting) extension.services?.(services, this.#contextOf(extension));
        for (const name of clientNames) extension.advisors?.(name, this.#contextOf(extension));
        return [];
      }),
    );
  }

  /** What an extension throws is a problem like those that it returns. */
  #try(extension: AiExtension, check: () => readonly string[]): readonly string[] {
    try {
      return check();
    } catch (error) {
      return [`The AiExtension ${extension.constructor.name} has failed: ${messageOf(error)}`];
    }
  }

  #contextOf(extension: AiExtension): ExtensionContext {
    let context = this.#contexts.get(extension);
    if (!context) {
      context = Object.freeze({
        values: this.#read(extension)?.properties ?? {},
        configuration: this.configuration,
        properties: this.given?.properties,
        toolLoop: () => this.#toolLoop,
        settingsOf: (clientName: string) => this.clients.of(clientName),
      });
      this.#contexts.set(extension, context);
    }
    return context;
  }

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
    try {
      return this.#toolLoop !== undefined;
    } catch {
      return false;
    }
  }

  #read({ properties }: AiExtension): PropertiesReading<object> | undefined {
    if (!properties) return undefined;
    const path = pathOf(properties);
    const given = path.slice(1).reduce<unknown>(childOf, propertiesOf(this.given)) as object | undefined;
    return readProperties(properties.tree, path, given, this.configuration);
  }

  /** Looked up on each call, since Nest may create the first client before all providers exist. */
  get #found(): readonly AiExtension[] {
    return [...new Set(this.#wrappers.flatMap(({ instance }) => (instance as AiExtension | null) ?? []))];
  }

  get #wrappers(): ReturnType<DiscoveryService['getProviders']> {
    return this.discovery.getProviders().filter(({ token }) => token === AiExtension);
  }
}

function pathOf({ path }: NonNullable<AiExtension['properties']>): readonly string[] {
  return ['ai', ...path.split('.').map(camel)];
}

/** Whether AiModule reads properties at a path. */
function isRead(path: readonly string[]): boolean {
  let node: object | undefined = PROPERTY_TREE;
  for (const part of path.slice(1)) {
    node = (node as Record<string, object | undefined>)[part];
    if (!node || isElsewhere(node)) return false;
  }
  return true;
}

function scopedText(moduleName: string | undefined): string {
  return (
    `The AiExtension of ${moduleName} is request-scoped or transient, or injects something that is, such as REQUEST. Make it a ` +
    'singleton, since it serves all requests. Its services and advisors find the data of a request in the request that they receive.'
  );
}
