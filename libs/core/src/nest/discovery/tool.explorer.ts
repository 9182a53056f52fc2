import { Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { type Enhancers, NO_ENHANCERS, readClassEnhancers, readEnhancers } from '../../tool/declaration/enhancers.js';
import {
  handlerMethods,
  hasToolMethods,
  type ToolMethod,
  toolNameOf,
  usableToolMethods,
} from '../../tool/declaration/tool.decorator.js';
import { createMethodTool } from '../../tool/create-method-tool.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { MethodToolCallback } from '../../tool/method-tool-callback.js';
import type { ToolAround, ToolId } from '../../tool/tool-record.js';
import { isInstanceOf, BUILD_AGAIN, hasTypes, ToolDeclarationException, UnknownTypeException } from '@nestor-ai/schema';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { type ContainerMethod, ToolAroundFactory } from '../invocation/tool-around.factory.js';
import { AttachedTypes } from '../plugin-metadata/plugin-metadata.js';
import type { DiscoveredTool, Exploration } from './discovered-tool.js';
import { ProviderToolExplorer } from './provider-tool.explorer.js';
import { isScoped, type ProviderHost, ProviderHosts } from '../hosts/provider-host.js';
import { ResultConverters } from './result-converters.js';
import { checkEnhancers, refuseStaticEnhancers } from '../hosts/runnable-enhancers.js';
import { findMetadata, hasPlugin, PASS_METADATA, PLUGIN, WRITE_METADATA } from '../plugin-metadata/find-metadata.js';

/** A method, and the name of its tool. */
type CalledMethod = ToolMethod & Pick<ContainerMethod, 'toolName'>;

type MadeTool = Pick<DiscoveredTool, 'callback' | 'bindTo'>;

/**
 * Finds `@Tool()` methods of providers and controllers, tools that are providers themselves, and
 * tool providers.
 */
@Injectable()
export class ToolExplorer {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly hosts: ProviderHosts,
    private readonly arounds: ToolAroundFactory,
    private readonly providerTools: ProviderToolExplorer,
    private readonly converters: ResultConverters,
    private readonly problems: BootstrapProblems,
    private readonly config: ApplicationConfig,
    // Types must be attached before tools are read.
    private readonly types: AttachedTypes,
  ) {}

  /** Finds all tools. Invalid tools become bootstrap problems. */
  explore(): Exploration {
    const found: { [Kind in keyof Exploration]: Exploration[Kind][number][] } = {
      tools: [],
      handlers: [],
      providers: [],
    };
    for (const host of this.hosts.all) {
      // Most providers have none.
      if (hasToolMethods(host.prototype) || (host.isNestMade && hasToolMethods(host.type))) {
        found.tools.push(...this.#createTools(host, usableToolMethods));
        found.handlers.push(...this.#createTools(host, handlerMethods));
      }
      const tool = this.providerTools.toolOf(host);
      if (tool) found.tools.push(tool);
      const provider = this.providerTools.providerOf(host);
      if (provider) for (const part of provider.parts ?? [provider]) found.providers.push({ provider: part, host });
    }
    return found;
  }

  /** Whether all tools can be found by now. */
  get isComplete(): boolean {
    return this.hosts.areFactoriesDone;
  }

  #createTools(host: ProviderHost, methodsOf: (target: object) => ToolMethod[]): DiscoveredTool[] {
    const methods = methodsOf(host.prototype).filter(({ methodName }) => this.#isThere(host, methodName));
    const statics = host.isNestMade ? methodsOf(host.type) : [];
    if (methods.length + statics.length === 0) return [];
    const ofClass = readClassEnhancers(host.prototype, host.type);
    const known = { hosts: this.hosts, isGiven: this.types.isGiven };
    const create = (method: ToolMethod, make: (called: CalledMethod) => MadeTool): DiscoveredTool => {
      const { methodName, options } = method;
      const name = toolNameOf(methodName, options);
      const made = this.problems.collect(() =>
        explainMissingTypes(() => make({ ...method, toolName: name }), host, known),
      );
      const { kind } = options;
      return { name, methodName, host, ...(kind !== undefined && { kind }), ...(made ?? brokenTool(name)) };
    };
    return [
      ...methods.map((method) => create(method, (called) => this.#createTool(host, called, ofClass))),
      ...statics.map((method) => create(method, (called) => this.#createStaticTool(host, called))),
    ];
  }

  /** A replacement of a class, for example in a test, may lack some of its methods. */
  #isThere({ wrapper, prototype, type, moduleName }: ProviderHost, methodName: string): boolean {
    const instance: unknown = wrapper.instance;
    const isOther = typeof instance === 'object' && instance !== null && !isInstanceOf(instance, prototype);
    if (!isOther || typeof (instance as Record<string, unknown>)[methodName] === 'function') return true;
    this.logger.warn(
      `${type.name}.${methodName}() is not offered as a tool, because the replacement of ${type.name} in ${moduleName} has no such method.`,
    );
    return false;
  }

  #createTool(host: ProviderHost, method: CalledMethod, ofClass: Enhancers['effective']): MadeTool {
    const { methodName, declared } = method;
    const enhancers = readEnhancers(host.prototype, methodName, declared, ofClass);
    checkEnhancers(host, methodName, enhancers, this.config);
    const called: ContainerMethod = { ...method, enhancers };
    const callback = this.#callback(host, method, host.prototype, this.arounds.ofMethod(host, called));
    const bindTo = (instance: object): ToolCallback => {
      const around = this.arounds.ofMethod(host, called, instance);
      return this.#callback(host, method, host.prototype, around, { owner: instance, name: methodName });
    };
    // Only hosts with several instances need this.
    return { callback, ...(isScoped(host) && { bindTo }) };
  }

  #createStaticTool(host: ProviderHost, method: CalledMethod): MadeTool {
    refuseStaticEnhancers(host, method, this.config);
    const around = this.arounds.ofStatic(host, { ...method, enhancers: NO_ENHANCERS });
    return { callback: this.#callback(host, method, host.type, around) };
  }

  #callback(host: ProviderHost, method: ToolMethod, target: object, around: ToolAround, id?: ToolId): ToolCallback {
    const resultConverter = this.converters.of(method.options.resultConverter, host);
    return new MethodToolCallback(createMethodTool(method, target, { around, id, resultConverter }));
  }
}

/**
 * Takes the place of a tool that could not be created, so that other checks find its name. The
 * bootstrap reports why, and the application does not start.
 */
function brokenTool(name: string): MadeTool {
  return { callback: new FunctionToolCallback({ name, toolFunction: () => undefined }) };
}

/** What an application knows of types. */
interface KnownTypes {
  /** All classes of the application that may have tools. */
  readonly hosts: ProviderHosts;
  /** Whether the application was given a `pluginMetadata`. */
  readonly isGiven: boolean;
}

/**
 * Runs a function that creates a tool. If a type is unknown, the error also says how the compiler
 * plugin can read it.
 */
function explainMissingTypes<T>(create: () => T, host: ProviderHost, known: KnownTypes): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof Error) || !isUnknownType(error)) throw error;
    throw new ToolDeclarationException(`${error.message} ${hintFor(host, known)}`, { cause: error });
  }
}

function isUnknownType(error: unknown): boolean {
  return error instanceof UnknownTypeException || (error instanceof Error && isUnknownType(error.cause));
}

function hintFor({ type }: ProviderHost, { hosts, isGiven }: KnownTypes): string {
  if (hasTypes(type)) {
    return `The compiler plugin has no type for it in ${type.name} either. If the build is older than the code: ${BUILD_AGAIN}`;
  }
  if (hosts.all.some((host) => hasTypes(host.type))) {
    return `${type.name} has no types: it was not built with the compiler plugin, unlike other classes. ${BUILD_AGAIN}`;
  }
  if (isGiven) return `${type.name} has no types in pluginMetadata. ${BUILD_AGAIN}`;
  const path = findMetadata();
  if (path !== undefined) return `Instead of all this, use your ${path}: ${PASS_METADATA}`;
  if (hasPlugin()) return `nest-cli.json has the compiler plugin, but it did not build ${type.name}. ${WRITE_METADATA}`;
  return (
    `Or let the compiler plugin read the types of your code: npm i -D ${PLUGIN}, and list it in "plugins" of nest-cli.json ` +
    '(guide "Types as schemas").'
  );
}
