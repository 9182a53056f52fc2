import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import { ApplicationConfig, type ContextId, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ToolContext } from '../../model/tool-context.js';
import type { MethodInvoker } from '../../tool/method-tool-callback.js';
import type { ProviderHost } from '../discovery/provider-host.js';
import { contextIdOf } from './turn-scope.js';

/** The type of the execution context that guards, interceptors and filters of tools see. */
export const AI_TOOL_CONTEXT_TYPE = 'ai-tool';

/**
 * What stands in the arguments of the execution context behind the places of request, response and next: guards
 * written for HTTP must find the caller's request in the first place, and never anything that a model wrote.
 */
export interface ToolInvocation {
  readonly args: readonly unknown[];
  readonly toolContext: ToolContext;
}

export const INVOCATION_INDEX = 3;

const ARGUMENTS_METADATA = 'nestor:tool-arguments';

type Method = (...args: unknown[]) => unknown;
type Enhanced = (
  request: unknown,
  response: undefined,
  next: undefined,
  invocation: ToolInvocation,
) => Promise<unknown>;

/** Makes the functions that call tool methods the way Nest would call them. */
@Injectable()
export class ToolInvokerFactory {
  constructor(
    private readonly externalContextCreator: ExternalContextCreator,
    private readonly applicationConfig: ApplicationConfig,
  ) {}

  /**
   * @param hasEnhancers whether the method or its class has guards, interceptors or filters
   */
  create(host: ProviderHost, methodName: string, hasEnhancers: boolean): MethodInvoker {
    const { wrapper } = host;
    const isScoped = !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
    return isScoped ? this.#scoped(host, methodName, hasEnhancers) : this.#static(host, methodName, hasEnhancers);
  }

  #static({ wrapper }: ProviderHost, methodName: string, hasEnhancers: boolean): MethodInvoker {
    let enhanced: Enhanced | undefined;
    let enhancedFor = -1;
    return (args, context) => {
      // Read at each call: it may not have been there yet when the tools were looked for.
      const instance = wrapper.instance as Record<string, Method>;
      // Global enhancers may be added at any time, and must hold from then on.
      const globals = this.#countGlobalEnhancers();
      if (!hasEnhancers && globals === 0) return instance[methodName]!(...args);
      if (!enhanced || enhancedFor !== globals) {
        enhanced = this.#enhance(instance, methodName, args.length, undefined, wrapper.id);
        enhancedFor = globals;
      }
      return enhanced(context.turn.request, undefined, undefined, { args, toolContext: context });
    };
  }

  /** A host that lives as long as a request: resolved for each turn, in the host's own module. */
  #scoped({ wrapper }: ProviderHost, methodName: string, hasEnhancers: boolean): MethodInvoker {
    const moduleRef = wrapper.host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
    return async (args, context) => {
      const contextId = contextIdOf(context.turn, moduleRef);
      const instance = await moduleRef.resolve<Record<string, Method>>(wrapper.token as string, contextId, {
        strict: true,
      });
      if (!hasEnhancers && this.#countGlobalEnhancers() === 0) return instance[methodName]!(...args);
      const enhanced = this.#enhance(instance, methodName, args.length, contextId, wrapper.id);
      return enhanced(context.turn.request, undefined, undefined, { args, toolContext: context });
    };
  }

  #enhance(
    instance: Record<string, Method>,
    methodName: string,
    count: number,
    contextId: ContextId | undefined,
    inquirerId: string,
  ): Enhanced {
    // Nest's own way to say where the arguments of a handler come from: a parameter for each, numbered in `data`.
    const parameters = Array.from({ length: count }, (_, index) => [`0:${index}`, { index, data: index, pipes: [] }]);
    Reflect.defineMetadata(ARGUMENTS_METADATA, Object.fromEntries(parameters), instance.constructor, methodName);
    return this.externalContextCreator.create(
      instance,
      instance[methodName]!,
      methodName,
      ARGUMENTS_METADATA,
      {
        exchangeKeyForValue: (_type, index, args) =>
          (args as [unknown, unknown, unknown, ToolInvocation])[INVOCATION_INDEX].args[index as unknown as number],
      },
      contextId,
      inquirerId,
      { guards: true, interceptors: true, filters: true },
      AI_TOOL_CONTEXT_TYPE,
    );
  }

  #countGlobalEnhancers(): number {
    const config = this.applicationConfig;
    return (
      config.getGlobalGuards().length +
      config.getGlobalInterceptors().length +
      config.getGlobalFilters().length +
      config.getGlobalRequestGuards().length +
      config.getGlobalRequestInterceptors().length +
      config.getGlobalRequestFilters().length
    );
  }
}
