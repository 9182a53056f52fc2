import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { type Enhancers, NO_ENHANCERS, readClassEnhancers, readEnhancers } from '../../tool/declaration/enhancers.js';
import type { ToolMethod } from '../../tool/declaration/tool.decorator.js';
import { createMethodTool } from '../../tool/create-method-tool.js';
import type { MethodInvoker, MethodToolCallback } from '../../tool/method-tool-callback.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { type InvokedMethod, ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import { AiProperties } from '../properties/ai-properties.js';
import type { DiscoveredTool, Exploration } from './discovered-tool.js';
import { OwnToolExplorer } from './own-tool.explorer.js';
import { areFactoriesDone, findProviderHosts, isScoped, type ProviderHost } from '../hosts/provider-host.js';
import { ResultConverters } from './result-converters.js';
import { checkEnhancers, refuseStaticEnhancers } from '../hosts/runnable-enhancers.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';

/** Finds `@Tool()` methods of providers and controllers, and providers that are tools or give some. */
@Injectable()
export class ToolExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly accessor: ToolMetadataAccessor,
    private readonly invokers: ToolInvokerFactory,
    private readonly ownTools: OwnToolExplorer,
    private readonly converters: ResultConverters,
    private readonly properties: AiProperties,
    private readonly problems: BootstrapProblems,
    private readonly config: ApplicationConfig,
    private readonly container: ModulesContainer,
  ) {}

  /** The tools of all hosts. What cannot be a tool is a problem of the bootstrap. */
  explore(): Exploration {
    const hosts = findProviderHosts(this.discovery);
    return {
      tools: hosts.flatMap((host) => [...this.#methodTools(host), ...listOf(this.ownTools.toolOf(host))]),
      providers: hosts.flatMap((host) => {
        const provider = this.ownTools.providerOf(host);
        return provider ? [{ provider, host }] : [];
      }),
    };
  }

  /** The classes of the modules of the application. */
  get modules(): readonly unknown[] {
    return [...this.container.values()].map(({ metatype }) => metatype);
  }

  /** Whether there is nothing more to be found. */
  get isComplete(): boolean {
    return areFactoriesDone(this.discovery);
  }

  #methodTools(host: ProviderHost): DiscoveredTool[] {
    const methods = this.accessor.getToolMethods(host);
    const statics = this.accessor.getStaticToolMethods(host);
    if (methods.length + statics.length === 0) return NO_TOOLS;
    const ofClass = readClassEnhancers(host.prototype, host.type);
    return [
      ...methods.map((method) => () => this.#createTool(host, method, ofClass)),
      ...statics.map((method) => () => this.#createStaticTool(host, method)),
    ].flatMap((create) => this.problems.collect(create) ?? []);
  }

  #createTool(host: ProviderHost, method: ToolMethod, ofClass: Enhancers['effective']): DiscoveredTool {
    const { methodName } = method;
    const enhancers = readEnhancers(host.prototype, methodName, method.declared, ofClass);
    checkEnhancers(host, method, enhancers, this.config);
    const create = (invoke: (invoked: InvokedMethod) => MethodInvoker): MethodToolCallback => {
      const invoker = invoke({ methodName, enhancers, parameters: () => callback.parameters });
      const callback: MethodToolCallback = this.#create(host, method, host.prototype, invoker);
      return callback;
    };
    const name = this.accessor.getToolName(method);
    if (this.invokers.isSubstituted(name)) {
      const substituted = create((invoked) => this.invokers.substitute(host, invoked, name));
      return { name, methodName, callback: substituted, host, bindTo: () => substituted };
    }
    const callback = create((invoked) => this.invokers.create(host, invoked));
    return {
      name,
      methodName,
      callback,
      host,
      // An instance that serves all requests is never another one.
      ...(isScoped(host) && {
        bindTo: (instance: object) => create((invoked) => this.invokers.bound(host, instance, invoked)),
      }),
    };
  }

  #createStaticTool(host: ProviderHost, method: ToolMethod): DiscoveredTool {
    const { methodName } = method;
    refuseStaticEnhancers(host, method, this.config);
    const name = this.accessor.getToolName(method);
    const invoked: InvokedMethod = { methodName, enhancers: NO_ENHANCERS, parameters: () => callback.parameters };
    const invoker = this.invokers.isSubstituted(name)
      ? this.invokers.substitute(host, invoked, name)
      : this.invokers.ofStatic(host, invoked);
    const callback: MethodToolCallback = this.#create(host, method, host.type, invoker);
    return { name, methodName, callback, host };
  }

  #create(host: ProviderHost, method: ToolMethod, target: object, invoker: MethodInvoker): MethodToolCallback {
    return createMethodTool(method, target, {
      invoker,
      inferParameterNames: this.properties.tools.inferParameterNames,
      takesWholeInput: this.invokers.isSubstituted(this.accessor.getToolName(method)),
      resultConverter: this.converters.of(method.options.resultConverter, host),
    });
  }
}

const NO_TOOLS: DiscoveredTool[] = [];

function listOf<T>(item: T | undefined): T[] {
  return item === undefined ? [] : [item];
}
