import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModuleRef } from '@nestjs/core';
import {
  isToolCallback,
  isToolCallbackProvider,
  ToolCallback,
  ToolCallbackProvider,
} from '../../model/tool-callback.js';
import { resultConverterOf } from '../../tool/declaration/result-converter.js';
import type { ToolMethod } from '../../tool/declaration/tool.decorator.js';
import { createMethodTool } from '../../tool/method-tool-callback.js';
import { ToolCallResultConverter } from '../../tool/result/tool-call-result-converter.js';
import { toolTemplateOf } from '../../tool/tool-provider.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import { AiProperties } from '../properties/ai-properties.js';
import { findProviderHosts, type ProviderHost } from './provider-host.js';
import { checkEnhancers, refuseStaticEnhancers } from './runnable-enhancers.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';

/** A tool found in the application, and where. */
export interface DiscoveredTool {
  readonly name: string;
  readonly callback: ToolCallback;
  readonly host: ProviderHost;
  /** The `@Tool()` method; undefined for a provider that is a tool itself. */
  readonly methodName?: string;
  /** The provider that is the tool, before anything was put in front of it. */
  readonly original?: ToolCallback;
}

/** What was found in the application. */
export interface Exploration {
  readonly tools: readonly DiscoveredTool[];
  /** Asked for their tools at each request. */
  readonly providers: readonly { readonly provider: ToolCallbackProvider; readonly host: ProviderHost }[];
}

/** Finds `@Tool()` methods of providers and controllers, and providers that are tools or give some. */
@Injectable()
export class ToolExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly accessor: ToolMetadataAccessor,
    private readonly invokers: ToolInvokerFactory,
    private readonly properties: AiProperties,
    private readonly problems: BootstrapProblems,
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** The tools of all hosts. What cannot be a tool is a problem of the bootstrap. */
  explore(): Exploration {
    const hosts = findProviderHosts(this.discovery);
    return {
      tools: hosts.flatMap((host) => [...this.#methodTools(host), ...this.#ownTool(host)]),
      providers: hosts.flatMap((host) => {
        const instance = instanceOf(host);
        return isToolCallbackProvider(instance) ? [{ provider: instance, host }] : [];
      }),
    };
  }

  #methodTools(host: ProviderHost): DiscoveredTool[] {
    const create = (methods: readonly ToolMethod[], make: (method: ToolMethod) => ToolCallback): DiscoveredTool[] =>
      methods.flatMap((method) => {
        const callback = this.problems.collect(() => make(method));
        if (!callback) return [];
        return { name: callback.toolDefinition.name, methodName: method.methodName, callback, host };
      });
    return [
      ...create(this.accessor.getToolMethods(host), (method) => this.#createTool(host, method)),
      ...create(this.accessor.getStaticToolMethods(host), (method) => this.#createStaticTool(host, method)),
    ];
  }

  #createTool(host: ProviderHost, method: ToolMethod): ToolCallback {
    const enhancers = this.accessor.getEnhancers(host, method);
    checkEnhancers(host, method, enhancers, this.config);
    return createMethodTool(method, host.prototype, {
      invoker: this.invokers.create(host, method.methodName, enhancers.effective.size > 0),
      inferParameterNames: this.properties.tools.inferParameterNames,
      resultConverter: this.#converterOf(method),
    });
  }

  #createStaticTool(host: ProviderHost, method: ToolMethod): ToolCallback {
    refuseStaticEnhancers(host, method);
    const callback = createMethodTool(method, host.type, {
      object: host.type,
      inferParameterNames: this.properties.tools.inferParameterNames,
      resultConverter: this.#converterOf(method),
    });
    return this.invokers.enhance(callback, host);
  }

  /** The converter that the method names, which may have dependencies, else that of the application. */
  #converterOf({ options }: ToolMethod): ToolCallResultConverter {
    const { resultConverter } = options;
    // Not injected, so that a converter may inject whatever depends on tools.
    if (!resultConverter) return this.moduleRef.get(ToolCallResultConverter);
    return resultConverterOf(resultConverter, (type) => {
      try {
        return this.moduleRef.get(type, { strict: false });
      } catch {
        // Nobody provides it: most converters are made with `new`.
        return undefined;
      }
    });
  }

  /** A provider that is a tool itself. */
  #ownTool(host: ProviderHost): DiscoveredTool[] {
    const { wrapper } = host;
    const original = instanceOf(host);
    if (isToolCallback(original)) {
      const callback = this.invokers.enhance(original, host);
      return [{ name: callback.toolDefinition.name, callback, host, original }];
    }
    const template = toolTemplateOf(wrapper.metatype);
    if (template && isScoped(host)) {
      const callback = this.invokers.enhance(this.invokers.scoped(template, host), host);
      return [{ name: callback.toolDefinition.name, callback, host }];
    }
    if (isScoped(host) && isToolClass(host)) {
      this.problems.add(
        `${host.type.name} in ${host.moduleName} is a ToolCallback or ToolCallbackProvider and request-scoped or transient, but what ` +
          'it offers has to be known before there is a request. Make it and what it injects singletons, and take what belongs ' +
          'to a request from the ToolContext; or use a @Tool() method or toolProvider(), which may be request-scoped.',
      );
    }
    return [];
  }
}

function isScoped({ wrapper }: ProviderHost): boolean {
  return !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
}

function instanceOf(host: ProviderHost): unknown {
  return isScoped(host) ? undefined : host.wrapper.instance;
}

function isToolClass({ prototype }: ProviderHost): boolean {
  return prototype instanceof ToolCallback || prototype instanceof ToolCallbackProvider;
}
