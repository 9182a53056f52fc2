import { Injectable, Logger } from '@nestjs/common';
import type { Awaitable } from '../../model/awaitable.js';
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from '../../model/tool-callback.js';
import { ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import { ProvidedTools } from './provided-tools.js';
import { type DiscoveredTool, ToolExplorer } from './tool.explorer.js';

/** A tool of the application. */
export interface ToolRegistration {
  readonly name: string;
  readonly description: string;
  /** The module whose provider it is. */
  readonly moduleName: string;
  readonly className: string;
  /** The `@Tool()` method; undefined for a provider that is a tool itself. */
  readonly methodName?: string;
  readonly callback: ToolCallback;
}

interface Registered {
  /** Every tool of every host. */
  readonly all: readonly DiscoveredTool[];
  /** The tools of each class once: a class that several modules provide has several hosts. */
  readonly unique: readonly DiscoveredTool[];
  readonly callbacks: readonly ToolCallback[];
  /** What stands for the tools, and for providers that are tools themselves. */
  readonly ofCallback: ReadonlyMap<ToolCallback, readonly ToolCallback[]>;
  readonly provided: ProvidedTools;
}

/**
 * The tools found in the application. Filled on first use, so that it is complete also in a testing module
 * that was compiled but not initialised.
 */
@Injectable()
export class ToolRegistry {
  private readonly logger = new Logger(ToolRegistry.name);
  #registered: Registered | undefined;

  constructor(
    private readonly explorer: ToolExplorer,
    private readonly invokers: ToolInvokerFactory,
  ) {}

  /** All tools that are known when the application starts, in the order in which Nest knows their providers. */
  list(): readonly ToolRegistration[] {
    return this.#tools.unique.map(toRegistration);
  }

  /**
   * The tool of a name, of those that are known when the application starts.
   *
   * @throws Error naming the places when several tools have it
   */
  get(name: string): ToolRegistration | undefined {
    const [found, another] = this.#tools.unique.filter((tool) => tool.name === name);
    if (another) {
      throw new Error(
        `Several tools are named '${name}': ${placeOf(found!)} and ${placeOf(another)}. Give the class instead of the name.`,
      );
    }
    return found && toRegistration(found);
  }

  /** The tools that are known when the application starts: the same frozen list at each call. */
  get callbacks(): readonly ToolCallback[] {
    return this.#tools.callbacks;
  }

  /**
   * The tools there are now, those that a `ToolCallbackProvider` of the application gives included: the same frozen list as
   * before, unless a provider gives others.
   *
   * @throws Error naming the provider that fails
   */
  currentCallbacks(): Awaitable<readonly ToolCallback[]> {
    const { callbacks, provided } = this.#tools;
    return provided.isEmpty ? callbacks : provided.joinedWith(callbacks);
  }

  /**
   * The tools that a provider gives now, of the application or of somebody's own.
   *
   * @throws Error naming the provider when it fails
   */
  toolsGivenBy(provider: ToolCallbackProvider): Promise<readonly ToolCallback[]> {
    return this.#tools.provided.of(provider);
  }

  /**
   * The tools of an instance that the container made, of a class that it provides, or of a `ToolCallback`, as they were
   * registered.
   *
   * @returns undefined when it knows nothing of them
   */
  toolsOf(toolObject: object): readonly ToolCallback[] | undefined {
    const { all, unique, ofCallback } = this.#tools;
    if (isToolCallback(toolObject)) return ofCallback.get(toolObject);
    const tools =
      typeof toolObject === 'function'
        ? unique.filter(({ host }) => host.type === toolObject || host.wrapper.token === toolObject)
        : all.filter((tool) => isOf(tool, toolObject));
    return tools.length > 0 ? tools.map(({ callback }) => callback) : undefined;
  }

  /** Names that several tools have, with the places of each. */
  findDuplicates(): { name: string; places: string[] }[] {
    const places = new Map<string, string[]>();
    for (const tool of this.#tools.unique) places.set(tool.name, [...(places.get(tool.name) ?? []), placeOf(tool)]);
    return [...places].filter(([, found]) => found.length > 1).map(([name, found]) => ({ name, places: found }));
  }

  /** Looks again: what was found while the application was still being made is not all there is. */
  refresh(): void {
    this.#registered = undefined;
  }

  get #tools(): Registered {
    if (!this.#registered) {
      const { tools, providers } = this.explorer.explore();
      const unique = this.#withoutRepeatedClasses(tools);
      this.#registered = {
        all: tools,
        unique,
        callbacks: Object.freeze(unique.map(({ callback }) => callback)),
        ofCallback: new Map(
          tools.flatMap(({ original, callback }) => [original ?? callback, callback].map((key) => [key, [callback]])),
        ),
        provided: new ProvidedTools(providers, this.invokers, (toolObject) => this.toolsOf(toolObject)),
      };
    }
    return this.#registered;
  }

  #withoutRepeatedClasses(tools: readonly DiscoveredTool[]): DiscoveredTool[] {
    const first = new Map<unknown, DiscoveredTool>();
    return tools.filter((tool) => {
      // Several providers may be tools of one class.
      if (tool.methodName === undefined) return true;
      const known = first.get(tool.host.type) ?? tool;
      first.set(tool.host.type, known);
      if (known.host === tool.host) return true;
      if (tool.methodName === known.methodName) {
        this.logger.debug(
          `${tool.host.type.name} is provided in ${known.host.moduleName} and in ${tool.host.moduleName}; ` +
            `by default the model is offered the tools of the one in ${known.host.moduleName}.`,
        );
      }
      return false;
    });
  }
}

/** An instance made for a request is not known to Nest's record, but its class is. */
function isOf({ host }: DiscoveredTool, toolObject: object): boolean {
  const { wrapper, prototype } = host;
  if (wrapper.instance === toolObject) return true;
  const isScoped = !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
  return isScoped && prototype === Object.getPrototypeOf(toolObject);
}

function placeOf({ host, methodName }: DiscoveredTool): string {
  const place = methodName === undefined ? host.type.name : `${host.type.name}.${methodName}()`;
  return `${place} in ${host.moduleName}`;
}

function toRegistration({ name, methodName, callback, host }: DiscoveredTool): ToolRegistration {
  return {
    name,
    description: callback.toolDefinition.description,
    moduleName: host.moduleName,
    className: host.type.name,
    ...(methodName !== undefined && { methodName }),
    callback,
  };
}
