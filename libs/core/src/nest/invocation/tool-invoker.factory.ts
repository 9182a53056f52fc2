import { Injectable } from '@nestjs/common';
import { ApplicationConfig, type ContextId, ExternalContextCreator } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import { runsWithRunner, type ToolCallback } from '../../model/tool-callback.js';
import { RUNS_WITH_RUNNER, type ToolContext } from '../../model/tool-context.js';
import type { ToolResult } from '../../model/tool-result.js';
import type { FunctionToolCallback, ToolFunction } from '../../tool/function-tool-callback.js';
import type { MethodInvoker } from '../../tool/method-tool-callback.js';
import { readEnhancers } from '../../tool/declaration/enhancers.js';
import { runMethod } from '../../tool/run-code.js';
import { settleResult } from '../../tool/result/settle-result.js';
import { isScoped, type ProviderHost } from '../discovery/provider-host.js';
import { checkEnhancers, refuseScopedGlobals } from '../discovery/runnable-enhancers.js';
import { EnhancedToolCallback } from './enhanced-tool-callback.js';
import { checkInstance, type Method, standIn } from './method-host.js';
import { contextIdOf, moduleRefOf } from './turn-scope.js';

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
    return isScoped(host) ? this.#scoped(host, methodName, hasEnhancers) : this.#static(host, methodName, hasEnhancers);
  }

  /** Calls the method of an instance that was given, where another one would be made for the turn. */
  bound({ wrapper, prototype }: ProviderHost, given: object, methodName: string, hasEnhancers: boolean): MethodInvoker {
    const declared = (prototype as Record<string, Method>)[methodName]!;
    const instance = given as Record<string, Method>;
    const moduleRef = moduleRefOf(wrapper);
    return (args, context) => {
      checkInstance(instance, prototype, methodName);
      if (!hasEnhancers && this.#countGlobalEnhancers() === 0) return runMethod(instance, methodName, args, context);
      const contextId = contextIdOf(context.turn, moduleRef);
      const enhanced = this.#enhance(instance, methodName, declared, contextId, wrapper.id);
      return enhanced(context.turn.request, undefined, undefined, { args, toolContext: context });
    };
  }

  /** Calls a static method. Guards see its class and its metadata. */
  ofStatic({ wrapper, type }: ProviderHost, methodName: string): MethodInvoker {
    const statics = type as unknown as Record<string, Method>;
    const call: Method = (...args) => statics[methodName]!(...args);
    return this.#once(standIn(type, methodName, call), methodName, statics[methodName]!, wrapper.id, false);
  }

  /**
   * Calls the function of a tool that is a provider itself.
   *
   * @param functionOf gives the function, which may have to be made for the turn
   */
  ofFunction(
    { wrapper, type }: ProviderHost,
    name: string,
    functionOf: (context: ToolContext) => Awaitable<ToolFunction<unknown>>,
  ): ToolFunction<unknown> {
    const call = (input: unknown, context: ToolContext): unknown => {
      const found = functionOf(context);
      return found instanceof Promise ? found.then((made) => made(input, context)) : found(input, context);
    };
    const invoke = this.#once(standIn(type, name, call as Method), name, call as Method, wrapper.id, false);
    return (input, context) => invoke([input, context], context);
  }

  /** Finds the function that was made for a turn. */
  scopedFunction({ wrapper }: ProviderHost): (context: ToolContext) => Promise<ToolFunction<unknown>> {
    const moduleRef = moduleRefOf(wrapper);
    return async ({ turn }) => {
      const contextId = contextIdOf(turn, moduleRef);
      const made = await moduleRef.resolve<ToolCallback>(wrapper.token as string, contextId, { strict: true });
      made.verify?.();
      return (made as FunctionToolCallback).toolFunction;
    };
  }

  /**
   * Puts the enhancers of the application, and those of its class, before a tool of somebody's own making. Their execution context
   * has the arguments as the model wrote them.
   *
   * @throws Error when Nest would not run one of them
   */
  enhance(callback: ToolCallback, host: ProviderHost): ToolCallback {
    const prototype = Object.getPrototypeOf(callback) as object;
    const type = callback.constructor as unknown as ProviderHost['type'];
    refuseScopedGlobals(`The ToolCallback ${type.name} in ${host.moduleName}`, this.applicationConfig);
    const enhancers = readEnhancers(prototype, 'call');
    checkEnhancers(
      { ...host, type, prototype },
      { methodName: 'call', options: {} },
      enhancers,
      this.applicationConfig,
    );
    const runsItself = runsWithRunner(callback);
    const call: Method = (toolInput, context) =>
      callback.call(
        toolInput as string,
        runsItself ? (context as ToolContext) : (context as ToolContext).withoutRunner(),
      );
    if (runsItself) Object.assign(call, { [RUNS_WITH_RUNNER]: true });
    const isEnhanced = enhancers.effective.size > 0;
    const invoke = this.#once(
      standIn(type, 'call', call),
      'call',
      callback.call as Method,
      host.wrapper.id,
      isEnhanced,
    );
    return new EnhancedToolCallback(callback, async (toolInput, context) => {
      return (await invoke([toolInput, context], context)) as string | ToolResult;
    });
  }

  #static({ wrapper, prototype }: ProviderHost, methodName: string, hasEnhancers: boolean): MethodInvoker {
    const instanceOf = (): Record<string, Method> => {
      // Read at each call: it may not have been there yet when the tools were looked for.
      const instance = wrapper.instance as Record<string, Method>;
      checkInstance(instance, prototype, methodName);
      return instance;
    };
    const declared = (prototype as Record<string, Method>)[methodName]!;
    return this.#once(instanceOf, methodName, declared, wrapper.id, hasEnhancers);
  }

  /** Calls the method of an instance that is the same for all turns. */
  #once(
    instanceOf: () => Record<string, Method>,
    methodName: string,
    declared: Method,
    inquirerId: string,
    hasEnhancers: boolean,
  ): MethodInvoker {
    let enhanced: Enhanced | undefined;
    let enhancedFor = -1;
    return (args, context) => {
      const instance = instanceOf();
      // Global enhancers may be added at any time, and must hold from then on.
      const globals = this.#countGlobalEnhancers();
      if (!hasEnhancers && globals === 0) return runMethod(instance, methodName, args, context);
      if (!enhanced || enhancedFor !== globals) {
        enhanced = this.#enhance(instance, methodName, declared, undefined, inquirerId);
        enhancedFor = globals;
      }
      return enhanced(context.turn.request, undefined, undefined, { args, toolContext: context });
    };
  }

  /** A host that lives as long as a request: resolved for each turn, in the host's own module. */
  #scoped({ wrapper, prototype }: ProviderHost, methodName: string, hasEnhancers: boolean): MethodInvoker {
    const declared = (prototype as Record<string, Method>)[methodName]!;
    const moduleRef = moduleRefOf(wrapper);
    return async (args, context) => {
      const contextId = contextIdOf(context.turn, moduleRef);
      const instance = await moduleRef.resolve<Record<string, Method>>(wrapper.token as string, contextId, {
        strict: true,
      });
      checkInstance(instance, prototype, methodName);
      if (!hasEnhancers && this.#countGlobalEnhancers() === 0) return runMethod(instance, methodName, args, context);
      const enhanced = this.#enhance(instance, methodName, declared, contextId, wrapper.id);
      return enhanced(context.turn.request, undefined, undefined, { args, toolContext: context });
    };
  }

  /**
   * Nest reads the enhancers from the function it is given. That is one of our own, which stands on the function that
   * was seen at bootstrap: whatever an instance has in its place, a bound copy or a spy, the enhancers hold.
   */
  #enhance(
    instance: Record<string, Method>,
    methodName: string,
    declared: Method,
    contextId: ContextId | undefined,
    inquirerId: string,
  ): Enhanced {
    const call = (...given: unknown[]): unknown => {
      const { args, toolContext } = given[INVOCATION_INDEX] as ToolInvocation;
      // Settled here, since Nest would make a value of an Observable without progress and without an end.
      return settleResult(runMethod(instance, methodName, args, toolContext), toolContext);
    };
    Object.setPrototypeOf(call, declared);
    Object.defineProperty(call, 'name', { value: methodName });
    return this.externalContextCreator.create(
      instance,
      call,
      methodName,
      undefined,
      undefined,
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
