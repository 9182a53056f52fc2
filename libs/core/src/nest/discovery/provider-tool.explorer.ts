import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import {
  isToolCallback,
  isToolCallbackProvider,
  ToolCallback,
  ToolCallbackProvider,
} from '../../model/tool-callback.js';
import { type FunctionToolCallback, isFunctionTool } from '../../tool/function-tool-callback.js';
import { DerivedToolRecord } from '../../tool/derived-tool-record.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';
import type { ToolAround } from '../../tool/tool-record.js';
import { isToolToken, toolTemplateOf } from '../../tool/tool-provider.js';
import { classNameOf } from '@nestor-ai/schema';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import { isScoped, type ProviderHost } from '../hosts/provider-host.js';
import { ResultConverters } from './result-converters.js';
import { refuseEnhancersOfProvider, refuseScopedGlobals } from '../hosts/runnable-enhancers.js';
import type { DiscoveredTool } from './discovered-tool.js';

/**
 * Finds providers that are tools themselves: functions from `toolProvider()` and `ToolCallback`s.
 */
@Injectable()
export class ProviderToolExplorer {
  constructor(
    private readonly arounds: ToolAroundFactory,
    private readonly converters: ResultConverters,
    private readonly problems: BootstrapProblems,
    private readonly config: ApplicationConfig,
  ) {}

  /** The tool, if the provider is one. */
  toolOf(host: ProviderHost): DiscoveredTool | undefined {
    return this.problems.collect(() => (isScoped(host) ? this.#scopedTool(host) : this.#singletonTool(host)));
  }

  /** The provider as a `ToolCallbackProvider`, if it is one. */
  providerOf(host: ProviderHost): ToolCallbackProvider | undefined {
    const instance: unknown = isScoped(host) ? undefined : host.wrapper.instance;
    if (!isToolCallbackProvider(instance)) return undefined;
    this.problems.collect(() => refuseEnhancersOfProvider(host));
    return instance;
  }

  #singletonTool(host: ProviderHost): DiscoveredTool | undefined {
    const original: unknown = host.wrapper.instance;
    if (!isToolCallback(original)) return this.#refuseNonTool(host, original);
    const name = nameOf(original, host);
    const callback = isFunctionTool(original)
      ? this.#registerFunction(host, original, this.arounds.ofFunction(host, original))
      : this.arounds.register(original, host);
    return { name, callback, host, original };
  }

  /** A request-scoped function tool. */
  #scopedTool(host: ProviderHost): DiscoveredTool | undefined {
    const template = toolTemplateOf(host.wrapper.metatype)?.();
    if (!template) return refuseScopedClass(host);
    const { name } = template.callback.toolDefinition;
    const around = this.arounds.ofScopedFunction(host, template.callback);
    return { name, callback: this.#registerFunction(host, template.callback, around), host };
  }

  #registerFunction(host: ProviderHost, callback: FunctionToolCallback, around: ToolAround): ToolCallback {
    refuseScopedGlobals(`The tool '${callback.toolDefinition.name}' in ${host.moduleName}`, this.config);
    const converter = this.converters.of(toolTemplateOf(host.wrapper.metatype)?.().resultConverter, host);
    const converted = callback.withFunction(callback.toolFunction, converter);
    return new RecordToolCallback(new DerivedToolRecord(recordOf(converted), { around }));
  }

  /** Refuses a provider that should be a tool but is not, such as a replacement in a test. */
  #refuseNonTool({ wrapper, moduleName }: ProviderHost, instance: unknown): undefined {
    const { token } = wrapper;
    const isClass =
      typeof token === 'function' &&
      (token.prototype instanceof ToolCallback || token.prototype instanceof ToolCallbackProvider);
    if (!(isClass || isToolToken(token)) || instance === undefined || isToolCallbackProvider(instance))
      return undefined;
    throw new Error(
      `The provider ${isClass ? token.name : `'${String(token)}'`} in ${moduleName} has to be a ToolCallback or ToolCallbackProvider, ` +
        `but is ${typeof instance === 'object' ? `of ${classNameOf(instance ?? undefined)}` : `a ${typeof instance}`}. Provide a ` +
        'FunctionToolCallback, or an instance of a class that extends one of them.',
    );
  }
}

/**
 * @throws Error if the class is a tool or tool provider. Nestor needs its tools before the first
 *   request.
 */
function refuseScopedClass({ prototype, type, moduleName }: ProviderHost): undefined {
  if (!(prototype instanceof ToolCallback) && !(prototype instanceof ToolCallbackProvider)) return undefined;
  throw new Error(
    `${type.name} in ${moduleName} is a request-scoped or transient ToolCallback or ToolCallbackProvider, but Nestor ` +
      'needs its tools before the first request. Make it and its dependencies singletons, and read the data of a request from ' +
      'the ToolContext. Or use a @Tool() method or toolProvider(): these may be request-scoped.',
  );
}

/** @throws Error if the tool has no name */
function nameOf(callback: ToolCallback, { type, moduleName }: ProviderHost): string {
  const name: unknown = callback.toolDefinition?.name;
  if (typeof name === 'string' && name.trim() !== '') return name;
  throw new Error(
    `The ToolCallback ${type.name} in ${moduleName} has no toolDefinition with a name. Set it in the constructor.`,
  );
}
